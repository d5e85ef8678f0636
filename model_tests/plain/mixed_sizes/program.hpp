// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small programs over one atomic object of two halves, of which each operation is on a half or on both. They are
// constants of fixed size: code on trial interprets them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ordeal::model_tests::mixed_sizes {

inline constexpr std::size_t max_threads = 3;
inline constexpr std::size_t max_instructions = 3;  // of one thread

enum class part : std::uint8_t { first, second, both };

enum class operation : std::uint8_t {
    load,
    store,
    exchange,
    compare_exchange,  ///< strong; expects 0
};

/// Of a load acquire, of a store release, of the others both.
enum class ordering : std::uint8_t { relaxed, acquire_release, seq_cst };

struct instruction {
    operation what = operation::load;
    part of = part::both;
    int value = 0;  ///< written, to each half of `both`
    ordering how = ordering::relaxed;
};

struct thread_code {
    std::array<instruction, max_instructions> at{};
    std::size_t size = 0;
};

struct program {
    std::array<thread_code, max_threads> threads{};
    std::size_t size = 0;
};

/// Both halves in one number.
[[nodiscard]] constexpr int number_of(int first, int second) { return first + 100 * second; }

/// What each instruction read, 0 for a store, by thread; and the halves at the end.
struct outcome {
    std::array<std::array<int, max_instructions>, max_threads> read{};
    int left = 0;
};
[[nodiscard]] inline std::string to_string(const outcome& what) {
    std::string text;
    for (const auto& thread : what.read) {
        for (const int each : thread) text += std::to_string(each) + ' ';
    }
    return text + std::to_string(what.left);
}

/// Which orders a random program has.
enum class orders : std::uint8_t { relaxed, acquire_release, seq_cst };

/// Two or three threads of one to three instructions. The same for the same seed, everywhere.
[[nodiscard]] program random_program(std::uint64_t seed, orders which);
/// A line for each thread.
[[nodiscard]] std::string to_string(const program& what);

/// That code on trial runs.
[[nodiscard]] const program& current_program();
void set_current_program(const program& what);

}  // namespace ordeal::model_tests::mixed_sizes
