// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small straight-line programs over a few atomic ints, mutexes and a semaphore, all 0 at the beginning: what the brute-force
// oracle and the engines both run.
#pragma once

#include "ordeal/runtime/order.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ordeal::model_tests::rc11 {

inline constexpr std::size_t max_threads = 4;  // only programs written by hand have more than three
inline constexpr std::size_t max_instructions = 8;
inline constexpr std::size_t max_locations = 3;  // atomics; after them come the mutexes, then the semaphore

inline constexpr int first_mutex = max_locations;
inline constexpr int semaphore = first_mutex + 2;
inline constexpr std::size_t max_objects = semaphore + 1;

inline constexpr int none = -1;

enum class operation : std::uint8_t {
    load,
    store,
    exchange,
    fetch_add,
    compare_exchange,
    fence,
    lock,
    try_lock,  ///< 1 or 0; never fails spuriously
    unlock,
    acquire,  ///< of the semaphore
    release,
};

/// One instruction. What it reads goes to its register, which has the instruction's number in its thread.
struct instruction {
    operation what = operation::load;
    int location = 0;
    order using_order = order::relaxed;
    order failure = order::relaxed;  ///< compare-exchange only
    int value = 0;                   ///< stored, exchanged, added or desired
    int expected = 0;                ///< compare-exchange only
    int source = none;               ///< a store: the register stored in place of `value`; a skipped one holds 0
    int guard = none;                ///< skipped unless this register holds guard_value
    int guard_value = 0;

    /// The same, done only if the register holds the value.
    [[nodiscard]] constexpr instruction when(int register_number, int value_wanted) const {
        instruction result = *this;
        result.guard = register_number;
        result.guard_value = value_wanted;
        return result;
    }

    bool operator==(const instruction&) const = default;
};

using thread_code = std::vector<instruction>;

struct program {
    std::vector<thread_code> threads;

    bool operator==(const program&) const = default;
};

[[nodiscard]] constexpr bool has_register(operation what) {
    return what < operation::fence ? what != operation::store : what == operation::try_lock;
}

[[nodiscard]] constexpr instruction load(int location, order how) {
    return {.what = operation::load, .location = location, .using_order = how};
}
[[nodiscard]] constexpr instruction store(int location, int value, order how) {
    return {.what = operation::store, .location = location, .using_order = how, .value = value};
}
[[nodiscard]] constexpr instruction store_register(int location, int source, order how) {
    return {.what = operation::store, .location = location, .using_order = how, .source = source};
}
[[nodiscard]] constexpr instruction exchange(int location, int value, order how) {
    return {.what = operation::exchange, .location = location, .using_order = how, .value = value};
}
[[nodiscard]] constexpr instruction fetch_add(int location, int value, order how) {
    return {.what = operation::fetch_add, .location = location, .using_order = how, .value = value};
}
[[nodiscard]] constexpr instruction compare_exchange(int location, int expected, int desired, order success,
                                                     order failure) {
    return {.what = operation::compare_exchange,
            .location = location,
            .using_order = success,
            .failure = failure,
            .value = desired,
            .expected = expected};
}
[[nodiscard]] constexpr instruction fence(order how) { return {.what = operation::fence, .using_order = how}; }

[[nodiscard]] constexpr instruction lock(int mutex) {
    return {.what = operation::lock, .location = mutex, .using_order = order::acquire};
}
[[nodiscard]] constexpr instruction try_lock(int mutex) {
    return {.what = operation::try_lock, .location = mutex, .using_order = order::acquire};
}
[[nodiscard]] constexpr instruction unlock(int mutex) {
    return {.what = operation::unlock, .location = mutex, .using_order = order::release};
}
[[nodiscard]] constexpr instruction acquire() {
    return {.what = operation::acquire, .location = semaphore, .using_order = order::acquire, .value = -1};
}
[[nodiscard]] constexpr instruction release() {
    return {.what = operation::release, .location = semaphore, .using_order = order::release, .value = 1};
}

/// The number of locations that the program names.
[[nodiscard]] std::size_t locations_of(const program& what);

/// Whether each unlock is of a mutex that its thread has, and none is left locked.
[[nodiscard]] bool gives_back_what_it_took(const program& what);

/// The registers of one thread; empty where the instruction was skipped or has none.
using register_file = std::array<std::optional<int>, max_instructions>;

/// "0:1,0|1:2,-|x=1,y=2": the registers of each thread ('-' when skipped) and the last value of each location.
[[nodiscard]] std::string outcome_text(const program& what, std::span<const register_file> registers,
                                       std::span<const int> values);

/// One line for each thread: "0: r0 = x.load(acquire); if (r0 == 1) y.store(r0, release)".
[[nodiscard]] std::string to_string(const program& what);

}  // namespace ordeal::model_tests::rc11
