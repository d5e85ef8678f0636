// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows whose program is data: it runs on the model's own types, is printed in reference-data/litmus.md, and goes to the brute-force
// oracle as it is.
#pragma once

#include "model_tests/litmus/litmus.hpp"

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

namespace ordeal::model_tests {

inline constexpr int x = 0;
inline constexpr int y = 1;
inline constexpr int z = 2;

[[nodiscard]] inline rc11::instruction read(int location, std::memory_order how = relaxed) {
    return rc11::load(location, from_std(how));
}
[[nodiscard]] inline rc11::instruction write(int location, int value, std::memory_order how = relaxed) {
    return rc11::store(location, value, from_std(how));
}
/// Stores what the instruction of that number, in the same thread, read.
[[nodiscard]] inline rc11::instruction copy(int location, int from, std::memory_order how = relaxed) {
    return rc11::store_register(location, from, from_std(how));
}
[[nodiscard]] inline rc11::instruction swap(int location, int value, std::memory_order how = relaxed) {
    return rc11::exchange(location, value, from_std(how));
}
[[nodiscard]] inline rc11::instruction add(int location, int value, std::memory_order how = relaxed) {
    return rc11::fetch_add(location, value, from_std(how));
}
[[nodiscard]] inline rc11::instruction cas(int location, int expected, int desired, std::memory_order success,
                                           std::memory_order failure) {
    return rc11::compare_exchange(location, expected, desired, from_std(success), from_std(failure));
}
[[nodiscard]] inline rc11::instruction fence(std::memory_order how) { return rc11::fence(from_std(how)); }

/// Both engines find these outcomes: the values read, in the order of the threads, '-' where an instruction was skipped;
/// then the last value of each location that more than one thread writes.
[[nodiscard]] litmus_row runs(std::string_view name, rc11::program text, const outcome_set& outcomes);

/// An outcome of `text` as its scenario or the oracle prints it, in the short form of the rows.
[[nodiscard]] std::string shortened(const rc11::program& text, const std::string& outcome);

/// "x=1; y.rel=1 ‖ y.acq; x"
[[nodiscard]] std::string short_text(const rc11::program& text);

/// The row's scenario, ready to be searched: only one row's is at a time.
[[nodiscard]] scenario scenario_of(const litmus_row& row);

/// Every outcome with one value of each column: {{0, 1}, {2}} gives 0,2 and 1,2.
[[nodiscard]] outcome_set all_of(std::initializer_list<std::initializer_list<int>> columns);

// What keeps Relacy from finding what C++20 allows, or has it find more.
inline constexpr difference modification_order{"Limit: modification order is the order of execution.",
                                               "modification order"};
inline constexpr difference executed_stores{"Limit: a load reads a store that has been executed; no load buffering.",
                                            "not every execution of the memory model"};
inline constexpr difference execution_order{
    "Limit: modification order is the order of execution, and a load reads a store that has been executed.",
    "modification order"};
inline constexpr difference seq_cst_order{"Limit: the order of seq_cst operations is the order of execution.",
                                          "not every execution of the memory model"};
inline constexpr difference both_orders{
    "Limit: modification order and the order of seq_cst operations are the order of execution.", "modification order"};
inline constexpr difference newest_failure{"Limit: a failing compare-exchange sees the newest value.",
                                           "a failing compare-exchange sees the newest value"};
inline constexpr difference continued_sequence{
    "Limit: Relacy lets a plain store continue the release sequence when the write before it is of the same thread.",
    "release sequence"};
inline constexpr difference fence_and_accesses{
    "False alarm: Relacy does not order seq_cst fences with seq_cst accesses.", "seq_cst fences and seq_cst accesses"};

}  // namespace ordeal::model_tests
