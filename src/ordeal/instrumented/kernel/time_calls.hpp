// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/runtime/state/virtual_time.hpp"

#include <time.h>

#include <cstdint>
#include <optional>

namespace ordeal {
class snapshot;
}

namespace ordeal::model_time {

// Time stands still for the code on trial: what it computes from the clock is the same in every execution. Only a thread
// that sleeps finds, from then on, that the longest of its sleeps has passed; so that code which sleeps until some time
// gets there, and a loop that sleeps in each turn comes back to the same state. And where a wait came to its limit, the
// thread finds that this has come. Random numbers are the same in every execution, too, and each thread has its own.

/// No thread has slept, or drawn a random number.
void begin_execution() noexcept;
/// All of this, of the execution that runs.
void save(snapshot& to);
void restore(snapshot& from);

/// The running thread's next one, from 0 to 2^31 - 1, and where its numbers begin.
[[nodiscard]] int next_random(const instrumented_runtime& runtime) noexcept;
void seed_random(const instrumented_runtime& runtime, unsigned seed) noexcept;

/// A hash of what threads have come to, but for the time that has passed in their waits.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

/// The limit of a wait of the running thread; nothing for one that is no time.
[[nodiscard]] std::optional<wait_timeout> limit_of(const instrumented_runtime& runtime, clockid_t clock,
                                                   const timespec& until) noexcept;

/// The point in time that comes so much after the thread's own.
[[nodiscard]] timespec after(const instrumented_runtime& runtime, clockid_t clock, const timespec& duration) noexcept;

/// A wait of the running thread has come to its limit.
void come_to(const instrumented_runtime& runtime, const wait_timeout& limit) noexcept;
/// The same for one that is no runtime's condition_wait, which may not return.
void time_out(instrumented_runtime& runtime, const wait_timeout& limit, site_id site);

/// For one thread it is at least as late as for the other, which it was created by or has joined.
void set_forward(int thread, int other) noexcept;

/// As instrumented_front_end has it.
[[nodiscard]] std::uint64_t time_of(int thread) noexcept;

/// The running thread's, as instrumented_front_end has it.
[[nodiscard]] virtual_clock clock() noexcept;
void set_clock(const virtual_clock& before) noexcept;

}  // namespace ordeal::model_time
