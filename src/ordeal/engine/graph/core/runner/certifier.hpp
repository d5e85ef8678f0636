// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which patterns of load buffering are no promises because the later write depends on the earlier read.
//
// A pattern (R, W, S) is a promise of W by the thread of R. The thread is run on without others from R, with each other
// value that R may read. If it makes W by the same steps, whatever it reads, the promise is certified; if it does not,
// the pattern is reported as one that the letter of C++20 alone allows. So dependencies are found by running, not by
// syntax.
//
// Source: certification of Kang et al., "A Promising Semantics for Relaxed-Memory Concurrency", POPL 2017.
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

    /// Of each promise that was met since: reports its pattern, unless it is certified and explored.
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
    std::unordered_map<std::uint64_t, answer> answers_;  ///< by promise::key; where promises are explored
};

}  // namespace ordeal::detail::graph
