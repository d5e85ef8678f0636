// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/run/strategy.hpp"
#include "ordeal/engine/search_options.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ordeal::detail::graph {

/// What was chosen in an execution, so that another one can be made with some of it.
struct decisions {
    /// A thread runs until it has done so many operations.
    struct segment {
        int thread_id = 0;
        std::uint64_t until = 0;
    };
    /// In its `operation`-th operation, from 1, a thread took another choice than the first.
    struct deviation {
        int thread_id = 0;
        std::uint64_t operation = 0;
        std::size_t taken = 0;
    };
    std::vector<segment> schedule;
    std::vector<deviation> deviations;
};

/// Keeps the decisions of an execution while they are made.
class decision_recorder {
public:
    void begin();
    /// The thread does its next operation.
    void note_thread(const runnable_thread& thread);
    /// That thread chooses in that operation.
    void note_choice(std::size_t taken);

    [[nodiscard]] const decisions& made() const noexcept { return made_; }
    [[nodiscard]] bool chose_thread() const noexcept { return !made_.schedule.empty(); }
    /// Its operations so far, the one now made included.
    [[nodiscard]] std::uint64_t operations() const noexcept { return made_.schedule.back().until; }

private:
    decisions made_;
};

/// Makes an execution by chance: which thread comes next is for the kinds of samplers to say. What a thread reads,
/// where a write comes in coherence, and what fails spuriously is what happens in practice, or with probability 1/N
/// something else; N is drawn for each execution from `unusual_in`, as there are bugs that need many stale reads and
/// bugs that need a single one. The same executions for the same seed.
class sampler : public strategy {
public:
    using clock = std::chrono::steady_clock;

    static constexpr std::array<unsigned, 2> unusual_in{2, 8};

    sampler(std::uint64_t seed, clock::time_point deadline)
        : strategy(kind::samples), random_(seed), deadline_(deadline) {}

    /// Before each execution.
    void begin();

    /// In the execution that was begun last.
    [[nodiscard]] const decisions& made() const noexcept { return recorder_.made(); }

    void emit(const execution_graph& /*revisit*/) override {}
    [[nodiscard]] bool is_over() override {
        return over_([this] { return must_stop(); });
    }
    /// Whether the search is over at this moment; is_over() looks at the clock now and then.
    [[nodiscard]] bool must_stop() const;
    std::size_t choose(std::size_t usual, std::size_t count) final;
    int choose_thread(std::span<const runnable_thread> threads) final;

protected:
    virtual void begin_execution() {}
    /// The index of one of them.
    [[nodiscard]] virtual std::size_t next_of(std::span<const runnable_thread> threads) = 0;
    [[nodiscard]] std::uint64_t below(std::uint64_t bound);
    [[nodiscard]] std::mt19937_64& random() noexcept { return random_; }

private:
    std::mt19937_64 random_;
    clock::time_point deadline_;
    unsigned unusual_in_ = unusual_in.front();  ///< in this execution
    rare_question over_;
    decision_recorder recorder_;
};

/// At each event every thread is equally likely.
class random_walk final : public sampler {
public:
    using sampler::sampler;

private:
    std::size_t next_of(std::span<const runnable_thread> threads) override { return below(threads.size()); }
};

/// Threads have random priorities, which are lowered at `depth - 1` events (PCT: Burckhardt, Kothari, Musuvathi,
/// Nagarakatte, ASPLOS 2010).
class priority_sampler final : public sampler {
public:
    priority_sampler(std::uint64_t seed, unsigned depth, clock::time_point deadline)
        : sampler(seed, deadline), depth_(depth) {}

private:
    void begin_execution() override;
    std::size_t next_of(std::span<const runnable_thread> threads) override;

    unsigned depth_;
    std::map<std::pair<int, unsigned>, std::uint64_t> priorities_;  ///< by id and predecessors; lowered: below `depth_`
    std::vector<std::uint64_t> changes_;                            ///< the events at which priorities are lowered
    std::uint64_t event_ = 0;
    std::uint64_t longest_ = 1;  ///< events of the longest execution so far
};

/// Each pending operation has a random priority, which is drawn anew when one that conflicts with it is done: partial
/// orders are sampled more evenly than by a random walk (POS: Yuan, Yang, Gu, CAV 2018).
class partial_order_sampler final : public sampler {
public:
    using sampler::sampler;

private:
    void begin_execution() override { priorities_.clear(); }
    std::size_t next_of(std::span<const runnable_thread> threads) override;

    std::unordered_map<int, std::uint64_t> priorities_;  ///< of each thread's pending operation
};

/// The operations at one address, drawn anew for each execution, are interleaved uniformly, by the number that each
/// thread has had before; all others as in a random walk (SURW: Zhao, Wolff, Mathur, Roychoudhury, ASPLOS 2025).
class selective_sampler final : public sampler {
public:
    using sampler::sampler;

private:
    void begin_execution() override;
    std::size_t next_of(std::span<const runnable_thread> threads) override;

    struct counts_of_thread {
        int creator = 0;
        std::unordered_map<std::uintptr_t, std::uint64_t> operations{};  ///< by address
    };
    void note_new(std::span<const runnable_thread> threads);
    void draw(std::span<const runnable_thread> threads);

    std::unordered_map<int, counts_of_thread> now_;
    std::unordered_map<int, counts_of_thread> before_;  ///< in the execution before
    std::uintptr_t selected_ = 0;
    std::unordered_map<int, std::uint64_t>
        left_;       ///< operations at the selected address, with those of threads to come
    int next_ = -1;  ///< whose operation at the selected address comes first
};

[[nodiscard]] std::unique_ptr<sampler> make_sampler(const search_strategy& how, sampler::clock::time_point deadline);

}  // namespace ordeal::detail::graph
