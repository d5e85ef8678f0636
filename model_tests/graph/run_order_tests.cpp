// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run of a graph does everything in the order in which the run did it that made the graph. Else states of threads that are
// compared would be those of other moments.
#include "model_tests/graph/graph_search.hpp"
#include "model_tests/graph/numbered_site.hpp"

#include "ordeal/engine/graph/core/explorer/graph_text.hpp"
#include "ordeal/engine/graph/core/explorer/work_stack.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

// What threads have done, in the order in which they did it. Of this the engine sees nothing.
std::vector<std::string>& done() {
    static std::vector<std::string> all;
    return all;
}

void note(const std::string& what) {
    const harness_scope harness;
    done().push_back(what);
}

/// One thread creates another. Each notes what it does before its first event and between all that follow.
template <class P>
struct creates_a_thread {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};

    void run(int thread) {
        if (thread == 1) return store_twice("second", 10);
        note("creates");
        auto& memory = static_cast<instrumented_runtime&>(current_runtime());
        const int created = memory.create_thread(&run_created, this, numbered_site(0));
        store_twice("first", 20);
        memory.join_thread(created, numbered_site(1));
        note("has joined");
    }
    void store_twice(const std::string& who, int value) {
        note(who + " begins");
        x.store(value + 1, relaxed);
        note(who + " goes on");
        (void)x.exchange(value + 2, relaxed);
        note(who + " ends");
    }
    static void run_created(void* self) { static_cast<creates_a_thread*>(self)->store_twice("created", 30); }
};

std::vector<std::string> done_in(graph::execution_runner& runs, graph::execution_graph& graph, graph::strategy& how) {
    done().clear();
    runs.drop_snapshots();
    REQUIRE(runs.run(graph, how) != graph::ending::violated);
    return done();
}

}  // namespace

TEST_CASE("A run from a whole graph does all in the order of the run that made it") {
    const scenario what = make_scenario<creates_a_thread>("creates a thread");
    graph::execution_runner runs(what, {});
    // The first runs of a search let threads be chosen anew at each event. Later ones do not.
    for (int i = 0; i < 100; ++i) {
        graph::work_stack nowhere;
        graph::execution_graph graph;
        (void)done_in(runs, graph, nowhere);
    }
    graph::work_stack work;
    std::size_t graphs = 0;
    for (work.emit({}); !work.empty(); ++graphs) {
        graph::execution_graph graph;
        work.take(graph);
        const std::vector<std::string> made = done_in(runs, graph, work);
        graph::work_stack nothing_new;
        graph::execution_graph again = graph;
        CAPTURE(graph::to_text(graph));
        CHECK(done_in(runs, again, nothing_new) == made);
        CHECK(nothing_new.empty());
    }
    CHECK(graphs > 50);
}

}  // namespace ordeal::model_tests
