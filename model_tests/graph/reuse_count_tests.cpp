// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs that allocate and free: the executions of a search against those that there must be. What is allocated
// decides nothing in them, so each execution without reuse stands for one of each way to give the blocks that were freed to
// allocations that they happen before. Loads acquire and stores release: happens-before is program order and reads-from.
// ORDEAL_SEED and ORDEAL_PROGRAMS in the environment choose other programs, and more of them.
#include "model_tests/graph/graph_search.hpp"
#include "model_tests/graph/random_seed.hpp"

#include "ordeal/engine/graph/core/explorer/graph_text.hpp"
#include "ordeal/engine/graph/core/explorer/work_stack.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

using graph::event;
using graph::event_id;
using graph::event_kind;
using graph::execution_graph;

enum class step : std::uint8_t { load, store, allocate, free };

struct instruction {
    step what;
    std::size_t where = 0;  // an atomic, or which size
};

using thread_code = std::vector<instruction>;
using code = std::vector<thread_code>;

constexpr std::array<std::size_t, 2> sizes{16, 48};

const code* running = nullptr;

// Each thread frees the block that it allocated last; those that are left go at the end.
struct interpreter {
    std::array<model_policy::atomic<int>, 2> atomics{};
    std::array<std::vector<void*>, 3> blocks;

    interpreter() {
        // Nothing that the harness or a container allocates may be one of the blocks that are counted.
        for (auto& each : blocks) each.reserve(64);
    }
    interpreter(const interpreter&) = delete;
    interpreter& operator=(const interpreter&) = delete;
    ~interpreter() {
        for (auto& each : blocks) {
            for (void* const block : each) ::operator delete(block);
        }
    }
    void run(std::size_t thread) {
        std::vector<void*>& own = blocks[thread];
        for (const instruction& each : (*running)[thread]) {
            switch (each.what) {
                case step::load: (void)atomics[each.where].load(std::memory_order_acquire); break;
                case step::store: atomics[each.where].store(1, std::memory_order_release); break;
                case step::allocate: own.push_back(::operator new(sizes[each.where])); break;
                case step::free:
                    ::operator delete(own.back());
                    own.pop_back();
                    break;
            }
        }
    }
};

scenario scenario_of(const code& what) {
    running = &what;
    scenario result;
    result.name = "a random program that allocates";
    for (std::size_t i = 0; i < what.size(); ++i) result.threads.push_back(std::to_string(i));
    result.model = {
        .size = sizeof(interpreter),
        .alignment = alignof(interpreter),
        .construct = [](void* storage) { ::new (storage) interpreter; },
        .run = [](void* object,
                  int thread) { static_cast<interpreter*>(object)->run(static_cast<std::size_t>(thread)); },
        .finish = [](void* /*object*/) {},
        .outcome = [](void* /*object*/) { return std::string(); },
        .destroy = [](void* object) { static_cast<interpreter*>(object)->~interpreter(); },
    };
    return result;
}

code random_code(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    code result(2 + below(2));
    for (thread_code& each : result) {
        const std::size_t length = 2 + below(result.size() == 2 ? 5 : 3);
        std::vector<std::size_t> live;
        while (each.size() < length) {
            auto what = static_cast<step>(below(4));
            if (what == step::free && live.empty()) what = step::allocate;
            const std::size_t where = below(4) == 0 ? 1 : 0;
            each.push_back({what, where});
            if (what == step::allocate) live.push_back(where);
            if (what != step::free) continue;
            each.back().where = live.back();
            live.pop_back();
        }
    }
    return result;
}

std::string to_text(const code& what) {
    std::string text;
    for (const thread_code& each : what) {
        if (!text.empty()) text += " | ";
        for (const instruction& one : each) {
            text += fmt::format("{}{} ", "lsaf"[static_cast<std::size_t>(one.what)], one.where);
        }
    }
    return text;
}

struct exploration {
    std::size_t executions = 0;
    std::set<std::string> texts;
    bool bounded = false;
    std::vector<execution_graph> graphs;
};

exploration explore(const code& what, unsigned reuse) {
    const scenario body = scenario_of(what);
    graph::execution_runner runner(body, {.reuse = reuse});
    graph::work_stack work;
    execution_graph graph;
    exploration result;
    for (work.emit({}); !work.empty();) {
        work.take(graph);
        const graph::ending end = runner.run(graph, work);
        if (runner.interpreter().run_end.found()) FAIL(runner.interpreter().run_end.found()->message);
        if (end != graph::ending::complete) continue;
        ++result.executions;
        result.texts.insert(graph::to_text(graph));
        if (reuse == 0) result.graphs.push_back(graph);
    }
    result.bounded = runner.interpreter().search_facts.reuse_bound || runner.interpreter().search_facts.block_bound;
    return result;
}

// A place in the code: which instruction of which thread.
struct place {
    std::size_t thread;
    std::size_t index;
};

// Whether `a` happens before `b`, by walking back from `b`.
class order_of {
public:
    order_of(const code& what, const execution_graph& graph) {
        std::vector<place> places;
        std::vector<std::size_t> next(what.size(), 0);
        for (const event& each : graph.events()) {
            std::size_t& index = next[each.thread_id - std::size_t{1}];
            const thread_code& own = what[each.thread_id - std::size_t{1}];
            while (own[index].what == step::allocate || own[index].what == step::free) ++index;
            places.push_back({each.thread_id - std::size_t{1}, index++});
        }
        rf_.resize(what.size());
        for (std::size_t i = 0; i < what.size(); ++i) rf_[i].resize(what[i].size(), {none, 0});
        for (std::size_t id = 0; id < graph.size(); ++id) {
            const event& each = graph[static_cast<event_id>(id)];
            if (!each.reads_event()) continue;
            rf_[places[id].thread][places[id].index] = places[each.read().rf];
        }
    }
    [[nodiscard]] bool before(const place& a, const place& b) const {
        if (a.thread == b.thread && a.index < b.index) return true;
        for (std::size_t i = 0; i < b.index; ++i) {
            const place& rf = rf_[b.thread][i];
            if (rf.thread == none) continue;
            if ((rf.thread == a.thread && rf.index > a.index) || before(a, rf)) return true;
        }
        return false;
    }

private:
    static constexpr std::size_t none = ~std::size_t{0};
    std::vector<std::vector<place>> rf_;
};

// Ways to give each allocation from `from` on fresh memory or one of the blocks that are left.
std::size_t ways(const std::vector<std::vector<std::size_t>>& choices, std::size_t from, std::set<std::size_t>& taken,
                 unsigned most) {
    if (from == choices.size()) return 1;
    std::size_t sum = ways(choices, from + 1, taken, most);
    if (most == 0) return sum;
    for (const std::size_t block : choices[from]) {
        if (!taken.insert(block).second) continue;
        sum += ways(choices, from + 1, taken, most - 1);
        taken.erase(block);
    }
    return sum;
}

std::size_t expected(const code& what, const execution_graph& graph, unsigned most) {
    std::vector<place> frees;
    std::vector<place> allocations;
    for (std::size_t thread = 0; thread < what.size(); ++thread) {
        for (std::size_t index = 0; index < what[thread].size(); ++index) {
            if (what[thread][index].what == step::free) frees.push_back({thread, index});
            if (what[thread][index].what == step::allocate) allocations.push_back({thread, index});
        }
    }
    const order_of happens(what, graph);
    std::vector<std::vector<std::size_t>> choices;
    for (const place& each : allocations) {
        std::vector<std::size_t>& blocks = choices.emplace_back();
        for (std::size_t i = 0; i < frees.size(); ++i) {
            const bool fits = what[frees[i].thread][frees[i].index].where == what[each.thread][each.index].where;
            if (fits && happens.before(frees[i], each)) blocks.push_back(i);
        }
    }
    std::set<std::size_t> taken;
    return ways(choices, 0, taken, most);
}

}  // namespace

TEST_CASE("Random programs have one execution for each way to allocate again what was freed") {
    const std::uint64_t first = rc11::first_seed();
    const std::uint64_t count = rc11::from_environment("ORDEAL_PROGRAMS", 300);
    std::size_t with_a_choice = 0;
    std::size_t in_other_threads = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const code what = random_code(seed);
        const exploration base = explore(what, 0);
        if (base.executions > 2'000) continue;
        for (const unsigned most : {1U, 2U, 9U}) {
            std::size_t sum = 0;
            for (const execution_graph& each : base.graphs) sum += expected(what, each, most);
            const exploration found = explore(what, most);
            INFO(fmt::format("ORDEAL_SEED={} ORDEAL_PROGRAMS=1: {}, {} times", seed, to_text(what), most));
            if (found.bounded && most == 9) continue;  // more than four blocks at once
            REQUIRE(found.executions == sum);
            REQUIRE(found.texts.size() == sum);
            with_a_choice += sum > base.executions ? 1 : 0;
            for (const std::string& text : found.texts) {
                in_other_threads += text.find("amb") != std::string::npos || text.find("bma") != std::string::npos;
            }
        }
    }
    CAPTURE(first, count, with_a_choice, in_other_threads);
    if (count >= 100) CHECK(with_a_choice >= count / 10);
    if (count >= 100) CHECK(in_other_threads > 0);
}

}  // namespace ordeal::model_tests
