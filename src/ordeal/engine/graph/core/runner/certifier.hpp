// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which patterns of load buffering come to nothing because the later write depends on the earlier read.
//
// What is left out: patterns (R, W, S) whose thread, run on alone from R with what S writes, does not make W. Kang et
// al., "A Promising Semantics for Relaxed-Memory Concurrency", POPL 2017, call it certification that it does: a promise
// that is not certified may not be made. So dependencies are found by running, not by syntax.
//
// Why nothing is lost: docs/explanation/load-buffering.md.
#pragma once

#include "ordeal/engine/graph/core/runner/execution_runner.hpp"
#include "ordeal/engine/graph/core/state/certification.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ordeal::detail::graph {

/// Certifies what the runs of a search have met.
class certifier {
public:
    explicit certifier(execution_runner& runner) : runner_(runner) {}

    /// Of each promise that was met since: if it is certified, or nobody can tell, the search is told of its pattern.
    void certify_all();

private:
    /// Whether the thread makes the write if the read reads from S.
    enum class answer : std::uint8_t {
        made,  ///< or nobody can tell
        /// By the letter of C++20. But with some value of the read it makes another one, none, or goes another way to
        /// it, so the write depends on the read: no processor makes it before.
        made_by_letter,
        not_made,
    };

    [[nodiscard]] answer certify(const promise& asked);
    [[nodiscard]] answer find_out(const promise& asked);
    /// What comes of the run in which the read reads this.
    [[nodiscard]] certification run_with(const promise& asked, std::uint64_t value);

    execution_runner& runner_;
    std::unordered_map<std::uint64_t, answer> known_;  ///< by hash
};

}  // namespace ordeal::detail::graph
