// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/picture/picture.hpp"

#include "ordeal/engine/trace_relations.hpp"
#include "ordeal/explain/step_words.hpp"
#include "ordeal/report/check_report.hpp"
#include "ordeal/report/value_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace ordeal::detail {

namespace {

constexpr std::string_view outside_name = "before and after";

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// A picture while it is put together. Steps are positions in the trace until the nodes are known.
class painter {
public:
    painter(const scenario& what, const search_result& result, const explanation& why)
        : what_(what), result_(result), why_(why), relations_(result.trace), nodes_(result.trace.size()) {}

    execution_picture paint() {
        picture_.title = what_.name + ": " +
                         (result_.verdict == verdict::violated ? words(result_) : "no violation in this execution");
        add_nodes();
        add_program_order();
        add_reads_from();
        add_coherence();
        for (const step_link& each : why_.links) {
            if (!each.missing) add_edge(each.from, each.to, each.relation);
        }
        add_missing();
        add_captions();
        return std::move(picture_);
    }

private:
    using step_position = std::size_t;

    [[nodiscard]] const trace& steps() const { return result_.trace; }

    // An explanation that shows no step at all, or is of another trace, folds none.
    void add_nodes() {
        const auto& letters = why_.letters;
        const bool folds = letters.size() == steps().size() &&
                           std::ranges::any_of(letters, [](const std::string& each) { return !each.empty(); });
        const std::vector<std::string> names = thread_names(what_, steps());
        std::map<int, std::size_t> lanes;
        for (step_position i = 0; i < steps().size(); ++i) {
            if (!folds || !letters[i].empty()) lanes.try_emplace(std::max(steps()[i].thread, -1), 0);
        }
        for (auto& [thread, lane] : lanes) {
            lane = picture_.lanes.size();
            picture_.lanes.push_back(thread < 0 ? std::string(outside_name) : names[static_cast<std::size_t>(thread)]);
        }
        for (step_position i = 0; i < steps().size(); ++i) {
            if (folds && letters[i].empty()) {
                ++left_out_;
                continue;
            }
            nodes_[i] = picture_.nodes.size();
            picture_.nodes.push_back(node_of(i, lanes.at(std::max(steps()[i].thread, -1)), folds ? letters[i] : ""));
        }
    }

    picture_node node_of(step_position at, std::size_t lane, const std::string& letter) {
        const trace_step& step = steps()[at];
        picture_node node;
        node.lane = lane;
        node.label = letter.empty() ? std::to_string(step.index) : letter;
        node.operation = access_words(step);
        node.detail = detail_of(step);
        if (step.where.key.line > 0) {
            node.place = fmt::format("{}:{}", file_name(step.where.key.file), step.where.key.line);
        }
        node.violation = step.is_violation();
        node.end = why_.first == at || why_.second == at;
        return node;
    }

    std::string detail_of(const trace_step& step) {
        std::string text = object_words(step);
        text += values_.change_by(step);
        if (step.stale) text += " (stale)";
        if (!step.note.empty() && !step.is_violation()) text += (text.empty() ? "" : ", ") + step.note;
        return text;
    }

    void add_edge(step_position from, step_position to, step_relation relation, bool missing = false,
                  const std::string& words = {}) {
        if (from >= nodes_.size() || to >= nodes_.size() || from == to) return;
        if (!nodes_[from] || !nodes_[to]) return;
        const picture_edge edge{*nodes_[from], *nodes_[to], relation, missing, words};
        const bool known = std::ranges::any_of(picture_.edges, [&](const picture_edge& other) {
            return other.from == edge.from && other.to == edge.to && other.relation == edge.relation &&
                   other.missing == missing;
        });
        if (!known) picture_.edges.push_back(edge);
    }

    void add_program_order() {
        std::map<std::size_t, std::size_t> last;
        for (std::size_t i = 0; i < picture_.nodes.size(); ++i) {
            const auto [before, first] = last.try_emplace(picture_.nodes[i].lane, i);
            if (first) continue;
            picture_.edges.push_back({before->second, i, step_relation::program_order});
            before->second = i;
        }
    }

    void add_reads_from() {
        for (step_position i = 0; i < steps().size(); ++i) {
            if (const auto source = relations_.source_of(i)) add_edge(*source, i, step_relation::reads_from);
        }
    }

    // Coherence, and from-read to the write that directly follows what was read. That of a read-modify-write to itself,
    // and coherence beside reads-from, say nothing new.
    void add_coherence() {
        std::map<std::pair<std::uint64_t, std::string>, std::map<std::uint32_t, step_position>> orders;
        const auto order_of = [&](const trace_step& step) -> auto& { return orders[{step.address, step.object}]; };
        for (step_position i = 0; i < steps().size(); ++i) {
            if (steps()[i].coherence) order_of(steps()[i])[*steps()[i].coherence] = i;
        }
        for (const auto& [object, order] : orders) {
            for (auto each = order.begin(); each != order.end(); ++each) {
                const auto next = std::next(each);
                if (next == order.end()) break;
                const bool also_read = steps()[next->second].reads_from == steps()[each->second].index;
                if (!also_read) add_edge(each->second, next->second, step_relation::coherence);
            }
        }
        for (step_position i = 0; i < steps().size(); ++i) {
            const trace_step& read = steps()[i];
            if (!trace_relations::reads_atomic(read)) continue;
            const auto order = orders.find({read.address, read.object});
            if (order == orders.end()) continue;
            const auto next = order->second.upper_bound(relations_.coherence_position_read(i));
            if (next != order->second.end()) add_edge(i, next->second, step_relation::from_read);
        }
    }

    void add_missing() {
        for (const step_link& each : why_.links) {
            if (!each.missing) continue;
            add_edge(each.from, each.to, each.relation, true, each.description);
            if (!each.description.empty()) missing_words_.push_back(each.description);
        }
    }

    void add_captions() {
        picture_.captions = why_.conclusion;
        for (std::string& each : missing_words_) picture_.captions.push_back("missing: " + std::move(each));
        if (left_out_ == 1) picture_.captions.emplace_back("1 step that is no cause is left out");
        if (left_out_ > 1)
            picture_.captions.push_back(fmt::format("{} steps that are no cause are left out", left_out_));
    }

    const scenario& what_;
    const search_result& result_;
    const explanation& why_;
    trace_relations relations_;
    std::vector<std::optional<std::size_t>> nodes_;  // by step
    value_names values_;
    execution_picture picture_;
    std::vector<std::string> missing_words_;
    std::size_t left_out_ = 0;
};

}  // namespace

execution_picture picture_of(const scenario& what, const search_result& result, const explanation& why) {
    return painter(what, result, why).paint();
}

std::span<const picture_format> picture_formats() {
    static constexpr std::array all{picture_format{"dot", "a graph for Graphviz", &dot_text},
                                    picture_format{"svg", "a drawing", &svg_text},
                                    picture_format{"mermaid", "a sequence diagram of Mermaid", &mermaid_text}};
    return all;
}

}  // namespace ordeal::detail
