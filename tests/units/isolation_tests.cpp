// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the parent of a search gives it up.
#include "ordeal/engine/isolation.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <thread>

namespace {

// Is late: its time limit is over long before it ends. It beats, unless it hangs for that time.
class late_engine : public ordeal::engine {
public:
    explicit late_engine(bool beats) : beats_(beats) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "late"; }
    [[nodiscard]] std::size_t max_threads() const noexcept override { return 8; }
    [[nodiscard]] ordeal::search_result search(const ordeal::scenario&, const ordeal::search_options&,
                                               ordeal::search_progress& progress) override {
        using namespace std::chrono_literals;
        for (int i = 0; i < 100 || !beats_; ++i) {
            std::this_thread::sleep_for(5ms);
            if (beats_) progress.beats = progress.beats + 1;
        }
        ordeal::search_result result;
        result.verdict = ordeal::verdict::held_within;
        return result;
    }

private:
    bool beats_;
};

ordeal::search_result result_of(late_engine engine) {
    ordeal::scenario what;
    what.name = "late";
    const ordeal::search_job job{&what, &engine, {}};
    ordeal::search_result result;
    ordeal::run_isolated({&job, 1}, {}, {.jobs = 1, .hard_limit = 0.05}, {},
                         [&](std::size_t, const ordeal::search_result& ended) {
                             result = ended;
                             return false;
                         });
    return result;
}

}  // namespace

TEST_CASE("a search that is late and gets somewhere comes to its end by itself") {
    const ordeal::search_result result = result_of(late_engine(true));
    CAPTURE(result.message);
    CHECK(result.verdict == ordeal::verdict::held_within);
    CHECK_FALSE(result.kind);
}

TEST_CASE("a search that is late and hangs is a time-out") {
    CHECK(result_of(late_engine(false)).kind == ordeal::violation_kind::time_out);
}
