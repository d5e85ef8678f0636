// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/runtime/state/virtual_time.hpp"

#include <time.h>

#include <cstdint>
#include <optional>

namespace ordeal::detail {
class snapshot;
}

namespace ordeal::detail::model_time {

// Time stands still for the code on trial, so that what it computes from the clock is the same in every execution. Only
// for a thread that sleeps has the longest of its sleeps passed from then on: so code that sleeps until some time gets
// there, and a loop that sleeps in each iteration returns to the same state. After a wait has timed out, the thread's
// clock has reached the limit. Random numbers are the same in every execution, too, and each thread has its own
// sequence.
//
// Where the runtime lets time pass (instrumented_runtime::time_passed), there is one time for all threads, and it is
// that.

/// Resets all clocks and random sequences.
void begin_execution() noexcept;
/// Resets those of one thread, as a new one has its id.
void begin_thread(int thread) noexcept;
/// Save and restore the clocks and random sequences of the current execution.
void save(snapshot& to);
void restore(snapshot& from);

/// The running thread's next random number, from 0 to 2^31 - 1, and the seed of its sequence.
[[nodiscard]] int next_random(const instrumented_runtime& runtime) noexcept;
void seed_random(const instrumented_runtime& runtime, unsigned seed) noexcept;

/// A hash of the threads' clocks and sequences, without the time that has passed in their waits.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

/// The time limit of a wait of the running thread; nothing if the time is invalid.
[[nodiscard]] std::optional<wait_timeout> limit_of(const instrumented_runtime& runtime, clockid_t clock,
                                                   const timespec& until) noexcept;

/// The point in time this long after the thread's current time.
[[nodiscard]] timespec after(const instrumented_runtime& runtime, clockid_t clock, const timespec& duration) noexcept;

/// Where time passes only when no thread can go on otherwise: the running thread goes on at the limit. Whether it does;
/// it may find then what it waits for.
[[nodiscard]] bool sleep_until(instrumented_runtime& runtime, const wait_timeout& limit, site_id site);

/// A wait of the running thread has timed out.
void come_to(const instrumented_runtime& runtime, const wait_timeout& limit) noexcept;
/// The same for a wait other than the runtime's condition_wait; may not return.
void time_out(instrumented_runtime& runtime, const wait_timeout& limit, site_id site);

/// Advances one thread's clock to that of another, which created it or which it has joined, if that is later.
void set_forward(int thread, int other) noexcept;

/// See instrumented_front_end.
[[nodiscard]] std::uint64_t time_of(int thread) noexcept;

/// The running thread's clock, see instrumented_front_end.
[[nodiscard]] virtual_clock clock() noexcept;
void set_clock(const virtual_clock& before) noexcept;

}  // namespace ordeal::detail::model_time
