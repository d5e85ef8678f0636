// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/search/shrinking.hpp"

#include "ordeal/engine/graph/core/explorer/difficulty.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::detail::graph {

namespace {

// Operations of all further executions together.
constexpr std::uint64_t most_operations = 4'000'000;
constexpr std::uint64_t most_executions = 4'000;

/// Makes the execution that some decisions describe, and where they end or do not fit, one without preemptions and
/// without deviations.
class guided final : public strategy {
public:
    guided(const decisions& by, const std::function<bool()>& is_over)
        : strategy(kind::samples), by_(by), is_over_(is_over) {
        for (const decisions::deviation& each : by.deviations)
            deviations_.insert({{each.thread_id, each.operation}, each.taken});
    }

    void emit(const execution_graph& /*revisit*/) override {}
    [[nodiscard]] bool is_over() override { return over_(is_over_); }
    std::size_t choose(std::size_t /*usual*/, std::size_t count) override {
        if (count == 1) return 0;
        if (!recorder_.chose_thread()) return 0;
        const std::pair now{thread_id_, recorder_.operations()};
        const auto deviates = deviations_.lower_bound(now);
        std::size_t taken = 0;
        if (deviates != deviations_.end() && deviates->first == now) {
            taken = std::min(deviates->second, count - 1);
            deviations_.erase(deviates);
        }
        recorder_.note_choice(taken);
        return taken;
    }
    int choose_thread(std::span<const runnable_thread> threads) override {
        const auto find = [&](int thread_id) { return std::ranges::find(threads, thread_id, &runnable_thread::id); };
        auto chosen = threads.end();
        for (; next_ < by_.schedule.size(); ++next_) {
            chosen = find(by_.schedule[next_].thread_id);
            if (chosen != threads.end() && chosen->operations < by_.schedule[next_].until) break;
            chosen = threads.end();
        }
        if (chosen == threads.end()) chosen = find(thread_id_);
        if (chosen == threads.end()) chosen = threads.begin();
        thread_id_ = chosen->id;
        recorder_.note_thread(*chosen);
        return thread_id_;
    }

    [[nodiscard]] const decisions& made() const noexcept { return recorder_.made(); }

private:
    const decisions& by_;
    const std::function<bool()>& is_over_;
    rare_question over_;
    /// Each is for one choice. A wait is one operation, however often it reads: a stale read each time would keep it
    /// waiting for ever.
    std::multimap<std::pair<int, std::uint64_t>, std::size_t> deviations_;
    std::size_t next_ = 0;  ///< in the schedule
    int thread_id_ = 0;
    decision_recorder recorder_;
};

// Numbers and names of threads in a message are not what it says.
bool says_same(const std::string& left, const std::string& right) {
    const auto words_of = [](std::string text) {
        std::erase_if(text, [](unsigned char each) { return std::isdigit(each) != 0; });
        return text;
    };
    return words_of(left) == words_of(right);
}

bool is_same(const violation& now, const counterexample& before) {
    if (now.kind != before.kind) return false;
    // Of two threads that race or wait for each other, either may be the one that is said to.
    const bool by_words = now.kind == violation_kind::failed_requirement ||
                          now.kind == violation_kind::uncaught_exception || now.kind == violation_kind::crash;
    return !by_words || says_same(now.message, before.message);
}

class shrinker {
public:
    shrinker(execution_runner& runner, counterexample found, decisions made, const std::function<bool()>& is_over)
        : runner_(runner), best_(std::move(found)), made_(std::move(made)), is_over_(is_over) {}

    [[nodiscard]] counterexample shrink() {
        for (bool shrunk = true; shrunk && !ends();) {
            const std::uint64_t before = best_.difficulty;
            leave_out(&decisions::schedule);
            leave_out(&decisions::deviations);
            shrunk = best_.difficulty < before;
        }
        return std::move(best_);
    }

private:
    [[nodiscard]] bool ends() const {
        return executions_ >= most_executions || operations_ >= most_operations || is_over_();
    }

    // Parts of half the size, then of a quarter, down to single decisions.
    template <class Decision>
    void leave_out(std::vector<Decision> decisions::* which) {
        for (std::size_t length = (made_.*which).size(); length > 0; length /= 2) {
            for (std::size_t from = 0; from < (made_.*which).size() && !ends();) {
                decisions fewer = made_;
                std::vector<Decision>& of = fewer.*which;
                const std::size_t end = std::min(from + length, of.size());
                of.erase(of.begin() + static_cast<std::ptrdiff_t>(from), of.begin() + static_cast<std::ptrdiff_t>(end));
                if (!keeps(fewer)) from += length;
            }
        }
    }

    // Whether the violation is there, too, in no execution that is harder to read.
    [[nodiscard]] bool keeps(const decisions& with) {
        guided by(with, is_over_);
        execution_graph graph;
        const std::uint64_t before = runner_.interpreter().operation_accounting.total_steps();
        const ending ended = runner_.run(graph, by);
        ++executions_;
        operations_ += runner_.interpreter().operation_accounting.total_steps() - before;
        const std::optional<violation>& found = runner_.interpreter().run_end.found();
        if (ended != ending::violated || !found || !is_same(*found, best_)) return false;
        const std::uint64_t hard = difficulty(graph);
        const std::size_t size = by.made().schedule.size() + by.made().deviations.size();
        if (hard > best_.difficulty || size >= made_.schedule.size() + made_.deviations.size()) return false;
        best_ = {std::move(graph), found->kind, found->message, hard};
        made_ = by.made();
        return true;
    }

    execution_runner& runner_;
    counterexample best_;
    decisions made_;
    const std::function<bool()>& is_over_;
    std::uint64_t executions_ = 0;
    std::uint64_t operations_ = 0;
};

}  // namespace

counterexample shrink(execution_runner& runner, counterexample found, const decisions& made,
                      const std::function<bool()>& is_over) {
    return shrinker(runner, std::move(found), made, is_over).shrink();
}

}  // namespace ordeal::detail::graph
