// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs in which some threads run the same code, for the engine's search with symmetry.
#pragma once

#include "ordeal/runtime/order.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ordeal::model_tests::symmetric {

inline constexpr std::size_t max_threads = 6;
inline constexpr std::size_t max_locations = 2;

enum class operation : std::uint8_t {
    load,
    store,
    store_seen,  ///< what the thread read last, and one
    add,
    exchange,
    compare_exchange,
    compare_weakly,  ///< may fail spuriously
    try_critical,    ///< the same as `critical` by a try_lock, which may fail
    fence,
    critical,  ///< under the program's mutex: loads, stores one more
    own,       ///< on an atomic that the thread itself made: adds
    slot,      ///< on the element for this thread of an array that is there from the beginning: adds
    publish,   ///< stores which thread this is, and so which such atomic is its
    follow,    ///< loads, and adds to the atomic of the thread that was published
};

struct instruction {
    operation what = operation::load;
    std::size_t location = 0;
    std::uint64_t value = 1;
    std::uint64_t expected = 0;  ///< compare-exchange only
    order using_order = order::relaxed;
    bool guarded = false;  ///< left out when the thread read 0 last
};

using code = std::vector<instruction>;

struct program {
    std::vector<code> threads;
    std::vector<int> alike;  ///< the threads with the same code
};

/// What programs are made of, besides accesses to shared atomics.
struct shape {
    bool modifications = true;
    bool seq_cst = false;
    bool mutex = false;
    bool weak = false;  ///< compare-exchanges and try_locks that may fail spuriously
    bool own_atomics = false;
    bool slots = false;              ///< an element of an array for each thread
    bool published_atomics = false;  ///< threads go to atomics that others made
};

/// The random program of this seed, the same on every machine.
[[nodiscard]] program random_program(const shape& of, std::uint64_t seed);

[[nodiscard]] std::string to_string(const program& what);

/// A scenario that runs the program; refers to it. One at a time.
[[nodiscard]] scenario as_scenario(const program& what);

}  // namespace ordeal::model_tests::symmetric
