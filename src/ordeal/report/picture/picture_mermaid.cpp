// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/picture/picture.hpp"
#include "ordeal/report/text/trace_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace ordeal::detail {

namespace {

constexpr std::size_t characters_of_lane = 24;  // a note over several lanes does not grow with its text

// What ends a line of the language, or would be markup in it, is written by its number.
std::string plain(std::string_view text) {
    std::string result;
    for (const char c : escaped(text)) {
        const bool special = std::string_view("#;<>&\"%{}`\\").find(c) != std::string_view::npos;
        result += special ? fmt::format("#{};", static_cast<int>(c)) : std::string(1, c);
    }
    return result;
}

std::string node_text(const picture_node& node) {
    std::string lines;
    for (const std::string& line : lines_of(node)) lines += (lines.empty() ? "" : "<br/>") + plain(line);
    const std::string_view mark = node.violation ? "[violation] " : node.end ? "[end] " : "";
    return fmt::format("  Note over t{}: {}{}\n", node.lane, mark, lines);
}

// A cross at the end of an arrow: nothing is handed over there.
std::string edge_text(const execution_picture& of, const picture_edge& edge) {
    const picture_node& from = of.nodes[edge.from];
    const picture_node& to = of.nodes[edge.to];
    const std::string_view arrow = edge.missing ? "--x" : edge.relation == step_relation::reads_from ? "->>" : "-->>";
    return fmt::format("  t{}{}t{}: {} {} to {}\n", from.lane, arrow, to.lane, short_name(edge), plain(from.label),
                       plain(to.label));
}

}  // namespace

// Program order is the lane. Any other arrow stands directly before the later of its two steps.
std::string mermaid_text(const execution_picture& of) {
    std::string text = "sequenceDiagram\n";
    text += fmt::format("  %% {}\n", plain(of.title));
    for (std::size_t lane = 0; lane < of.lanes.size(); ++lane) {
        text += fmt::format("  participant t{} as {}\n", lane, plain(of.lanes[lane]));
    }
    for (std::size_t i = 0; i < of.nodes.size(); ++i) {
        for (const picture_edge& edge : of.edges) {
            const bool drawn = edge.relation != step_relation::program_order || edge.missing;
            if (drawn && std::max(edge.from, edge.to) == i) text += edge_text(of, edge);
        }
        text += node_text(of.nodes[i]);
    }
    if (of.lanes.empty() || of.captions.empty()) return text;
    std::string captions;
    for (const std::string& each : of.captions) {
        for (const std::string& line : wrapped(each, characters_of_lane * of.lanes.size())) {
            captions += (captions.empty() ? "" : "<br/>") + plain(line);
        }
    }
    const std::string last = of.lanes.size() > 1 ? fmt::format(",t{}", of.lanes.size() - 1) : "";
    return text + fmt::format("  Note over t0{}: {}\n", last, captions);
}

}  // namespace ordeal::detail
