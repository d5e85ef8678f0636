// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/runner/certifier.hpp"

#include "ordeal/runtime/state/hash.hpp"

#include <algorithm>
#include <utility>

namespace ordeal::detail::graph {

namespace {

/// Goes no further than to where the graph ends.
class way_to_end final : public strategy {
public:
    way_to_end() noexcept : strategy(kind::explores) {}
    void emit(const execution_graph& /*revisit*/) override {}
    [[nodiscard]] bool go_on() override { return false; }
};

std::uint64_t hash_of(const promise& asked) {
    std::uint64_t hash = 0;
    const auto add = [&](std::uint64_t number) { hash = hash_of_number(number, hash); };
    for (const event& each : asked.past.events()) {
        add(each.thread_id | std::uint64_t{each.index} << 8 | static_cast<std::uint64_t>(each.kind) << 32);
        add(each.where);
        add(each.kind == event_kind::read ? each.rf + (each.spurious ? std::uint64_t{1} << 32 : 0) : each.value);
        add(each.variant);
    }
    for (const promise::later_read& each : asked.later_reads) {
        add(each.where);
        add(each.value);
    }
    for (const std::uint64_t number : asked.others) add(number);
    for (const std::uint64_t number :
         {asked.read_value, asked.source_value, asked.where, asked.written, asked.way.hash()})
        add(number);
    return hash;
}

}  // namespace

certification certifier::run_with(const promise& asked, std::uint64_t value) {
    interpreter& interpreter = runner_.interpreter();
    // What calls of earlier runs have left on the stacks is no reason for a difference.
    for (int thread = 0; thread <= interpreter.thread_ids.count(); ++thread) interpreter.fibers.clear(thread);
    certification asks(asked, value);
    execution_graph past = asked.past;
    way_to_end way;
    interpreter.run.certified = &asks;
    (void)runner_.run(past, way);
    interpreter.run.certified = nullptr;
    return asks;
}

// With what the read has read the thread goes the way that it went: so it is the read that makes a difference. If it
// does not, nobody can tell.
certifier::answer certifier::find_out(const promise& asked) {
    if (run_with(asked, asked.read_value).fulfilled() != asked.way) return answer::made;
    bool depends = false;
    if (asked.source_value != asked.read_value) {
        const certification with_source = run_with(asked, asked.source_value);
        if (!with_source.fulfilled() && !with_source.gave_up()) return answer::not_made;
        depends = with_source.fulfilled() != asked.way;
    }
    const auto goes_another_way = [&](std::uint64_t value) { return run_with(asked, value).fulfilled() != asked.way; };
    return depends || std::ranges::any_of(asked.others, goes_another_way) ? answer::made_by_letter : answer::made;
}

certifier::answer certifier::certify(const promise& asked) {
    const std::uint64_t hash = hash_of(asked);
    const auto known = known_.find(hash);
    return known != known_.end() ? known->second : known_.emplace(hash, find_out(asked)).first->second;
}

void certifier::certify_all() {
    interpreter& interpreter = runner_.interpreter();
    const std::vector<promise> met = interpreter.graph_memory.take_promises();
    if (met.empty()) return;
    execution_observer* const watcher = runner_.set_observer(nullptr);
    const findings found = interpreter.findings;
    std::vector<buffered_sites> certified;
    for (const promise& each : met) {
        if (interpreter.graph_memory.has_met(each.sites)) continue;
        const answer says = certify(each);
        if (says == answer::not_made) continue;
        buffered_sites pattern = each.sites;
        pattern.only_in_cpp20 |= says == answer::made_by_letter;
        if (interpreter.graph_memory.has_met(pattern)) continue;
        interpreter.graph_memory.note_met(pattern);
        certified.push_back(pattern);
    }
    interpreter.findings = found;
    for (const buffered_sites& each : certified) interpreter.graph_memory.tell_of(each);
    runner_.set_observer(watcher);
}

}  // namespace ordeal::detail::graph
