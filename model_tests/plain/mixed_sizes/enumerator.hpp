// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All executions of a small program over an object of two halves, tried one by one, from the definition of what a memory
// model allows where atomics are accessed in parts. It shares nothing with the engine.
//
// An execution is a total order of all writes, of whichever part, and for each read a position in that order. A store to
// a half leaves the other as it was: it writes what a read-modify-write would have left there.
#pragma once

#include "model_tests/plain/mixed_sizes/program.hpp"

#include <cstdint>
#include <set>
#include <string>

namespace ordeal::model_tests::mixed_sizes {

/// With one rule broken, to see that a comparison notices.
enum class broken : std::uint8_t {
    nothing,
    acquires_all_halves,           ///< a read synchronises with what wrote the other half, too
    stores_to_halves_continue,     ///< release sequences
    halves_are_coherent_together,  ///< a read of one half is no older than what is known of the other
    halves_are_not_coherent,       ///< a read may be older than what is known
};

/// The outcomes of sequential consistency.
[[nodiscard]] std::set<std::string> interleavings(const program& what);
/// The outcomes of RC11, if no operation is seq_cst.
[[nodiscard]] std::set<std::string> executions(const program& what, broken rule = broken::nothing);

}  // namespace ordeal::model_tests::mixed_sizes
