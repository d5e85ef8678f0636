// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/runner/certifier.hpp"

#include "ordeal/engine/search_report.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace ordeal::detail::graph {

namespace {

// The thread has used an address that the model has not given it, so what it does depends on what it has read.
bool is_of_an_address(violation_kind kind) noexcept {
    return kind == violation_kind::use_after_free || kind == violation_kind::use_after_scope ||
           kind == violation_kind::uninitialised_read;
}

}  // namespace

certifier::run_result certifier::run_with(const promise& asked, std::uint64_t value) {
    interpreter& interpreter = runner_.interpreter();
    interpreter.clear_stacks();
    certification asks(asked, value);
    execution_graph prefix = asked.prefix;
    silent_strategy replays(silent_strategy::adds_events::no);
    interpreter.run.certification = &asks;
    (void)runner_.run(prefix, replays);
    interpreter.run.certification = nullptr;
    const auto& violated = interpreter.run_end.found();
    const bool is_over = interpreter.run.of(asked.prefix[asked.read()].thread_id).status == thread_status::finished;
    const bool without_write = violated ? is_of_an_address(violated->kind) : is_over || asks.gave_up();
    return {asks.fulfilled(), !asks.fulfilled() && without_write};
}

// With what the read has read the thread does all that it did: so it is the read that makes a difference. If it does
// not, nobody can tell; nor if it does what this run is not for, such as waiting, or finds an assertion wrong.
certifier::answer certifier::certify(const promise& asked) {
    if (run_with(asked, asked.seen_value).steps != asked.steps) return answer::unknown;
    const auto depends = [&](const run_result& ran) {
        return ran.without_write || (ran.steps && !ran.steps->accesses_the_same(asked.steps));
    };
    if (asked.source_value != asked.seen_value) {
        const run_result with_source = run_with(asked, asked.source_value);
        if (!with_source.steps && !with_source.without_write) return answer::unknown;
        if (depends(with_source)) return answer::depends;
    }
    const auto makes_a_difference = [&](std::uint64_t value) { return depends(run_with(asked, value)); };
    return std::ranges::any_of(asked.others, makes_a_difference) ? answer::depends : answer::certified;
}

void certifier::certify_all() {
    interpreter& interpreter = runner_.interpreter();
    const std::vector<promise> met = interpreter.future_reads.take_promises();
    if (met.empty()) return;
    execution_observer* const watcher = runner_.set_observer(nullptr);
    search_facts found = interpreter.search_facts;
    for (const promise& each : met) {
        if (!each.explored && interpreter.future_reads.has_reported(each.sites)) continue;
        lb_sites pattern = each.sites;
        const answer is = stop_requested() ? answer::unknown : certify(each);
        interpreter.search_facts = found;  // what a run finds is nothing that an execution has
        pattern.only_by_letter |= is == answer::depends;
        if (each.explored) answers_[each.key] = is;
        if (each.explored && is == answer::certified && !pattern.only_by_letter) continue;
        if (interpreter.future_reads.report(pattern)) found = interpreter.search_facts;
    }
    runner_.set_observer(watcher);
}

std::vector<certifier::certified_graph> certifier::take_certified() {
    certify_all();
    std::vector<certified_graph> result;
    for (promise_revisit& each : runner_.interpreter().future_reads.take_promise_revisits()) {
        std::vector<lb_sites> patterns;
        for (const auto& [key, sites] : each.promises) {
            const auto found = answers_.find(key);
            if (found != answers_.end() && found->second == answer::certified) patterns.push_back(sites);
        }
        if (patterns.size() < each.promises.size()) continue;
        for (execution_graph& made : each.graphs) result.push_back({std::move(made), patterns});
    }
    return result;
}

}  // namespace ordeal::detail::graph
