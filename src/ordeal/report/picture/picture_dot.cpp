// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/picture/picture.hpp"
#include "ordeal/report/text/trace_layout.hpp"

#include <fmt/format.h>

#include <utility>

namespace ordeal::detail {

std::string_view short_name(const picture_edge& edge) noexcept {
    if (edge.missing) return "no sync";
    switch (edge.relation) {
        case step_relation::program_order: return "po";
        case step_relation::reads_from: return "rf";
        case step_relation::from_read: return "fr";
        case step_relation::coherence: return "co";
        case step_relation::happens_before: return "hb";
    }
    return "";
}

std::vector<std::string> lines_of(const picture_node& node) {
    std::vector<std::string> result{node.label + ": " + node.operation};
    if (!node.detail.empty()) {
        for (std::string& line : wrapped(node.detail, most_characters)) result.push_back(std::move(line));
    }
    if (!node.place.empty()) result.push_back(node.place);
    return result;
}

namespace {

// Between double quotes, where the language knows the backslash.
std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : escaped(text)) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

std::string quoted_lines(const std::vector<std::string>& lines) {
    std::string result;
    for (const std::string& line : lines) {
        const std::string one = quoted(line);
        result += (result.empty() ? "" : "\\n") + one.substr(1, one.size() - 2);
    }
    return '"' + result + '"';
}

std::string_view look_of(const picture_edge& edge) {
    if (edge.missing) return "color=\"#c02020\", fontcolor=\"#c02020\", style=dashed, penwidth=2.5";
    switch (edge.relation) {
        case step_relation::program_order: return "color=\"#808080\"";
        case step_relation::reads_from: return "color=\"#1a7f37\", fontcolor=\"#1a7f37\", penwidth=1.5";
        case step_relation::from_read: return "color=\"#c25100\", fontcolor=\"#c25100\", style=dashed";
        case step_relation::coherence: return "color=\"#8250df\", fontcolor=\"#8250df\", style=dotted, penwidth=1.5";
        case step_relation::happens_before: return "color=\"#0969da\", fontcolor=\"#0969da\", penwidth=1.5";
    }
    return "";
}

std::string node_text(const picture_node& node, std::size_t number) {
    std::string look;
    if (node.end || node.violation) look = ", color=\"#c02020\", penwidth=2.5";
    return fmt::format("    n{} [label={}{}];\n", number, quoted_lines(lines_of(node)), look);
}

std::string edge_text(const picture_edge& edge) {
    // Only program order decides what stands above what.
    const bool orders = edge.relation == step_relation::program_order && !edge.missing;
    return fmt::format("  n{} -> n{} [label={}, {}{}];\n", edge.from, edge.to, quoted(short_name(edge)), look_of(edge),
                       orders ? ", weight=10" : ", constraint=false");
}

}  // namespace

std::string dot_text(const execution_picture& of) {
    std::vector<std::string> head{of.title};
    head.insert(head.end(), of.captions.begin(), of.captions.end());
    std::string text = "digraph execution {\n";
    text += fmt::format("  graph [label={}, labelloc=t, fontname=\"sans-serif\", nodesep=0.8];\n", quoted_lines(head));
    text += "  node [shape=box, fontname=\"monospace\", fontsize=10];\n";
    text += "  edge [fontname=\"sans-serif\", fontsize=9];\n";
    for (std::size_t lane = 0; lane < of.lanes.size(); ++lane) {
        text += fmt::format("  subgraph cluster_{} {{\n    label={};\n    color=\"#a0a0a0\";\n", lane,
                            quoted(of.lanes[lane]));
        for (std::size_t i = 0; i < of.nodes.size(); ++i) {
            if (of.nodes[i].lane == lane) text += node_text(of.nodes[i], i);
        }
        text += "  }\n";
    }
    for (const picture_edge& edge : of.edges) text += edge_text(edge);
    return text + "}\n";
}

}  // namespace ordeal::detail
