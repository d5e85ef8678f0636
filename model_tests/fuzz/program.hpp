// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small programs with control flow over everything that waits or orders. They are constants of fixed size: code on trial
// interprets them, and must find the same in each execution.
#pragma once

#include "ordeal/runtime/order.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::model_tests::fuzz {

inline constexpr std::size_t max_threads = 3;
inline constexpr std::size_t max_instructions = 8;  // of one thread
inline constexpr std::size_t atomics = 3;
inline constexpr std::size_t cells = 2;
inline constexpr std::size_t mutexes = 2;
inline constexpr int latch_count = 2;

inline constexpr int none = -1;

/// What an instruction does. "Until" ones loop in the code on trial, the others of one word are one operation.
enum class operation : std::uint8_t {
    // of an atomic int
    load,
    store,
    exchange,
    fetch_add,
    compare_exchange,
    compare_exchange_weak,
    load_until,         ///< a loop of loads until one gives `value`
    load_either_until,  ///< a loop that loads this one until `value`, then another until `expected`: 1 or 2
    exchange_until,     ///< a loop of weak compare-exchanges until one succeeds
    wait,               ///< while it holds `value`
    notify_one,
    notify_all,
    fence,  ///< of none
    // of a plain int
    read,
    write,
    // of a mutex. Here and below: what a thread has is not taken again, and what it has not, is not given back.
    lock,
    try_lock,
    lock_until,  ///< a loop of try_lock
    unlock,
    // of the shared mutex
    lock_shared,
    try_lock_shared,
    unlock_shared,
    lock_exclusive,
    try_lock_exclusive,
    unlock_exclusive,
    // of the condition variable with the first mutex; waits without that are left out
    condition_wait,
    condition_wait_until,  ///< while a cell does not hold `value`
    condition_wait_for,    ///< with a time limit: 1 when it came
    condition_notify_one,
    condition_notify_all,
    // of the semaphore, which begins at 0
    acquire,
    try_acquire,
    try_acquire_for,
    release,
    // of the latch
    count_down,
    await_count,
    try_await_count,
    // loops whose iterations write, and undo it
    poll_until,  ///< takes the mutex, looks whether cell `other` holds `value`, and gives the mutex back
    take_until,  ///< subtracts 1 from an atomic; adds it again, with the order `failure`, if there was nothing
    store_until,  ///< loads an atomic until it holds `value`, and until then stores `expected` to `other`, with `failure`
    // Allocation is not among these: which addresses come back is a choice of the search.
    // goes back to instruction `target`, `value` times at most
    again,
};

struct instruction {
    operation what = operation::load;
    order using_order = order::relaxed;
    order failure = order::relaxed;  ///< compare-exchanges
    bool unless = false;             ///< the guard must not hold its value
    std::int8_t object = 0;          ///< which of its kind; of a condition_wait_until the cell
    std::int8_t other = 0;           ///< load_either_until: the second atomic
    std::int8_t value = 0;           ///< stored, exchanged, added, desired, waited for
    std::int8_t expected = 0;
    std::int8_t source = none;  ///< store, write: the register stored in place of `value`; an empty one holds 0
    std::int8_t target = 0;
    std::int8_t guard = none;  ///< left out unless this register holds guard_value
    std::int8_t guard_value = 0;

    bool operator==(const instruction&) const = default;
};

struct thread_code {
    std::array<instruction, max_instructions> at{};
    std::size_t size = 0;

    bool operator==(const thread_code&) const = default;
};

struct program {
    std::array<thread_code, max_threads> threads{};
    std::size_t size = 0;

    bool operator==(const program&) const = default;
};

/// Register i holds what instruction i found last; `none`: nothing yet, or it finds nothing.
using register_file = std::array<int, max_instructions>;

[[nodiscard]] inline bool is_met(const instruction& what, const register_file& registers) {
    return what.guard == none || (registers[static_cast<std::size_t>(what.guard)] == what.guard_value) != what.unless;
}
[[nodiscard]] inline int stored_by(const instruction& what, const register_file& registers) {
    if (what.source == none) return what.value;
    const int held = registers[static_cast<std::size_t>(what.source)];
    return held == none ? 0 : held;
}

/// What the threads found and what is left: "0,-1|2|x=0,1,2 a=0,0". The same for code on trial and for the oracle.
[[nodiscard]] inline std::string outcome_text(const program& what, const std::array<register_file, max_threads>& found,
                                              const std::array<int, atomics + cells>& left) {
    std::string text;
    for (std::size_t thread = 0; thread < what.size; ++thread) {
        for (std::size_t i = 0; i < what.threads[thread].size; ++i) {
            const int value = found[thread][i];
            if (value < 0) {
                text += '-';
            } else {
                text += static_cast<char>('0' + value);
            }
        }
        text += '|';
    }
    for (const int value : left) text += static_cast<char>('0' + value);
    return text;
}

/// Whether the code on trial loops until something is so.
[[nodiscard]] bool is_loop(operation what);
/// Whether it has such a loop, or one inside an operation that waits.
[[nodiscard]] bool has_loops(const program& what);
/// Whether the policy has it.
[[nodiscard]] bool policy_has(operation what);
[[nodiscard]] bool policy_has(const program& what);

/// One line for each instruction: "store x value=1 order=release if=r0==1", after a line "thread".
[[nodiscard]] std::string to_string(const program& what);
/// Reads that again; lines that begin with '#' are left out. Says what is wrong by an exception.
[[nodiscard]] program parse(std::string_view text);

/// The program that code on trial interprets.
[[nodiscard]] const program& current_program();
void set_current_program(const program& what);

}  // namespace ordeal::model_tests::fuzz
