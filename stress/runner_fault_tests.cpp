// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes wrong around the scenario, or with the whole process, is a verdict and never the end of the run.
#include "stress/runs.hpp"

#include "ordeal/engine/threads/thread_engine.hpp"
#include "ordeal/scenario/faults.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <catch2/catch.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <new>
#include <stdexcept>

using namespace ordeal;
using namespace ordeal::detail;
using namespace ordeal::stress_tests;
using Catch::Matchers::Contains;

namespace {

struct alone {
    static constexpr auto threads = std::array{"only"};
};

template <atomic_policy P>
struct crashes : alone {
    int* volatile nowhere = nullptr;
    void run(int) { *nowhere = 1; }
};

template <atomic_policy P>
struct exits : alone {
    void run(int) { std::_Exit(7); }
};

// Success by exit status is no success.
template <atomic_policy P>
struct exits_quietly : alone {
    void run(int) { std::_Exit(0); }
};

// Every other object is of interest. In the others the requirement fails, which is not judged.
template <atomic_policy P>
struct assumes_every_other : alone {
    bool odd = next_is_odd();
    static bool next_is_odd() {
        static int made = 0;
        return ++made % 2 != 0;
    }
    void run(int) {
        assume(!odd);
        require(!odd);
    }
    [[nodiscard]] const char* outcome() const { return odd ? "of no interest" : "of interest"; }
};

template <atomic_policy P>
struct sleeps : alone {
    void run(int) {
        for (;;) ::pause();
    }
};

template <atomic_policy P>
struct spins : alone {
    volatile bool on = true;
    void run(int) {
        while (on) {
        }
    }
};

template <atomic_policy P>
struct throws : alone {
    void run(int) { throw std::runtime_error("out of the scenario"); }
};

template <atomic_policy P>
struct recurses : alone {
    static int deeper(int depth) {
        volatile char room[1024] = {};
        room[static_cast<std::size_t>(depth) % sizeof room] = 1;
        return depth < 0 ? 0 : deeper(depth + 1) + room[0];
    }
    void run(int) { require(deeper(0) != -1); }
};

template <atomic_policy P>
struct counts {
    static constexpr auto threads = std::array{"left", "right"};
    typename P::template atomic<int> count{0};
    void run(int) { count.fetch_add(1, std::memory_order_relaxed); }
    void finish() { require(count.load(std::memory_order_relaxed) == 2); }
    [[nodiscard]] int outcome() { return count.load(std::memory_order_relaxed); }
};

// Called by name, so that no compiler leaves them out.
void* allocated() { return ::operator new(16); }
void freed(void* block) { ::operator delete(block); }

template <atomic_policy P>
struct survives_a_fault : alone {
    bool thrown = false;
    void run(int) {
        fail_allocation(2);
        void* const first = allocated();
        try {
            freed(allocated());
        } catch (const std::bad_alloc&) {
            thrown = true;
        }
        freed(first);
    }
    void finish() { require(thrown); }
};

template <atomic_policy P>
struct leaks_on_a_fault : alone {
    void run(int) {
        fail_allocation(2);
        void* const first = allocated();
        try {
            freed(allocated());
            freed(first);
        } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): first is forgotten
        }
    }
};

// Real threads in a process that has room for the stack of one of them.
class starved_engine final : public engine {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "starved"; }
    [[nodiscard]] std::size_t max_threads() const noexcept override { return 64; }
    [[nodiscard]] search_result search(const scenario& what, const search_options& how,
                                       search_progress& progress) override {
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        rlimit stack{};
        getrlimit(RLIMIT_STACK, &stack);
        const std::size_t usual = stack.rlim_cur == RLIM_INFINITY ? std::size_t{2} << 20 : stack.rlim_cur;
        const rlim_t room = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + usual + usual / 2;
        const rlimit limit{room, room};
        setrlimit(RLIMIT_AS, &limit);
        return thread_engine().search(what, how, progress);
    }
};

}  // namespace

TEST_CASE("a scenario that crashes, exits, hangs, throws or fills its stack gets a verdict, and the next one runs") {
    struct expected {
        scenario what;
        violation_kind kind;
    };
    const expected table[] = {
        {detail::describe<crashes>("fault/crashes"), violation_kind::crash},
        {detail::describe<exits>("fault/exits"), violation_kind::crash},
        {detail::describe<exits_quietly>("fault/exits_quietly"), violation_kind::crash},
        {detail::describe<sleeps>("fault/sleeps"), violation_kind::deadlock},
        {detail::describe<spins>("fault/spins"), violation_kind::deadlock},
        {detail::describe<throws>("fault/throws"), violation_kind::uncaught_exception},
        {detail::describe<recurses>("fault/recurses"), violation_kind::crash},
    };
    const scenario sound = detail::describe<counts>("fault/counts");
    std::vector<const scenario*> work;
    for (const expected& each : table) work.push_back(&each.what);
    work.push_back(&sound);
    const std::vector<search_result> results = run_each(work, samples(500, 1));
    for (std::size_t i = 0; i < std::size(table); ++i) {
        CAPTURE(table[i].what.name, results[i].message);
        CHECK(results[i].verdict == verdict::violated);
        CHECK(results[i].kind == table[i].kind);
    }
    CAPTURE(results.back().message);
    CHECK(results.back().verdict == verdict::held_within);
    CHECK(results.back().outcomes.at("2") == results.back().executions);
}

TEST_CASE("a thread that cannot be started makes the run inconclusive, with the reason") {
    const scenario what = detail::describe<counts>("fault/counts");
    const scenario* const only = &what;
    starved_engine starved;
    const search_result result = run_each({&only, 1}, starved, samples(500, 20)).front();
    CAPTURE(result.message);
    CHECK(result.verdict == verdict::inconclusive);
    CHECK_FALSE(result.complete);
    CHECK(result.executions == 0);
    CHECK_THAT(result.message, Contains("a thread could not be started"));
}

TEST_CASE("an execution in which an assumption does not hold goes on, and is not judged") {
    const scenario what = detail::describe<assumes_every_other>("fault/assumes");
    const scenario* const only = &what;
    const search_result result = run_each({&only, 1}, samples(512, 20)).front();
    CAPTURE(result.message);
    CHECK(result.verdict == verdict::held_within);
    REQUIRE(result.outcomes.size() == 1);
    CHECK(result.outcomes.at("of interest") == result.executions / 2);
}

TEST_CASE("faults are counted, and those survived are told from the others") {
    const scenario survives = detail::describe<survives_a_fault>("fault/survives");
    const scenario leaks = detail::describe<leaks_on_a_fault>("fault/leaks");
    const std::array<const scenario*, 2> work{&survives, &leaks};
    const std::vector<search_result> results = run_each(work, samples(512, 20));
    CHECK(results[0].verdict == verdict::held_within);
    CHECK(results[0].faults_injected == results[0].executions);
    CHECK(results[0].faults_survived == results[0].executions);
    CHECK(results[1].kind == violation_kind::leak);
    CHECK(results[1].faults_injected > 0);
    CHECK(results[1].faults_survived == 0);
}
