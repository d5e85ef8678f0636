// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/explain/explanation.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// A step of an execution as a graph shows it.
struct picture_node {
    std::size_t lane = 0;    ///< into execution_picture::lanes
    std::string label;       ///< what the conclusion calls it, or its number
    std::string operation;   ///< "store release"
    std::string detail;      ///< "flag_ = 1"; may be empty
    std::string place;       ///< "task.hpp:75"; may be empty
    bool violation = false;  ///< where the violation was found; or one of its two ends
    bool end = false;

    bool operator==(const picture_node&) const = default;
};

/// Between two nodes, by their positions.
struct picture_edge {
    std::size_t from = 0;
    std::size_t to = 0;
    step_relation relation = step_relation::program_order;
    bool missing = false;       ///< the violation would not be there if this synchronised
    std::string description{};  ///< of a missing one: what it lacks

    bool operator==(const picture_edge&) const = default;
};

/// An execution graph, laid out by thread and time: what the pictures of all formats show.
struct execution_picture {
    std::string title;                  ///< the scenario, and how the execution ended
    std::vector<std::string> lanes;     ///< those with a step
    std::vector<picture_node> nodes;    ///< in the order of the trace
    std::vector<picture_edge> edges;    ///< program order, reads-from, from-read, coherence; the missing ones last
    std::vector<std::string> captions;  ///< the conclusion; what the missing ones lack; what was left out
};

/// Of the trace of a result: all steps that its explanation does not fold, or all if it shows none. What the trace does
/// not tell, the graph does not have: without step.coherence there is no coherence and no from-read but those of the
/// explanation.
[[nodiscard]] execution_picture picture_of(const scenario& what, const search_result& result, const explanation& why);

/// Graphviz: a cluster for each thread. Program order alone says what is above what.
[[nodiscard]] std::string dot_text(const execution_picture& of);

/// A drawing of its own, with nothing to load; colours follow the reader's choice of light or dark, and each relation
/// has a pattern of its own, too.
[[nodiscard]] std::string svg_text(const execution_picture& of);

/// A sequence diagram, which GitHub shows in a fenced block "mermaid".
[[nodiscard]] std::string mermaid_text(const execution_picture& of);

/// One of these.
struct picture_format {
    std::string_view name;   ///< "dot": the option is --dot
    std::string_view about;  ///< "a graph for Graphviz"
    std::string (*text)(const execution_picture& of);
};

/// All of them, in the order of the help.
[[nodiscard]] std::span<const picture_format> picture_formats();

/// "po", "rf", "fr", "co", "hb"; of a missing one "no sync"
[[nodiscard]] std::string_view short_name(const picture_edge& edge) noexcept;

/// Of a line of a node; one without a blank may be longer.
inline constexpr std::size_t most_characters = 44;

/// The lines of a node: "c: store release", "flag_ = 1", "task.hpp:75"; none is empty, and what is long is in several.
[[nodiscard]] std::vector<std::string> lines_of(const picture_node& node);

}  // namespace ordeal::detail
