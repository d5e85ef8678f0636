// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/snapshots/run_snapshots.hpp"

#include "ordeal/engine/process/memory_limit.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ordeal::detail::graph {

namespace {

// What it costs to run an event again, in bytes that are copied.
constexpr std::size_t bytes_for_event = std::size_t{8} << 10;
constexpr std::size_t least_events = 2;
// Code that does something else the next time is found by running it again: what a copy has is not. So a search begins
// with runs from the beginning, and some later ones are.
constexpr std::uint64_t first_whole_runs = 64;
constexpr std::uint64_t runs_for_whole_one = 256;

// For each run all events of its beginning are compared, so it is done in words.
bool same(const read_data& a, const read_data& b) noexcept {
    constexpr std::size_t compared = offsetof(read_data, result_unused) + sizeof(read_data::result_unused);
    static_assert(compared == 2 * sizeof(event_id) + 13, "there is nothing between the members");
    return std::memcmp(&a, &b, compared) == 0;
}

// The place of a write in coherence is no part of what its thread has done.
bool same_but_for_place(const event& a, const event& b) noexcept {
    if (a.kind() != b.kind() || a.where != b.where || a.index != b.index || a.thread_id != b.thread_id ||
        a.using_order != b.using_order)
        return false;
    switch (a.kind()) {
        case event_kind::read: return same(a.read(), b.read());
        case event_kind::write: return a.write().value == b.write().value && a.write().rmw == b.write().rmw;
        case event_kind::fence: return a.fence().spurious == b.fence().spurious;
        case event_kind::creation:
        case event_kind::allocation: return a.value() == b.value();
        case event_kind::arrival:
        case event_kind::beginning: break;
    }
    return true;
}

}  // namespace

void run_snapshots::shorten(std::size_t count) noexcept {
    while (count_ > count) {
        run_snapshot& last = *all_[--count_];
        bytes_ -= last.size();
        if (here_ == &last) here_ = last.before;
        for (thread_snapshot*& each : last.threads) release(each);
        if (last.shadow != nullptr)
            interpreter_.non_atomic_memory.shadow().release(std::exchange(last.shadow, nullptr));
    }
    if (count_ == 0) {
        for (thread_snapshot*& each : current_) release(each);
    }
}

void run_snapshots::release(thread_snapshot*& which) noexcept {
    if (which != nullptr && --which->users == 0) free_.push_back(which);
    which = nullptr;
}

run_snapshots::thread_snapshot* run_snapshots::fresh() {
    if (free_.empty()) {
        threads_.push_back(std::make_unique<thread_snapshot>());
        free_.reserve(threads_.size());
        return threads_.back().get();
    }
    thread_snapshot* const result = free_.back();
    free_.pop_back();
    return result;
}

void run_snapshots::save_threads(run_snapshot& to) {
    run_state& run = interpreter_.run;
    for (int thread_id = 0; thread_id <= run.thread_ids->count(); ++thread_id) {
        const auto index = static_cast<std::size_t>(thread_id);
        thread_snapshot*& current = current_[index];
        if (current == nullptr || run.changed[index]) {
            release(current);
            current = fresh();
            current->users = 1;
            current->state = run.of(thread_id);
            run.changed[index] = false;
        }
        to.threads[index] = current;
        ++current->users;
        interpreter_.fibers.save(thread_id, run.of(thread_id).is_alive(), to.bytes);
    }
}

void run_snapshots::restore_threads(run_snapshot& from) {
    run_state& run = interpreter_.run;
    for (int thread_id = 0; thread_id <= run.thread_ids->count(); ++thread_id) {
        const auto index = static_cast<std::size_t>(thread_id);
        thread_snapshot* const wanted = from.threads[index];
        if (wanted == nullptr) {  // the search did not know it then
            release(current_[index]);
            run.of(thread_id).begin(thread_status::absent);
            run.changed[index] = true;
            continue;
        }
        if (current_[index] != wanted || run.changed[index]) {
            run.of(thread_id) = wanted->state;
            ++wanted->users;
            release(current_[index]);
            current_[index] = wanted;
            run.changed[index] = false;
        }
        interpreter_.fibers.restore(thread_id, run.of(thread_id).is_alive(), from.bytes);
    }
}

void run_snapshots::keep(int thread_id, std::size_t waiting) {
    run_state& run = interpreter_.run;
    if (bytes_ > most_bytes_ || runs_ < first_whole_runs) return;
    const harness_scope harness;
    run.snapshot_due = run.executed + least_events;
    if (!states_compare()) return;
    if (count_ == 0) {
        model_ = run.model.which();
        most_bytes_ = memory_for_snapshots();
    }
    if (count_ == all_.size()) all_.push_back(std::make_unique<run_snapshot>());
    run_snapshot& to = *all_[count_++];
    to.before = here_;
    to.index = count_ - 1;
    const std::size_t before = here_ == nullptr ? 0 : here_->count;
    to.count = run.executed;
    here_ = &to;
    const auto& events = run.graph->events();
    to.events.assign(events.data() + before, events.data() + to.count);
    to.views.assign(run.views.data() + before, run.views.data() + to.count);
    to.waiting = waiting;
    to.thread_id = thread_id;
    to.adds = thread_id != main_thread_id && run.executed < run.graph->size();
    if (to.adds) to.kind = (*run.graph)[static_cast<event_id>(run.executed)].kind();
    to.steps = interpreter_.operation_accounting.steps_of_run();
    to.bytes.clear();
    run.save(to.bytes);
    if (interpreter_.memory_if_instrumented != nullptr) to.shadow = interpreter_.non_atomic_memory.save(to.bytes);
    run.objects.save(to.bytes);
    save_threads(to);
    save_execution(to.bytes);
    if (interpreter_.options.instrumented) instrumented().save(to.bytes);
    bytes_ += to.size();
    run.snapshot_due = run.executed + least_events + to.bytes.size() / bytes_for_event;
    const bool whole = to.bytes.complete() && !interpreter_.run_end.ended_at_accepted() &&
                       std::ranges::none_of(run.order(), [&](int each) { return run.of(each).speculated.active; });
    if (!whole) shorten(count_ - 1);
}

// Where a search begins to compare states, a run from the beginning does it from the beginning. Behind accepted
// violations runs do not go in one order.
bool run_snapshots::states_compare() const noexcept {
    const unsigned now = interpreter_.thread_visits.sites().learned();
    return now == learned_ && (now == 0 || interpreter_.options.accept.empty());
}

// The last events differ most.
bool run_snapshots::fits(const run_snapshot& which, const execution_graph& graph) noexcept {
    if (graph.size() < which.count + (which.adds ? 1 : 0)) return false;
    if (which.adds) {
        const event& next = graph[static_cast<event_id>(which.count)];
        if (next.thread_id != which.thread_id || next.kind() != which.kind) return false;
    }
    for (const run_snapshot* each = &which; each != nullptr; each = each->before) {
        const std::size_t first = each->count - each->events.size();
        for (std::size_t i = each->events.size(); i > 0; --i) {
            if (!same_but_for_place(each->events[i - 1], graph[static_cast<event_id>(first + i - 1)])) return false;
        }
    }
    return true;
}

// Views of events common to the current run and the snapshot are still valid.
void run_snapshots::restore_views(const run_snapshot& from) {
    views_table& views = interpreter_.run.views;
    views.resize(std::max(views.size(), from.count));
    const run_snapshot* there = here_;
    for (const run_snapshot* each = &from; each != there;) {
        if (there != nullptr && (each == nullptr || there->index > each->index)) {
            there = there->before;
        } else {
            std::ranges::copy(each->views,
                              views.begin() + static_cast<std::ptrdiff_t>(each->count - each->views.size()));
            each = each->before;
        }
    }
}

bool run_snapshots::resume(execution_graph& graph, std::size_t waiting, runtime& engine) {
    run_state& run = interpreter_.run;
    const unsigned learned = interpreter_.thread_visits.sites().learned();
    if (std::exchange(learned_, learned) != learned) drop();
    if (++runs_ <= first_whole_runs || runs_ % runs_for_whole_one == 0) return false;
    while (count_ > 1 && all_[count_ - 1]->waiting > waiting) shorten(count_ - 1);
    if (count_ == 0 || model_ != run.model.which() || !states_compare() ||
        (interpreter_.memory_if_instrumented != nullptr && interpreter_.non_atomic_memory.shadow().used_up())) {
        return false;
    }
    std::size_t newest = count_;
    while (newest > 0 && !fits(*all_[newest - 1], graph)) --newest;
    if (newest == 0) return false;
    run_snapshot& from = *all_[newest - 1];
    snapshot& bytes = from.bytes;
    bytes.rewind();
    restore_views(from);
    here_ = &from;
    run.restore(bytes);
    if (interpreter_.memory_if_instrumented != nullptr) interpreter_.non_atomic_memory.restore(from.shadow, bytes);
    run.objects.restore(bytes);
    restore_threads(from);
    restore_execution(bytes, engine);
    if (interpreter_.options.instrumented) instrumented().restore(bytes);
    run.go_on_along(graph);
    run.snapshot_due = run.executed + least_events + bytes.size() / bytes_for_event;
    if (from.thread_id != main_thread_id) {
        thread_state& asked = run.of(from.thread_id);
        asked.resumed_from_snapshot = true;
        asked.status = thread_status::ready;
        run.changed[static_cast<std::size_t>(from.thread_id)] = true;
    }
    interpreter_.operation_accounting.set_steps_of_run(from.steps);
    return true;
}

}  // namespace ordeal::detail::graph
