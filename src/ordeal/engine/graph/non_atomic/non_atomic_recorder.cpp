// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/non_atomic/non_atomic_recorder.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/memory/coroutine_frames.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace ordeal::detail::graph {

namespace {

constexpr std::uint64_t most_non_atomic_steps = 5'000;

}  // namespace

const site* non_atomic_recorder::other_site(const byte_shadow::access& other, memory_range where) const {
    const auto found = std::ranges::find_if(noted_ | std::views::reverse, [&](const noted_access& each) {
        return each.thread_id == other.thread_id && each.writes == writes(other.how) && each.site != no_site &&
               overlap(each.where, where);
    });
    return found == noted_.rend() ? nullptr : &sites().at(found->site);
}

std::string non_atomic_recorder::place_of(const byte_shadow::access& other, memory_range where) const {
    const site* const at = other_site(other, where);
    return at == nullptr ? "" : " at " + at->key.file + ":" + std::to_string(at->key.line);
}

std::string non_atomic_recorder::operation_of(const byte_shadow::access& other, memory_range where) const {
    const bool atomic = other.how == byte_access::atomic_read || other.how == byte_access::atomic_write;
    const site* const at = atomic ? other_site(other, where) : nullptr;
    // Notifications, locks and the like.
    return at == nullptr || at->atomic ? "" : "the " + at->operation;
}

// An operation is recorded when its thread comes to it; the scheduler decides whether it is then performed.
void non_atomic_recorder::add_due(const byte_shadow::access& other, memory_range where) {
    const thread_state& thread = run_.of(other.thread_id);
    const bool atomic = other.how == byte_access::atomic_read || other.how == byte_access::atomic_write;
    if (!recorder_.on() || !atomic || other.thread_id == run_.thread_id) return;
    if (other.epoch <= thread.hb[other.thread_id]) return;
    const auto found = std::ranges::find_if(noted_ | std::views::reverse, [&](const noted_access& each) {
        return each.thread_id == other.thread_id && each.step == 0 && each.site != no_site &&
               overlap(each.where, where);
    });
    if (found == noted_.rend()) return;
    const harness_scope harness;
    ++run_.step;
    trace_step& entry = recorder_.add(nullptr, found->site, nullptr);
    entry.thread = other.thread_id - 1;
    entry.clock.clear();
    for (int thread_id = 1; thread_id <= run_.thread_ids->count(); ++thread_id)
        entry.clock.push_back(thread.hb[static_cast<std::size_t>(thread_id)]);
    entry.calls.clear();
    entry.object = names_.of(found->where);
    entry.address = found->where.address;
    entry.size = found->where.size;
    entry.access = found->writes ? step_access::write : step_access::read;
    entry.note = "is still to come";
    recorder_.meet(found->where.address, run_.step);
}

void non_atomic_recorder::add_access(std::uint64_t which, memory_range where, byte_access how,
                                     const code_location& at) {
    const harness_scope harness;
    if (!gets_step(which, where)) {
        if (overlap(where, window_.always)) add_noted(where, how, instrumented().site_of(at));
        return;
    }
    if (instrumented().is_foreign_global(where.address)) return;
    ++run_.step;
    const site_id site = instrumented().site_of(at);
    trace_step& entry = recorder_.add(at.operation, site, nullptr);
    entry.object = names_.of(where);
    entry.address = where.address;
    entry.size = where.size;
    recorder_.meet(where.address, run_.step);
    entry.access = writes(how) ? step_access::write : step_access::read;
    steps_.push_back({recorder_.steps().size() - 1, where});
    if (!writes(how)) {
        const auto from = std::ranges::find_if(noted_ | std::views::reverse, [&](const noted_access& each) {
            return each.writes && each.step != 0 && overlap(each.where, where);
        });
        if (from != noted_.rend()) entry.reads_from = from->step;
    }
    noted_.push_back({where, site, run_.step, static_cast<std::uint8_t>(run_.thread_id), writes(how)});
}

// An endless loop would fill the memory with steps.
bool non_atomic_recorder::gets_step(std::uint64_t which, memory_range where) noexcept {
    if (which - window_.begin < most_non_atomic_steps) return true;
    if (overlap(where, window_.always) && ++window_.steps_outside < most_non_atomic_steps) return true;
    window_.left_out = true;
    return false;
}

void non_atomic_recorder::keep_last(std::uint64_t of) {
    window_ = {.begin = of - std::min(of, most_non_atomic_steps - 1), .always = failed_};
}

void non_atomic_recorder::begin() noexcept {
    noted_.clear();
    steps_.clear();
    window_.steps_outside = 0;
    window_.left_out = false;
    failed_ = {};
}

void non_atomic_recorder::note_failed(memory_range where) {
    failed_ = where;
    if (recorder_.on()) add_noted(where, byte_access::read, no_site);
}

// A loop repeats the same accesses.
void non_atomic_recorder::add_noted(memory_range where, byte_access how, site_id site) {
    constexpr std::size_t most = 100'000;
    constexpr std::size_t looked_at = 8;
    if (noted_.size() >= most) return;
    const noted_access now{where, site, 0, static_cast<std::uint8_t>(run_.thread_id), writes(how)};
    const auto newest = noted_ | std::views::reverse | std::views::take(looked_at);
    if (std::ranges::find(newest, now) != newest.end()) return;
    const harness_scope harness;
    noted_.push_back(now);
}

// Whether more than one thread accessed some of the bytes.
bool non_atomic_recorder::is_shared(memory_range where) const {
    int only = -1;
    for (const noted_access& each : noted_) {
        if (!overlap(each.where, where) || each.thread_id == only) continue;
        if (only != -1) return true;
        only = each.thread_id;
    }
    return false;
}

// Of coroutines that are suspended now.
std::set<std::size_t> non_atomic_recorder::mark_last_suspensions() {
    std::set<std::size_t> result;
    std::set<std::uintptr_t> frames;
    for (const non_atomic_step& each : steps_ | std::views::reverse) {
        trace_step& step = recorder_.steps()[each.index];
        if (step.kind() != step_kind::suspend || !frames.insert(each.where.address).second) continue;
        if (!is_suspended_frame(reinterpret_cast<const void*>(each.where.address))) continue;
        step.note = trace_step::never_resumed_words;
        result.insert(each.index);
    }
    return result;
}

// Accesses to private bytes explain nothing, unless one is the violation, which is the last step, or the suspension of
// a coroutine that nobody ends.
void non_atomic_recorder::drop_private_steps(bool violated) {
    const auto suspensions = mark_last_suspensions();
    const trace& all = recorder_.steps();
    const auto is_violation = [&](std::size_t index) {
        return violated && index + 2 >= all.size() && all[index].where.key == all.back().where.key;
    };
    std::vector<bool> dropped(all.size());
    for (const non_atomic_step& each : steps_) {
        const bool shown = is_violation(each.index) || is_shared(each.where) || suspensions.contains(each.index);
        dropped[each.index] = !shown;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < recorder_.steps().size(); ++i) {
        if (dropped[i]) continue;
        if (kept != i) recorder_.steps()[kept] = std::move(recorder_.steps()[i]);
        ++kept;
    }
    recorder_.steps().resize(kept);
    steps_.clear();
}

}  // namespace ordeal::detail::graph
