// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/graph/program.hpp"

#include <cstddef>
#include <cstdint>

namespace ordeal::model_tests::rc11 {

/// How much of something a random program has.
enum class share : std::uint8_t { none, some, most };

/// What random programs are made of.
struct program_shape {
    std::size_t threads = 2;       ///< exactly
    std::size_t locations = 2;     ///< at most
    std::size_t instructions = 4;  ///< at most, in each thread
    share modifications = share::some;
    share fences = share::some;
    share seq_cst = share::some;  ///< of the orders
};

/// The random program of this seed, the same on every machine.
[[nodiscard]] program random_program(const program_shape& shape, std::uint64_t seed);

/// One with locks around some of its operations, and a semaphore now and then.
struct locking_shape {
    std::size_t threads = 2;       ///< exactly
    std::size_t instructions = 5;  ///< about as many in each thread; an unlock may come after them
    int mutexes = 1;
    bool tries = false;
    bool semaphore = false;
    program_shape inside{};  ///< operations and orders of the rest
};
[[nodiscard]] program random_locking_program(const locking_shape& shape, std::uint64_t seed);

/// The program with some orders, operations and locations changed at random: nearer to what a memory model is about
/// than a program that is random altogether.
[[nodiscard]] program random_variation(const program& of, std::uint64_t seed, share seq_cst = share::some);

}  // namespace ordeal::model_tests::rc11
