// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/fuzz/program.hpp"

#include "ordeal/runtime/violation.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <string>

namespace ordeal::model_tests::fuzz {

/// What some execution of a program comes to, by the text of the standard.
struct prediction {
    std::set<std::string> outcomes;
    std::set<violation_kind> violations;  ///< data race, deadlock, livelock
};

struct oracle_options {
    std::size_t limit = 30'000;  ///< partial executions met; beyond that there is no prediction
    /// The text lets try_acquire fail whatever the count. Without this it does so only where it can find a count of 0,
    /// as every implementation must let it.
    bool tries_fail_freely = true;
    bool atomic_exchanges = true;  ///< without, it is wrong: shows that a comparison would notice
};

/// By brute force: any thread may be next; a read takes its value from any write made so far, a write goes to any place
/// in the coherence order, and the axioms of RC11 say what is consistent. Locks, condition variables and semaphores are
/// objects whose operations have one order each, with what synchronises in it.
///
/// An iteration of a loop in which it finds nothing is left out: an execution without that read is as consistent, ends
/// the same, and has less happens-before. A loop stays for ever if the last write in coherence order does not let it
/// out.
[[nodiscard]] std::optional<prediction> predict(const program& what, const oracle_options& how = {});

}  // namespace ordeal::model_tests::fuzz
