// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs with loops that poll several atomics, often from one place of the source: any of them, all of them, in
// turns, slots to take, loops in loops.
#pragma once

#include "model_tests/graph/loop_comparison.hpp"

#include "ordeal/runtime/order.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ordeal::model_tests::polling {

inline constexpr std::size_t locations = 3;
inline constexpr std::size_t most_threads = 3;
inline constexpr std::size_t most_instructions = 3;

enum class operation : std::uint8_t {
    load,
    store,
    add,
    fence,
    any_of,     ///< looks at each in turn until one has the value
    in_turns,   ///< the same, but a variable says which one is next
    all_of,     ///< begins again at the first that has another value
    differ,     ///< until the first two have different values
    take_slot,  ///< exchanges the first that has the value
    take_slot_weakly,
    nested,  ///< a loop that waits for the first, in one that looks at the others
};

/// What a loop does after an iteration that did not end it.
enum class pause : std::uint8_t { none, yield, yield_each_second, look_elsewhere_each_third };

struct instruction {
    operation what = operation::load;
    std::vector<std::size_t> where;  ///< locations
    std::uint64_t value = 1;         ///< stored, added or waited for
    order using_order = order::relaxed;
    pause between = pause::none;
    bool one_place = true;  ///< all locations are looked at by one operation of the source

    [[nodiscard]] bool is_loop() const noexcept { return what >= operation::any_of; }
};

using program = std::vector<std::vector<instruction>>;

[[nodiscard]] program any_program(std::uint64_t seed, std::size_t threads, std::size_t instructions);

/// All its loops end, whatever the executions.
[[nodiscard]] program right_program(std::uint64_t seed, std::size_t threads);

/// The same of loops that take slots.
[[nodiscard]] program right_slots(std::uint64_t seed, std::size_t threads);

[[nodiscard]] std::string to_string(const program& what);

/// There is one such scenario at a time; the program has to live on.
[[nodiscard]] scenario as_scenario(const program& what, looking how);

}  // namespace ordeal::model_tests::polling
