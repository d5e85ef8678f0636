// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exhibit_table.hpp"

namespace ordeal::tests {

namespace {

using kind = violation_kind;

const std::vector race{kind::data_race};
// Which of the two ThreadSanitizer says depends on which came first, the access or the destruction.
const std::vector destruction{kind::unsynchronised_destruction, kind::use_after_free};
const std::vector after_free{kind::use_after_free};
const std::vector locks{kind::deadlock};

exhibit_on_real_threads reported(std::string_view scenario, const std::vector<kind>& kinds, std::string_view file,
                                 std::string_view line) {
    return {scenario, kinds, file, line, {}};
}

exhibit_on_real_threads not_visible(std::string_view scenario, std::string_view why) {
    return {scenario, {}, {}, {}, why};
}

const std::vector<exhibit_on_real_threads> table{
    reported("exhibit/bug_complete_without_acquire/complete_against_await", race, "task_scenarios.hpp",
             "co_await std::move(task)"),
    reported("exhibit/bug_complete_without_release/complete_against_await", race, "task_scenarios.hpp",
             "co_await std::move(task)"),
    reported("exhibit/bug_early_completion/poll_then_destroy", destruction, "bug_shapes_publication.cpp",
             "early_task<P> work()"),
    reported("exhibit/bug_next_after_resume/set_against_await", after_free, "bug_shapes_awaiter.cpp",
             "each = each->next.read()"),
    reported("exhibit/bug_relaxed_push_failure/payload", race, "bug_shapes_orders.cpp", "seen = payload.read()"),
    reported("exhibit/bug_relaxed_ready/set_against_take", race, "bug_shapes_libraries.cpp", "return value_.read()"),
    reported("exhibit/bug_touch_after_completion/complete", after_free, "bug_shapes_libraries.cpp",
             "completed_.write() = true"),
    reported("exhibit/bug_touch_after_publish/set_against_await", destruction, "bug_shapes_awaiter.cpp",
             "suspended_.write() = queued"),
    reported("exhibit/bug_two_notifiers/one_waiter", destruction, "bug_shapes_libraries.cpp", "newest->next_.read()"),
    reported("exhibit/control/data_race", race, "control_races.cpp", "value.write() = thread"),
    reported("exhibit/control/deadlock", locks, "control_races.cpp", "std::lock_guard inner"),
    reported("exhibit/control/unsynchronised_destruction", destruction, "control_races.cpp", "object->store(1"),
    reported("exhibit/control/use_after_free", after_free, "control_misuse.cpp", "seen = same->read()"),
    reported("exhibit/counted_promise_no_fence/complete_against_abandon", destruction, "counted_task.hpp",
             "from_address(frame).destroy()"),
    reported("exhibit/plain_bool/set_against_await", race, "plain_bool.cpp", "value_.write() = true"),
    reported("exhibit/promise_as_printed/complete_against_abandon", destruction, "state_words.hpp",
             "this->abandoned, std::memory_order_acquire)"),
    reported("exhibit/promise_cancelled_await/then_resumed", after_free, "promise_cancelled_await.cpp",
             "waiting.destroy()"),
    reported("exhibit/promise_cancelled_await/while_running", destruction, "promise_cancelled_await.cpp",
             "waiting.destroy()"),
    reported("exhibit/relaxed_flag/payload_when_ready", race, "relaxed_flag.cpp", "seen = payload.read()"),
    reported("exhibit/reset_baker/acknowledgement", race, "reset_scenarios.hpp", "payload.write() = 2"),
    reported("exhibit/reset_cppcoro/acknowledgement", race, "reset_scenarios.hpp", "payload.write() = 2"),
    reported("exhibit/reset_cppcoro/takeover", race, "reset_scenarios.hpp", "payload.write() = 2"),
    reported("exhibit/reset_libcoro/acknowledgement", race, "reset_scenarios.hpp", "payload.write() = 2"),

    not_visible("exhibit/bug_check_then_set/complete_against_await",
                "no race: a completion is lost, which ends in a failed requirement"),
    not_visible(
        "exhibit/bug_notify_after_publish/wait_then_free",
        "the library's notify_one uses the address of the atomic alone, so that what was freed is not accessed"),
    not_visible("exhibit/bug_stale_ticket/notify_against_wait", "no race: a wake-up is lost"),
    not_visible("exhibit/bug_take_without_fence/two_elements", "no race: an element is taken twice"),
    not_visible("exhibit/bug_unconditional_suspend/set_against_await", "no race: a wake-up is lost"),
    not_visible("exhibit/control/double_free", "its allocator does not report a second free"),
    not_visible("exhibit/control/failed_requirement", "no race: a wrong value"),
    not_visible("exhibit/control/frame_misuse", "one thread: the order of its own accesses is always known"),
    not_visible("exhibit/control/leak", "it does not look for leaks"),
    not_visible("exhibit/control/livelock", "no race: nothing moves"),
    not_visible(
        "exhibit/control/notification_after_destruction",
        "the library's notify_one uses the address of the atomic alone, so that what was freed is not accessed"),
    not_visible("exhibit/control/precondition", "its allocator does not tell an array from anything else"),
    not_visible("exhibit/control/uncaught_exception", "no race: an exception"),
    not_visible("exhibit/control/uninitialised_read", "it does not know which memory was written"),
    not_visible("exhibit/four_site_dekker/excludes", "no race: both threads enter"),
};

}  // namespace

std::span<const exhibit_on_real_threads> exhibit_table() { return table; }

}  // namespace ordeal::tests
