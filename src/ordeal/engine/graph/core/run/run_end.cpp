// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/run/run_end.hpp"

#include "ordeal/engine/search_report.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/runtime/runtime_stack.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace ordeal::detail::graph {

void run_end::begin() noexcept {
    found_.reset();
    failing_ = abandoned_ = ended_at_accepted_ = ended_by_assumption_ = put_off_ = put_off_undefined_ = false;
}

void run_end::leave() noexcept {
    run_.executing = false;
    detail::active_instrumented_runtime = nullptr;
    end_execution();
}

void run_end::leave_fiber() {
    fibers_.suspend();
    std::abort();  // not reached: the fiber is never resumed
}

void run_end::abandon() {
    abandoned_ = true;
    leave_fiber();
}

// Whether the graph is an execution turns out when the source of its future read has been run. Until then the thread
// waits.
void run_end::put_off(violation_kind kind) {
    // Branches come before these; other violations are undefined behaviour wherever they are.
    constexpr std::array after_branches{violation_kind::failed_requirement, violation_kind::uncaught_exception,
                                        violation_kind::livelock, violation_kind::nondeterminism};
    put_off_ = true;
    put_off_undefined_ |= std::ranges::find(after_branches, kind) == after_branches.end();
    end_thread(blocked::by_acceptance{});
}

void run_end::judge_put_off(bool is_execution) {
    of_future_read_graph.violated |= is_execution;
    of_future_read_graph.diverged |= !is_execution && put_off_undefined_;
    abandon_run();
}

bool run_end::continues_after(violation_kind kind, site_id site) {
    const bool open = puts_off_violations && may_be_no_execution();
    put_off_ |= open;
    return open || accepted_.cover(kind, site);
}

bool run_end::is_before_future_source() const noexcept { return run_.executing && run_.some_future_read_is_open(); }

bool run_end::may_be_no_execution() const noexcept {
    if (!run_.executing || !run_.graph->future_reads) return false;
    return (run_.is_first_run_of_future_read_graph() && !run_.graph->known_consistent) ||
           run_.some_future_read_is_open();
}

// In a replay, what others do of the graph comes first, if it does not need this thread.
void run_end::show_future_sources() {
    thread_state& me = run_.self();
    // Nothing is suspended and resumed on the stack that handles non-atomic accesses.
    const bool may_suspend = runtime_stack_from(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0))).size == 0;
    if (run_.in_order || run_.on_main_thread() || !may_suspend || !run_state::at_end(me)) return;
    for (const event& each : run_.graph->events()) {
        const event_id source = each.future_source();
        while (source != initial_write && !run_.views[source].done) {
            me.awaited = source;
            me.status = thread_status::awaiting_rf;
            fibers_.suspend();
        }
    }
}

void run_end::order_arrivals() {
    search_facts_.order_of_arrivals = true;
    abandon();
}

void run_end::need_locks() {
    search_facts_.needs_locks = true;
    if (!search_facts_.elided_locks) return;
    search_facts_.order_of_sections = true;
    abandon();
}

void run_end::elide_lock() {
    search_facts_.elided_locks = run_.elided_locks = true;
    if (search_facts_.needs_locks) need_locks();
}

void run_end::fail(violation_kind kind, std::string_view message, site_id site, const at_fault& about) {
    if (run_.executing && run_.self().speculated.active)
        give_up_speculation();  // if the violation is real, the search will find it
    if (run_.elided_locks) need_locks();
    if (puts_off_violations && may_be_no_execution()) put_off(kind);
    if (is_before_future_source()) show_future_sources();
    if (accepted_.cover(kind, site)) end_at_accepted();
    failing_ = true;
    {
        const harness_scope harness;
        std::string text(message);
        ++run_.step;
        recorded_step last =
            recorder_.record(trace_step::violation_words, site, nullptr).note(violation_note(kind, text));
        if (about.where.size != 0) last.about(about.where, about.called, about.operation);
        if (!about.words.empty()) recorder_.places().failed(about.where, about.words);
        if (about.code.address != 0) recorder_.places().interrupted(run_.step, run_.thread_id, about.code);
        if (kind == violation_kind::uncaught_exception) recorder_.places().escaped(run_.step, run_.thread_id);
        found_ = violation{kind, std::move(text)};
    }
    leave();
    leave_fiber();
}

void run_end::end_at_accepted() {
    ended_at_accepted_ = true;
    end_thread(blocked::by_acceptance{});
}

void run_end::end_thread(const block_reason& why) {
    if (run_.on_main_thread()) {
        leave();
        leave_fiber();
    }
    run_.self().why = why;
    run_.self().status = thread_status::blocked;
    while (true) fibers_.suspend();
}

void run_end::end_by_assumption(site_id site) {
    if (run_.self().speculated.active) give_up_speculation();
    search_facts_.false_assumption = true;
    ended_by_assumption_ = run_.on_main_thread();
    recorder_.record(nullptr, site, nullptr).note("does not hold");
    end_thread(blocked::by_assumption{});
}

// Formats outside the heap on trial, where an injected failure may be pending.
void run_end::fail_about(const object& what, violation_kind kind, std::string_view happened, site_id site,
                         std::string_view operation) {
    std::string name;
    std::string message;
    {
        const harness_scope harness;
        name = what.name();
        recorder_.meet(what.where.address, run_.step + 1);
        message = name + " ";
        message += happened;
    }
    fail(kind, message, site, {.where = what.where, .words = name, .called = name, .operation = operation});
}

void run_end::fail_too_long(std::uint64_t limit, const char* of_what, site_id site) {
    std::string message;
    {
        const harness_scope harness;
        message = "an execution of more than " + std::to_string(limit) + " " + of_what;
    }
    fail(violation_kind::livelock, message, site);
}

void run_end::diverge(std::string_view how, site_id site) {
    run_.self().speculated.active = false;
    // The value of a racy read depends on which thread happens to run first.
    if (accepted_.some_race()) {
        note_limit(limit_for_differing_runs, no_site);
        abandon();
    }
    if (run_.is_first_run_of_future_read_graph() && run_.strategy->explores()) {
        of_future_read_graph.diverged = true;
        abandon();
    }
    fail(violation_kind::nondeterminism, how, site);
}

namespace {

// Empty for code without debug information.
std::string place_of(site_id site) {
    const site_key& where = sites().at(site).key;
    return where.file.empty() || where.line == 0 ? where.file : where.file + ":" + std::to_string(where.line);
}

}  // namespace

void run_end::refuse_run(std::string_view what, site_id site) {
    const harness_scope harness;
    search_facts_.refused = what;
    if (const std::string place = place_of(site); !place.empty()) search_facts_.refused += " (" + place + ")";
    search_facts_.refused += " is not supported";
}

void run_end::refuse(std::string_view what, site_id site) {
    run_.self().speculated.active = false;
    refuse_run(what, site);
    leave();
    leave_fiber();
}

void run_end::learn_mixed_sizes(memory_range all) {
    {
        const harness_scope harness;
        search_facts_.mixed[all.address] = all.size;
    }
    abandon();
}

void run_end::note_part_access(site_id site) {
    if (!search_facts_.part_access.empty()) [[likely]]
        return;
    const harness_scope harness;
    search_facts_.part_access = place_of(site);
    if (search_facts_.part_access.empty()) search_facts_.part_access = "an unknown place";
}

void run_end::give_up_speculation() {
    run_.self().speculated.active = false;
    const harness_scope harness;
    run_.graph->spurious_matters_next = static_cast<std::uint8_t>(run_.thread_id);
    run_.strategy->emit(*run_.graph);
    run_.graph->spurious_matters_next = 0;
    abandon();
}

bool run_end::conclude(violation_kind kind, std::string_view message) {
    const harness_scope harness;
    if (run_.elided_locks) search_facts_.order_of_sections = abandoned_ = true;
    if (abandoned_ || accepted_.cover(kind, no_site)) return false;
    found_ = violation{kind, std::string(message)};
    recorder_.conclude(kind, message, ++run_.step);
    return true;
}

void run_end::note_limit(std::string_view what, site_id site) {
    const harness_scope harness;
    search_facts_.add_limit(std::string(what), place_of(site));
}

}  // namespace ordeal::detail::graph
