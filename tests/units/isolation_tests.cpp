// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the parent of a search gives it up.
#include "ordeal/engine/process/isolation.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>

namespace {

enum class late { ends, hangs, goes_on };

// Is late: its time limit is over long before it ends. It beats, unless it hangs for that time.
class late_engine : public ordeal::detail::engine {
public:
    explicit late_engine(late how) : how_(how) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "late"; }
    [[nodiscard]] std::size_t max_threads() const noexcept override { return 8; }
    [[nodiscard]] ordeal::detail::search_result search(const ordeal::scenario&, const ordeal::detail::search_options&,
                                                       ordeal::detail::search_progress& progress) override {
        using namespace std::chrono_literals;
        for (int i = 0; i < 100 || how_ != late::ends; ++i) {
            std::this_thread::sleep_for(5ms);
            if (how_ != late::hangs) progress.heartbeats = progress.heartbeats + 1;
        }
        ordeal::detail::search_result result;
        result.verdict = ordeal::detail::verdict::held_within;
        result.executions = 1;
        return result;
    }

private:
    late how_;
};

ordeal::detail::search_result result_of(late_engine engine) {
    ordeal::scenario what;
    what.name = "late";
    const ordeal::detail::search_job job{&what, &engine, {}};
    ordeal::detail::search_result result;
    ordeal::detail::run_isolated({&job, 1}, {}, {.jobs = 1, .hard_limit = 0.05}, {},
                                 [&](std::size_t, const ordeal::detail::search_result& ended) {
                                     result = ended;
                                     return false;
                                 });
    return result;
}

}  // namespace

TEST_CASE("a search that is late and gets somewhere comes to its end by itself") {
    const ordeal::detail::search_result result = result_of(late_engine(late::ends));
    CAPTURE(result.message);
    CHECK(result.verdict == ordeal::detail::verdict::held_within);
    CHECK_FALSE(result.kind);
}

TEST_CASE("a search that is late and hangs is a time-out") {
    CHECK(result_of(late_engine(late::hangs)).kind == ordeal::violation_kind::time_out);
}

TEST_CASE("a search that is late and goes on and on in one execution is inconclusive") {
    const ordeal::detail::search_result result = result_of(late_engine(late::goes_on));
    CHECK(result.verdict == ordeal::detail::verdict::inconclusive);
    CHECK(result.message.starts_with("an execution went on and on"));
}

namespace {

// Meets a violation, and goes on until its parent has been told.
class going_on_engine : public ordeal::detail::engine {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "going on"; }
    [[nodiscard]] std::size_t max_threads() const noexcept override { return 8; }
    [[nodiscard]] ordeal::detail::search_result search(const ordeal::scenario&, const ordeal::detail::search_options&,
                                                       ordeal::detail::search_progress& progress) override {
        using namespace std::chrono_literals;
        progress.executions = 3;
        ordeal::detail::note_found(progress, ordeal::violation_kind::leak);
        ordeal::detail::note_found(progress, ordeal::violation_kind::deadlock);  // not the first
        while (!ordeal::detail::stop_requested()) std::this_thread::sleep_for(1ms);
        ordeal::detail::search_result result;
        result.verdict = ordeal::detail::verdict::violated;
        result.kind = ordeal::violation_kind::leak;
        return result;
    }
};

// What is said of a search that goes on; it is stopped when something is, or after so many looks.
std::optional<ordeal::detail::noticed_violation> noticed(ordeal::detail::search_job& job, int looks) {
    going_on_engine engine;
    job.with = &engine;
    std::optional<ordeal::detail::noticed_violation> seen;
    std::uint64_t executions = 0;
    ordeal::detail::run_isolated({&job, 1}, {}, {.jobs = 1},
                                 [&](const ordeal::detail::isolation_progress& now) {
                                     if (now.running.size() == 1) executions = now.running.front().executions;
                                     if (!now.running.empty() && now.first) seen = now.first;
                                     return seen || (executions == 3 && looks-- == 0);
                                 },
                                 {});
    return seen;
}

}  // namespace

TEST_CASE("a violation is told while its search still goes on, and it is the first one") {
    ordeal::scenario what;
    what.name = "going on";
    ordeal::detail::search_job job{&what, nullptr, {}};
    const auto seen = noticed(job, 1000);
    REQUIRE(seen);
    CHECK(seen->kind == ordeal::violation_kind::leak);
    CHECK(seen->job == &job);
}

TEST_CASE("a violation that is expected, or of code that an audit changed, is not told before the report") {
    ordeal::scenario expected;
    expected.expected.violation = ordeal::violation_kind::leak;
    ordeal::detail::search_job job{&expected, nullptr, {}};
    CHECK_FALSE(noticed(job, 2));
    const ordeal::scenario what;
    ordeal::detail::search_job changed{&what, nullptr, {}};
    changed.how.mutant.overrides.emplace_back();
    CHECK_FALSE(noticed(changed, 2));
}

TEST_CASE("a search of no execution does not hold, whatever its engine says") {
    class empty_engine : public ordeal::detail::engine {
    public:
        explicit empty_engine(ordeal::detail::verdict says) : says_(says) {}
        [[nodiscard]] std::string_view name() const noexcept override { return "empty"; }
        [[nodiscard]] std::size_t max_threads() const noexcept override { return 8; }
        [[nodiscard]] ordeal::detail::search_result search(const ordeal::scenario&,
                                                           const ordeal::detail::search_options&,
                                                           ordeal::detail::search_progress&) override {
            ordeal::detail::search_result result;
            result.verdict = says_;
            result.limits = {"the search was ended after 0 executions"};
            return result;
        }

    private:
        ordeal::detail::verdict says_;
    };
    for (const ordeal::detail::verdict says : {ordeal::detail::verdict::held, ordeal::detail::verdict::held_within}) {
        empty_engine engine(says);
        ordeal::scenario what;
        what.name = "empty";
        const ordeal::detail::search_job job{&what, &engine, {}};
        ordeal::detail::search_result result;
        ordeal::detail::run_isolated({&job, 1}, {}, {}, {},
                                     [&](std::size_t, const ordeal::detail::search_result& ended) {
                                         result = ended;
                                         return false;
                                     });
        CHECK(result.verdict == ordeal::detail::verdict::inconclusive);
        CHECK(result.message == "no execution was followed to its end");
        CHECK(result.limits.size() == 1);
    }
}
