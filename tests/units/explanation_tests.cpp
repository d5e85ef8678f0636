// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/trace_relations.hpp"
#include "ordeal/explain/explanation.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

using namespace ordeal;
using namespace ordeal::detail;
using Catch::Matchers::Contains;

namespace {

/// A trace by hand: up to three threads, their clocks kept by the one who writes it.
class trace_maker {
public:
    trace_step& add(int thread, const std::string& operation, const std::string& object, std::uint64_t address) {
        trace_step step;
        step.index = static_cast<std::uint32_t>(result.trace.size() + 1);
        step.thread = thread;
        step.operation = operation;
        step.object = object;
        step.address = address;
        step.size = 8;
        step.access = operation == "read" || operation == "load" ? step_access::read : step_access::write;
        step.clock = clocks_[static_cast<std::size_t>(thread)];
        step.where.operation = operation;
        step.where.key = {"a.cpp", step.index, 1, operation == "load" ? role::load : role::store};
        result.trace.push_back(std::move(step));
        return result.trace.back();
    }
    trace_step& write(int thread, const std::string& object, std::uint64_t value, std::uint32_t place, order how) {
        trace_step& step = add(thread, "store", object, address_of(object));
        make_event(step, how);
        step.after = value;
        step.coherence = place;
        return step;
    }
    trace_step& read(int thread, const std::string& object, std::uint64_t value, std::uint32_t from, order how) {
        trace_step& step = add(thread, "load", object, address_of(object));
        make_event(step, how);
        step.before = value;
        step.reads_from = from;
        return step;
    }
    /// The last step of a thread: where the violation was found, at this access.
    void violate(int thread, const std::string& operation, const std::string& object, violation_kind kind) {
        trace_step& step = add(thread, operation, object, address_of(object));
        step.operation = "violation";
        result.verdict = verdict::violated;
        result.kind = kind;
    }
    /// What this thread knows of the other from now on.
    void learn(int thread, std::uint64_t of_other) {
        clocks_[static_cast<std::size_t>(thread)][static_cast<std::size_t>(1 - thread)] = of_other;
    }

    static std::uint64_t address_of(const std::string& object) {
        return static_cast<std::uint64_t>(object.back()) * 64;
    }

    search_result result;

private:
    void make_event(trace_step& step, order how) {
        const auto own = static_cast<std::size_t>(step.thread);
        step.where.atomic = true;
        step.using_order = how;
        step.clock[own] = ++clocks_[own][own];
    }

    std::vector<std::vector<std::uint64_t>> clocks_{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
};

scenario two_threads() {
    scenario what;
    what.threads = {"producer", "consumer"};
    return what;
}

std::string conclusion_of(const search_result& result) {
    std::string text;
    for (const std::string& each : explain(two_threads(), result).conclusion) text += each + '\n';
    return text;
}

// A payload, and a flag that is to hand it over.
search_result message_passing(order at_store, order at_load) {
    trace_maker made;
    made.add(0, "write", "cell 1", trace_maker::address_of("cell 1"));
    made.write(0, "atomic 2", 1, 1, at_store);
    made.read(1, "atomic 2", 1, 2, at_load);
    made.violate(1, "read", "cell 1", violation_kind::data_race);
    return made.result;
}

// Each thread writes one atomic and reads the other; neither sees the other's write.
search_result store_buffering() {
    trace_maker made;
    made.write(0, "atomic 1", 1, 1, order::release);
    made.read(0, "atomic 2", 0, 0, order::acquire);
    made.write(1, "atomic 2", 1, 1, order::release);
    made.read(1, "atomic 1", 0, 0, order::acquire);
    made.violate(1, "require", "cell 3", violation_kind::failed_requirement);
    made.result.trace.back().size = 0;
    return made.result;
}

}  // namespace

TEST_CASE("a race is explained by its two ends and by what the reads-from between them lacks") {
    const auto [store, load, words] = GENERATE(table<order, order, std::string>({
        {order::relaxed, order::acquire,
         "c reads from b, but b is relaxed, not release; if it were, b would synchronise with c"},
        {order::release, order::relaxed,
         "c reads from b, but c is relaxed, not acquire; if it were, b would synchronise with c"},
        {order::relaxed, order::relaxed,
         "b is relaxed, not release, and c is relaxed, not acquire; if both were, b would synchronise with c"},
    }));
    const search_result result = message_passing(store, load);
    const explanation why = explain(two_threads(), result);
    CHECK(why.first == 0U);
    CHECK(why.second == 3U);
    CHECK(why.letters == std::vector<std::string>{"a", "b", "c", "d"});
    CHECK_THAT(
        conclusion_of(result),
        Contains("a, the write of cell 1 by producer, is not ordered before d, the read of cell 1 by consumer."));
    CHECK_THAT(conclusion_of(result), Contains(words));
    CHECK(std::ranges::count_if(why.links, &step_link::missing) == 1);
}

TEST_CASE("a fence in the right place is no missing order") {
    trace_maker made;
    made.add(0, "write", "cell 1", trace_maker::address_of("cell 1"));
    trace_step& fence = made.write(0, "atomic 9", 0, 9, order::release);
    fence.operation = "fence";
    fence.object.clear();
    fence.address = fence.size = 0;
    fence.where.key.what = role::fence;
    fence.after.reset();
    fence.coherence.reset();
    made.write(0, "atomic 2", 1, 1, order::relaxed);
    made.read(1, "atomic 2", 1, 3, order::relaxed);
    made.violate(1, "read", "cell 1", violation_kind::data_race);
    CHECK_THAT(conclusion_of(made.result),
               Contains("but d is relaxed, not acquire; if it were, c would synchronise with d"));
}

TEST_CASE("an access that is ordered before the last one is no end of a race") {
    trace_maker made;
    made.add(0, "write", "cell 1", trace_maker::address_of("cell 1"));
    made.write(0, "atomic 2", 1, 1, order::release);
    made.learn(1, 1);
    made.read(1, "atomic 2", 1, 2, order::acquire);
    made.add(0, "write", "cell 1", trace_maker::address_of("cell 1"));
    made.violate(1, "read", "cell 1", violation_kind::data_race);
    const explanation why = explain(two_threads(), made.result);
    CHECK(why.first == 3U);
    CHECK_THAT(conclusion_of(made.result), Contains("so stronger memory orders cannot order the two"));
}

TEST_CASE("what no interleaving shows is explained by the reads that each missed a write") {
    const search_result result = store_buffering();
    const std::string text = conclusion_of(result);
    CHECK_THAT(text, Contains("b misses c (it reads an older atomic 2)"));
    CHECK_THAT(text, Contains("d misses a (it reads an older atomic 1)"));
    CHECK_THAT(text, Contains("between a and b"));
    CHECK_THAT(text, Contains("between c and d"));
    CHECK_THAT(text, Contains("rule this out; so does seq_cst on a, b, c and d."));
    CHECK(explain(two_threads(), result).links.size() == 4);
}

TEST_CASE("freed memory is explained by who freed it") {
    trace_maker made;
    made.add(0, "free", "", 640);
    made.result.trace.back().size = 32;
    made.write(0, "atomic 2", 1, 1, order::release);
    made.learn(1, 1);
    made.read(1, "atomic 2", 1, 2, order::acquire);
    made.violate(1, "read", "cell 3", violation_kind::use_after_free);
    made.result.trace.back().address = 648;
    const explanation why = explain(two_threads(), made.result);
    CHECK(why.first == 0U);
    CHECK_THAT(conclusion_of(made.result),
               Contains("a, the free by producer, comes before d, the read of cell 3 by consumer."));
}

TEST_CASE("steps that only say what nobody else saw are folded") {
    trace_maker made;
    for (int i = 0; i < 30; ++i) made.add(0, "write", "cell 7", trace_maker::address_of("cell 7"));
    made.add(0, "write", "cell 1", trace_maker::address_of("cell 1"));
    made.write(0, "atomic 2", 1, 1, order::relaxed);
    made.read(1, "atomic 2", 1, 32, order::acquire);
    made.violate(1, "read", "cell 1", violation_kind::data_race);
    const explanation why = explain(two_threads(), made.result);
    const auto shown = std::ranges::count_if(why.letters, [](const std::string& each) { return !each.empty(); });
    CHECK(shown == 4);
    CHECK_FALSE(why.letters[30].empty());
}

TEST_CASE("an execution without a trace has no explanation") {
    CHECK(explain(two_threads(), search_result{}).conclusion.empty());
}

TEST_CASE(
    "the steps of an execution of sequential consistency are put into an order in which each read reads the newest") {
    trace_maker made;
    made.write(0, "atomic 1", 1, 1, order::relaxed);
    made.write(0, "atomic 1", 2, 2, order::relaxed);
    made.read(1, "atomic 1", 1, 1, order::relaxed).stale = true;
    made.violate(1, "require", "cell 3", violation_kind::failed_requirement);
    const auto ordered = as_interleaving(made.result.trace);
    REQUIRE(ordered);
    REQUIRE(ordered->size() == 4);
    CHECK((*ordered)[1].operation == "load");
    CHECK_FALSE((*ordered)[1].stale);
    CHECK((*ordered)[1].index == 3);
    CHECK((*ordered)[1].reads_from == 1U);
    CHECK((*ordered)[2].after == 2U);
    CHECK((*ordered)[3].operation == "violation");
}

TEST_CASE("an execution that is none of sequential consistency keeps the order of its steps") {
    CHECK_FALSE(as_interleaving(store_buffering().trace));
}

TEST_CASE("of a compare-exchange that fails it is the failure order that is too weak") {
    search_result result = message_passing(order::release, order::relaxed);
    result.trace[2].operation = "compare_exchange_strong";
    result.trace[2].note = "fails";
    CHECK_THAT(conclusion_of(result), Contains("but the failure order of c is relaxed, not acquire; if it were"));
}

namespace {

// Each thread writes what it makes of what it has read; `from`: the write that the second thread to write has read.
trace_maker two_updates(std::uint32_t from) {
    trace_maker made;
    made.read(1, "atomic 1", 0, 0, order::seq_cst);
    if (from == 0) made.read(0, "atomic 1", 0, 0, order::seq_cst);
    made.write(1, "atomic 1", 1, 1, order::seq_cst);
    if (from != 0) made.read(0, "atomic 1", 1, from, order::seq_cst);
    made.write(0, "atomic 1", 7, 2, order::seq_cst);
    made.read(0, "atomic 1", 7, 4, order::seq_cst);
    made.violate(0, "require", "cell 3", violation_kind::failed_requirement);
    trace& steps = made.result.trace;
    steps.back().size = 0;
    steps[4].where.key.line = steps.back().where.key.line;
    return made;
}

// The consumer waits, and is not woken: it begins too late, or another thread waits, too.
search_result never_woken(bool too_late) {
    trace_maker made;
    const auto add = [&](int thread, const std::string& operation) -> trace_step& {
        return made.add(thread, operation, "condition variable 1", trace_maker::address_of("condition variable 1"));
    };
    if (too_late) add(2, "notify_one");
    add(1, "wait");
    if (!too_late) {
        add(0, "wait");
        const std::uint32_t notification = add(2, "notify_one").index;
        add(0, "wake up").woken_by = notification;
    }
    add(1, "never goes on").note = "waits for";
    made.result.verdict = verdict::violated;
    made.result.kind = violation_kind::deadlock;
    return made.result;
}

}  // namespace

TEST_CASE("a lost update is explained by the read that came before the write that was replaced") {
    CHECK_THAT(
        conclusion_of(two_updates(0).result),
        Contains("d, the store of atomic 1 by producer, replaces what consumer wrote in c, which producer had not "
                 "read: its load b came before."));
}

TEST_CASE("a write by a thread that has read what it replaces loses no update") {
    CHECK_THAT(conclusion_of(two_updates(2).result), !Contains("replaces what"));
}

TEST_CASE("both threads of a lost update are shown, and the steps that one reads from") {
    const explanation why = explain(two_threads(), two_updates(0).result);
    CHECK(std::ranges::none_of(why.letters, &std::string::empty));
}

TEST_CASE("a wait that nothing ends is explained by the notification that came before it") {
    CHECK_THAT(conclusion_of(never_woken(true)), Contains("a, the notify_one of condition variable 1 by thread 3, woke "
                                                          "nobody; consumer began to wait later, in b."));
}

TEST_CASE("a wait that nothing ends is explained by the thread that was woken in its place") {
    CHECK_THAT(conclusion_of(never_woken(false)),
               Contains("c, the notify_one of condition variable 1 by thread 3, woke producer in d, not consumer."));
}

TEST_CASE("a wait that nothing ends is explained by the lack of a notification") {
    search_result result = never_woken(true);
    result.trace.erase(result.trace.begin());
    CHECK_THAT(conclusion_of(result), Contains("Nothing notifies condition variable 1."));
}

namespace {

// A trace of locks: `steps` are threads and what they do with the mutex.
search_result locked(std::initializer_list<std::pair<int, std::string>> steps, violation_kind kind) {
    trace_maker made;
    for (const auto& [thread, operation] : steps) {
        trace_step& step = made.add(thread, operation, "mutex 1", trace_maker::address_of("mutex 1"));
        if (operation == "never goes on") step.note = "waits for";
    }
    if (kind == violation_kind::precondition) made.violate(0, "unlock", "mutex 1", kind);
    made.result.verdict = verdict::violated;
    made.result.kind = kind;
    return made.result;
}

}  // namespace

TEST_CASE("a lock that never comes is explained by the thread that has it") {
    CHECK_THAT(conclusion_of(locked({{0, "lock"}, {1, "blocks"}, {1, "never goes on"}}, violation_kind::deadlock)),
               Contains("consumer never goes on: it waits for mutex 1, which producer has locked in a"));
    CHECK_THAT(conclusion_of(locked({{0, "lock"}, {0, "blocks"}, {0, "never goes on"}}, violation_kind::deadlock)),
               Contains("producer never goes on: it waits for mutex 1, which producer has locked in a"));
}

TEST_CASE("an unlock of what another thread has locked is explained by that thread, or by none") {
    CHECK_THAT(conclusion_of(locked({{1, "lock"}}, violation_kind::precondition)),
               Contains("consumer has locked it in a."));
    CHECK_THAT(conclusion_of(locked({{1, "lock"}, {1, "unlock"}}, violation_kind::precondition)),
               Contains("No thread holds it."));
}

TEST_CASE("a notification of an atomic that came too early is known by its address, before anybody has accessed that") {
    trace_maker made;
    const std::uint64_t address = trace_maker::address_of("atomic 1");
    made.add(0, "notify_all", "", address);
    made.add(1, "blocks", "atomic 1", address);
    made.add(1, "never goes on", "atomic 1", address).note = "waits for a notification of";
    made.result.verdict = verdict::violated;
    made.result.kind = violation_kind::deadlock;
    CHECK_THAT(conclusion_of(made.result), Contains("by producer, came before the wait of consumer in b."));
}

TEST_CASE("a notification of an atomic that one of two waits goes on after may have ended that one") {
    trace_maker made;
    const std::uint64_t address = trace_maker::address_of("atomic 1");
    made.add(1, "blocks", "atomic 1", address);
    made.add(1, "never goes on", "atomic 1", address).note = "waits for a notification of";
    made.add(2, "notify_one", "atomic 1", address);
    made.add(0, "wait", "atomic 1", address);
    made.result.verdict = verdict::violated;
    made.result.kind = violation_kind::deadlock;
    CHECK_THAT(conclusion_of(made.result),
               Contains("did not end the wait of consumer in a, but may have ended that of producer in d."));
}
