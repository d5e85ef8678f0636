// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which patterns of load buffering are no promises because the later write depends on the earlier read.
//
// What is told as a matter of the letter of C++20: patterns (R, W, S) whose thread, run on alone from R with something
// else that R may read, does not make W, or goes another way to it. Kang et al., "A Promising Semantics for
// Relaxed-Memory Concurrency", POPL 2017, call it certification that it does: a promise that is not certified may not
// be made. So dependencies are found by running, not by syntax.
//
// Why no processor shows them: docs/explanation/load-buffering.md.
#pragma once

#include "ordeal/engine/graph/core/runner/execution_runner.hpp"
#include "ordeal/engine/graph/core/state/certification.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ordeal::detail::graph {

/// Certifies what the runs of a search have met.
class certifier {
public:
    explicit certifier(execution_runner& runner) : runner_(runner) {}

    /// Of each promise that was met since: the search is told of its pattern, unless it is certified and followed.
    void certify_all();

    /// The graphs with a future read since whose promises are certified, and the patterns that each is of.
    struct certified_graph {
        execution_graph graph;
        std::vector<lb_sites> patterns;
    };
    [[nodiscard]] std::vector<certified_graph> take_certified();

private:
    enum class answer : std::uint8_t {
        certified,
        unknown,  ///< nobody can tell
        depends,  ///< on the read: no processor makes the write before it
    };
    /// What comes of a run in which the read reads a given value.
    struct run_result {
        std::optional<promised_steps> steps;  ///< nothing: the thread has not made the write
        bool without_write = false;           ///< ...and goes on, or ends, without it
    };

    [[nodiscard]] answer certify(const promise& asked);
    [[nodiscard]] run_result run_with(const promise& asked, std::uint64_t value);

    execution_runner& runner_;
    std::unordered_map<std::uint64_t, answer> answers_;  ///< by promise::key; where promises are followed
};

}  // namespace ordeal::detail::graph
