// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that know nothing of the model, compiled as they are: the right ones hold in every execution, and every
// wrong one is found to be wrong, in its own way.
#include "model_tests/support/explanation_check.hpp"
#include "model_tests/support/search.hpp"

#include "ordeal/explain/explanation.hpp"
#include "ordeal/instrumented/process_state/process_state.hpp"
#include "ordeal/report/check_report.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

constexpr std::string_view graph = "graph";

std::vector<const scenario*> programs(bool right) {
    std::vector<const scenario*> result;
    for (const scenario& each : scenarios()) {
        if (each.name.starts_with("programs/") && each.expected.violation.has_value() != right) result.push_back(&each);
    }
    return result;
}

// These meet a bound that nothing in them needs: their waits and locks are made of several, taken and given back in
// iterations that end where they began; or they have as many iterations as they like, or free more memory than is tried
// to come back. Others call functions of which nobody knows what they do, or access atomics in parts.
bool meets_a_bound(const scenario& what) {
    constexpr std::array<std::string_view, 21> all{"programs/counting_attempts",
                                                   "programs/counting_both",
                                                   "programs/counting_spins",
                                                   "programs/counting_sets_after_attempts",
                                                   "programs/goes_by_what_comes_after_a_wait",
                                                   "programs/reused_ids",
                                                   "programs/state_c_streams",
                                                   "programs/state_descriptors",
                                                   "programs/state_directory",
                                                   "programs/file_of_a_global",
                                                   "programs/state_files",
                                                   "programs/written_by_the_kernel",
                                                   "programs/state_mask_of_files",
                                                   "programs/state_options",
                                                   "programs/state_random",
                                                   "programs/state_resources",
                                                   "programs/two_mutexes_scoped",
                                                   "programs/early_wait/created_and_not_ordered",
                                                   "programs/early_wait/read_and_not_ordered",
                                                   "programs/early_wait/read_before_and_not_ordered",
                                                   "programs/failed_iteration/read_and_not_ordered"};
    return std::ranges::find(all, what.name) != all.end() || what.name.starts_with("programs/mixed_sizes/");
}

// As a library that was compiled elsewhere: nothing that its thread does is told to anybody.
struct unseen {
    static constexpr auto threads = std::array{"writes", "writes"};
    int value = 0;

    void run(int /*thread*/) { ++value; }
};

std::set<std::string> possible_outcomes(const search_result& of) {
    std::set<std::string> result;
    for (const auto& [outcome, executions] : of.outcomes) result.insert(outcome);
    return result;
}

void print(const scenario& what, const search_result& result) {
    std::cout << what.name << ": " << words(result) << ", " << result.executions << " executions, " << result.blocked
              << " blocked, " << result.seconds << " s\n";
}

}  // namespace

TEST_CASE("Every right program holds in all of its executions, without a limit that it need not meet") {
    const auto chosen = programs(true);
    REQUIRE_FALSE(chosen.empty());
    const std::vector<search_result> results = search_each(chosen, {}, graph);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        print(*chosen[i], results[i]);
        INFO(chosen[i]->name << ": " << words(results[i]) << ". " << results[i].message);
        CHECK(results[i].verdict == (meets_a_bound(*chosen[i]) ? verdict::held_within : verdict::held));
        CHECK(results[i].complete);
        CHECK(leave_anything_out(results[i].limits) == meets_a_bound(*chosen[i]));
        CHECK(results[i].executions > 0);
    }
}

TEST_CASE("Whatever the process has besides its memory, a program shows what becomes of it") {
    for (const process_state& each : process_states) {
        const bool refused = each.treatment == state_treatment::refused;
        CAPTURE(each.name);
        CHECK(registered((refused ? "refused/state_" : "programs/state_") + std::string(each.name)).name != "");
    }
}

TEST_CASE("Every wrong program is found to be wrong in its own way, with an execution that shows it") {
    const auto chosen = programs(false);
    REQUIRE_FALSE(chosen.empty());
    const std::vector<search_result> results = search_each(chosen, {}, graph);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        print(*chosen[i], results[i]);
        INFO(chosen[i]->name << ": " << words(results[i]) << " instead of " << words(chosen[i]->expected) << ". "
                             << results[i].message);
        CHECK(as_expected(chosen[i]->expected, results[i]));
        CHECK(results[i].replay.has_value());
        CHECK_FALSE(results[i].trace.empty());
        CHECK(contradictions(*chosen[i], results[i]) == std::vector<std::string>{});
    }
}

TEST_CASE("An explanation that its trace contradicts is seen, and so is a sentence that nothing checks") {
    const scenario& what = registered("programs/message_relaxed_fences");
    const search_result result = search(what, {}, graph);
    const explanation right = explain(what, result);
    REQUIRE(result.kind == violation_kind::data_race);
    CHECK(contradictions(what, result, right).empty());
    explanation exchanged = right;
    std::ranges::reverse(exchanged.letters);
    CHECK_FALSE(contradictions(what, result, exchanged).empty());
    explanation more = right;
    more.conclusion.emplace_back("It is the fault of the compiler.");
    CHECK(contradictions(what, result, more).size() == 1);
}

TEST_CASE("A coroutine that is still suspended where a program fails is named") {
    const scenario& what = registered("programs/coroutine_never_resumed");
    const std::vector<std::string> conclusion = explain(what, search(what, {}, graph)).conclusion;
    CHECK(std::ranges::any_of(conclusion, [](const std::string& sentence) {
        return sentence.starts_with("frame of body()") && sentence.find("and nothing resumes it") != std::string::npos;
    }));
}

TEST_CASE("What a program says of its end arrives as it is, whatever its bytes") {
    const search_result result = search(registered("programs/exception_says_any_bytes"), {}, graph);
    CAPTURE(result.message);
    CHECK(result.kind == violation_kind::uncaught_exception);
    CHECK(result.message.find("a\x01"
                              "b\x02\x01\x01"
                              "7\x01") != std::string::npos);
}

#if defined(__x86_64__)
TEST_CASE("A count of time-outs is part of a state, whichever register has it") {
    constexpr std::size_t registers = 5;
    constexpr std::size_t counts = 3;
    for (const std::string_view of : {"mutex", "reader", "writer"}) {
        const search_result found =
            search(registered("programs/time_outs_of_a_" + std::string(of)), full_search(), graph);
        CAPTURE(of, found.message);
        CHECK(found.verdict == verdict::held);
        CHECK(found.outcomes.size() == registers * counts);
    }
}
#endif

TEST_CASE("A relaxed fence of a program is a site, and may be given another order") {
    const scenario& what = registered("programs/message_relaxed_fences");
    const search_result plain = search(what, {}, graph);
    REQUIRE(plain.kind == violation_kind::data_race);
    search_options how;
    for (const reached_site& each : plain.sites) {
        if (each.where.key.what != role::fence) continue;
        CHECK(each.where.declared == order::relaxed);
        how.mutant.overrides.push_back({each.where.key, order::acq_rel});
    }
    REQUIRE(how.mutant.overrides.size() == 2);
    CHECK(search(what, how, graph).verdict == verdict::held);
}

TEST_CASE("A program can be given fences that are not in its source") {
    const scenario& what = registered("programs/one_after_the_other_relaxed");
    const search_result plain = search(what, {}, graph);
    REQUIRE(plain.verdict == verdict::violated);
    const auto both_sites = [&](role of) {
        std::set<site_key> places;
        for (const reached_site& each : plain.sites) {
            if (each.where.key.what == of) places.insert(each.where.key);
        }
        REQUIRE(places.size() == 2);
        return std::array{*places.begin(), *places.rbegin()};
    };
    const order_override publish{both_sites(role::store)[1], order::release, std::nullopt, override_position::before};
    const order_override receive{both_sites(role::load)[0], order::acquire, std::nullopt, override_position::after};
    search_options how;
    how.mutant.overrides = {publish};
    CHECK(search(what, how, graph).verdict == verdict::violated);
    how.mutant.overrides = {receive};
    CHECK(search(what, how, graph).verdict == verdict::violated);
    how.mutant.overrides = {publish, receive};
    const search_result both = search(what, how, graph);
    CAPTURE(both.message);
    CHECK(both.verdict == verdict::held);
}

TEST_CASE("A program that was made at run time has the executions of one that is a class") {
    for (const std::string_view producers : {"1", "2", "3"}) {
        const std::string name = "_slots_of_" + std::string(producers);
        const search_result made = search(registered("programs/made" + name), full_search(), graph);
        const search_result typed = search(registered("programs/typed" + name), full_search(), graph);
        CAPTURE(name, made.message, typed.message);
        CHECK(made.verdict == verdict::held);
        CHECK(made.executions == typed.executions);
        CHECK(made.blocked == typed.blocked);
        CHECK(made.outcomes == typed.outcomes);
        CHECK(made.outcomes.size() > 1);
    }
}

TEST_CASE("A program of which nothing is seen does not hold") {
    scenario blind = detail::described<unseen>("programs/unseen");
    blind.instrumented = true;
    blind.model = detail::body_of<unseen>();
    const search_result result = search(blind, full_search(), graph);
    CHECK(result.verdict == verdict::inconclusive);
    CHECK(result.message.starts_with("nothing that its threads did was seen"));
}

TEST_CASE("There is a wrong program for each kind of violation that ordinary code can bring about") {
    const auto chosen = programs(false);
    for (const auto kind :
         {violation_kind::data_race, violation_kind::unsynchronised_destruction, violation_kind::use_after_free,
          violation_kind::double_free, violation_kind::leak, violation_kind::failed_requirement,
          violation_kind::precondition, violation_kind::deadlock, violation_kind::livelock,
          violation_kind::uninitialised_read, violation_kind::uncaught_exception, violation_kind::crash,
          violation_kind::notification_after_destruction, violation_kind::use_after_scope}) {
        INFO(to_string(kind));
        CHECK(std::ranges::any_of(chosen, [&](const scenario* each) { return each->expected.violation == kind; }));
    }
}

TEST_CASE("Random executions of right programs show no violation") {
    search_options some;
    some.strategy.mode = search_mode::random;
    some.strategy.bound = 300;
    some.strategy.seed = 7;
    auto chosen = programs(true);
    // One of its executions takes as long as all of most others, and each computes the same.
    std::erase_if(chosen, [](const scenario* each) { return each->name == "programs/long_sum"; });
    // Races that only random executions come to: they are what the limits of their verdicts are about.
    std::erase_if(chosen, [](const scenario* each) { return each->name.ends_with("_and_not_ordered"); });
    const std::vector<search_result> results = search_each(chosen, some, graph);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        INFO(chosen[i]->name << ", seed 7: " << words(results[i]) << ". " << results[i].message);
        CHECK_FALSE(results[i].kind.has_value());
    }
}

TEST_CASE(
    "What others write is seen in an iteration that only a spurious failure brought about, whatever came before") {
    for (const std::string_view name : {"leftmost", "middle", "rightmost"}) {
        const search_result result =
            search(registered("programs/seen_in_a_spurious_turn_" + std::string(name)), full_search(), graph);
        INFO(name);
        CHECK(result.verdict == verdict::held);
        for (const std::string outcome : {"0", "1", "2"}) CHECK(result.outcomes.count(outcome) == 1);
    }
}

TEST_CASE("Who goes by what comes after a wait, and is not ordered behind it, keeps the verdict from being held") {
    const search_result unordered =
        search(registered("programs/goes_by_what_comes_after_a_wait"), full_search(), graph);
    CHECK(to_string(unordered.verdict) == to_string(verdict::held_within));
    CHECK(names_limit(unordered, "whether an access races with one in an iteration"));
    CHECK(unordered.limits.size() == 1);
    CHECK(search(registered("programs/counts_and_frees_after_a_wait"), full_search(), graph).verdict == verdict::held);
}

TEST_CASE("A failed iteration of a loop is no part of an execution, whatever it reads, holds or takes back") {
    const std::map<std::string, std::uint64_t> all{
        {"waits_for_either", 4}, {"seqlock", 4},        {"ring_of_strings", 2},   {"polls_for_two", 3},
        {"lock_is_seen", 0},     {"makes_a_string", 2}, {"polls_for_a_string", 2}};
    for (const auto& [name, executions] : all) {
        const search_result result = search(registered("programs/failed_iteration/" + name), full_search(), graph);
        INFO(name);
        CHECK(result.verdict == verdict::held);
        CHECK((executions == 0 || result.executions <= executions));  // a loop that is found on the way has more
    }
}

TEST_CASE("An iteration that takes back what it did is made where another thread goes by what is there meanwhile") {
    const auto outcomes_of = [](const std::string& name) {
        return possible_outcomes(search(registered("programs/failed_iteration/" + name), full_search(), graph));
    };
    CHECK(outcomes_of("undone_subtraction") == std::set<std::string>{"-1", "0"});
    CHECK(outcomes_of("lock_is_seen") == std::set<std::string>{"0", "1"});
    CHECK(outcomes_of("takes_its_block_back") == std::set<std::string>{"not seen", "seen"});
}

TEST_CASE("Who goes by what comes after a loop, and is not ordered behind it, keeps the verdict from being held") {
    const scenario& loop = registered("programs/failed_iteration/read_and_not_ordered");
    const search_result unordered = search(loop, full_search(), graph);
    CHECK(unordered.verdict == verdict::held_within);
    CHECK(names_limit(unordered, "whether an access races with one in an iteration"));
    search_options shared = full_search();
    shared.resources.jobs = 2;
    CHECK(search(loop, shared, graph).verdict == verdict::held_within);
    CHECK(search(registered("programs/failed_iteration/read_and_ordered"), full_search(), graph).verdict ==
          verdict::held);
}

// The second of each pair has a counter that the compiler must not reason about: every iteration of it is explored.
TEST_CASE("A loop that gives up after some reads has the outcomes that all of its iterations have") {
    const std::set<std::string> shortened{"acquires",
                                          "both",
                                          "checks_a_flag_first",
                                          "counts_before_it_checks",
                                          "counts_if_not_found",
                                          "flag_of_the_last",
                                          "found_or_ended",
                                          "gives_up",
                                          "keeps_a_flag",
                                          "looks_if_not_ended",
                                          "nested",
                                          "returns_last",
                                          "tells_whether_it_waited"};
    std::size_t pairs = 0;
    for (const scenario* each : programs(true)) {
        constexpr std::string_view folder = "programs/counted/";
        if (!each->name.starts_with(folder)) continue;
        ++pairs;
        const std::string name = each->name.substr(folder.size());
        const search_result found = search(*each, full_search(), graph);
        const search_result expected = search(registered("programs/counted_opaque/" + name), full_search(), graph);
        INFO(name);
        CHECK(found.verdict == verdict::held);
        CHECK(expected.verdict == verdict::held);
        CHECK(possible_outcomes(found) == possible_outcomes(expected));
        if (shortened.contains(name)) {
            CHECK(found.executions < expected.executions);
        } else {
            CHECK(found.executions == expected.executions);
        }
    }
    CHECK(pairs == 24);
}

TEST_CASE("A back-off that counts is no other state in each iteration") {
    for (const std::string name : {"deregisters", "deregisters_doubling", "deregisters_library_sleep",
                                   "deregisters_sleeping", "deregisters_steady", "registers", "registers_doubling",
                                   "registers_library_sleep", "registers_sleeping", "registers_steady"}) {
        const search_result result = search(registered("programs/back_off_" + name), full_search(), graph);
        INFO(name);
        CHECK(result.verdict == verdict::held);
        CHECK(possible_outcomes(result) == std::set<std::string>{"0", "1"});
        CHECK(result.executions < 1000);
    }
}

TEST_CASE("A count of waiting threads that is taken back after the wait is no other state") {
    const search_result result = search(registered("programs/counts_who_waits"), full_search(), graph);
    CHECK(result.verdict == verdict::held);
    CHECK(result.executions < 50);
}

TEST_CASE("The lock-free event has as many executions unmodified as over the policy") {
    CHECK(search(registered("programs/event_one_waiter"), full_search(), graph).executions == 4);
    CHECK(search(registered("programs/event_two_waiters"), full_search(), graph).executions == 21);
}

TEST_CASE("A worker that waits for work makes no execution beside those in which it comes when there is some") {
    const std::map<std::string, std::uint64_t> pools{{"plain_pool_of_one", 5},     {"plain_pool_of_two", 4},
                                                     {"pool_of_two", 4},           {"queue_two_workers", 2},
                                                     {"stealing_pool_of_one", 92}, {"stealing_pool_of_two", 1'888}};
    for (const auto& [name, executions] : pools) {
        const search_result result = search(registered("programs/" + name), full_search(), graph);
        INFO(name);
        CHECK(result.verdict == verdict::held);
        CHECK(result.executions == executions);
    }
}

TEST_CASE("Readers know of a writer that waits up to a time limit, where writers come first") {
    search_options exact = full_search();
    exact.bounds.spurious = 0;  // what fails has a reason
    for (const std::string name : {"gets_it", "gives_up"}) {
        INFO(name);
        CHECK(search(registered("programs/reader_notices_writer_that_" + name), exact, graph).kind ==
              violation_kind::failed_requirement);
    }
}

TEST_CASE("Threads that wait under a mutex have the executions in which each comes when it need not wait") {
    const std::map<std::string, std::uint64_t> all{{"takes_turns", 1}, {"bounded_queue", 16}};
    for (const auto& [name, executions] : all) {
        const search_result result = search(registered("programs/early_wait/" + name), full_search(), graph);
        INFO(name);
        CHECK(result.verdict == verdict::held);
        CHECK(result.executions == executions);
    }
    for (const std::string name : {"read", "read_before", "created"}) {
        const scenario& what = registered("programs/early_wait/" + name + "_and_not_ordered");
        INFO(name);
        CHECK(names_limit(search(what, full_search(), graph), "whether an access races with one in an iteration"));
    }
}

TEST_CASE("What others do after a wait that is not followed is explored") {
    for (const std::string name : {"others_race", "others_race_again"}) {
        const search_result result = search(registered("programs/early_wait/" + name), full_search(), graph);
        INFO(name);
        CHECK(result.verdict == verdict::held);
        CHECK(possible_outcomes(result) == std::set<std::string>{"0", "1"});
    }
}

TEST_CASE("A wait that no notification would have ended may end in vain") {
    const scenario& what = registered("programs/early_wait/looks_in_vain");
    CHECK(search(what, full_search(), graph).kind == violation_kind::failed_requirement);
}

// Either thread may come last to a phase; then the one that waited takes the mutex first, or the other one arrives at
// the next phase, and waits there.
TEST_CASE("A wait that a notification may have ended is one, wherever among the others it has ended") {
    search_options how = full_search();
    how.reductions.symmetry = false;
    const search_result result = search(registered("programs/early_wait/barrier_by_hand"), how, graph);
    CHECK(result.verdict == verdict::held);
    CHECK(result.executions == 2 * 3 * 3 * 3);
}

TEST_CASE("A loop that nobody can end is a livelock, and is left when somebody can, whatever its iterations put back") {
    for (const scenario& each : scenarios()) {
        const bool endless = each.name.starts_with("programs/endless_loop/");
        if (!endless && !each.name.starts_with("programs/loop/")) continue;
        const search_result result = search(each, full_search(), graph);
        CAPTURE(each.name, result.message, result.limits);
        CHECK(result.verdict == (endless ? verdict::violated : verdict::held));
        CHECK((!endless || result.kind == violation_kind::livelock));
    }
}

TEST_CASE("What happens after a wait that ends spuriously is seen, though any number of them is as one") {
    const search_result result = search(registered("programs/loop/sleeps_and_counts"), full_search(), graph);
    CHECK(result.verdict == verdict::held);
    CHECK(result.outcomes.contains("1"));
}

TEST_CASE("A thread that never goes on is said to wait for its condition variable, not for the mutex") {
    const search_result result = search(registered("programs/endless_loop/waits_for_no_time"), full_search(), graph);
    REQUIRE(result.verdict == verdict::violated);
    const auto stuck = std::ranges::find(result.trace, "never goes on", &trace_step::operation);
    REQUIRE(stuck != result.trace.end());
    CHECK(stuck->note == "waits for a notification of");
    const auto waits = std::ranges::find(result.trace, "wait", &trace_step::operation);
    REQUIRE(waits != result.trace.end());
    CHECK(stuck->object == waits->object);
}

TEST_CASE("A thread that retries in rounds makes no execution that stays blocked") {
    const search_result result = search(registered("programs/failed_iteration/takes_turns"), full_search(), graph);
    CHECK(result.verdict == verdict::held);
    CHECK(result.executions == 126);
    CHECK(result.blocked == 0);
}

TEST_CASE("A spurious end of a wait for any lock is no part of an execution") {
    const search_result flag = search(registered("programs/any_wait/flag"), full_search(), graph);
    CHECK(flag.verdict == verdict::held);
    CHECK(flag.executions == 4);
    const search_result worker = search(registered("programs/any_wait/worker"), full_search(), graph);
    CHECK(worker.verdict == verdict::held);
    CHECK(worker.executions < 1000);
}

TEST_CASE("What ends a wait is kept where a search goes on in other processes, and where an execution is run again") {
    search_options shared = full_search();
    shared.resources.jobs = 2;
    search_options one_process = full_search();
    one_process.reductions.symmetry = shared.reductions.symmetry = false;
    const scenario& pool = registered("programs/plain_pool_of_two_with_three");
    const search_result alone = search(pool, one_process, graph);
    const search_result together = search(pool, shared, graph);
    CHECK(together.verdict == verdict::held);
    CHECK(together.complete);
    CHECK(together.executions == alone.executions);
    CHECK(alone.executions > 100);  // and very many that count for nothing: few are not shared
    for (const scenario* each : programs(false)) {
        if (!each->name.starts_with("programs/timed_") && !each->name.starts_with("programs/posix_")) continue;
        search_options again = full_search();
        again.replay = search(*each, full_search(), graph).replay;
        INFO(each->name);
        REQUIRE(again.replay.has_value());
        CHECK(search(*each, again, graph).kind == each->expected.violation);
    }
}

// Nothing waits for ever, and what a wrong program does behind it is still found.
TEST_CASE("Behind a notification that is accepted the search goes on, and the verdict names it") {
    const scenario& late = registered("programs/notified_after_the_end");
    search_options accepting = full_search();
    accepting.accept = {*parse_acceptance("notification-after-destruction")};
    const search_result accepted = search(late, accepting, graph);
    CHECK(accepted.verdict == verdict::held_within);
    CHECK(accepted.complete);
    REQUIRE(accepted.limits.size() == 1);
    CHECK(accepted.limits.front().sentence.starts_with("notification after destruction at "));
    REQUIRE(accepted.accepted.size() == 1);
    const accepted_violation& met = accepted.accepted.front();
    CHECK(met.file.ends_with("programs/notifications.cpp"));
    CHECK(met.executions == accepted.executions);

    accepting.accept = {
        *parse_acceptance("notification after destruction@notifications.cpp:" + std::to_string(met.line))};
    CHECK(search(late, accepting, graph).verdict == verdict::held_within);
    accepting.accept.front().line += 1;
    CHECK(search(late, accepting, graph).kind == violation_kind::notification_after_destruction);
    accepting.accept.front() = {violation_kind::notification_after_destruction, "cations.cpp", 0};
    CHECK(search(late, accepting, graph).kind == violation_kind::notification_after_destruction);

    const scenario& worse = registered("programs/notified_after_the_end_and_worse");
    accepting.accept = {*parse_acceptance("notification after destruction")};
    const search_result behind = search(worse, accepting, graph);
    CHECK(behind.kind == violation_kind::data_race);
    accepting.replay = behind.replay;
    CHECK(search(worse, accepting, graph).kind == violation_kind::data_race);
    accepting.accept.clear();
    CHECK(search(worse, accepting, graph).kind == violation_kind::notification_after_destruction);
}

TEST_CASE("A wait on a futex that comes too late is told so, and one that sleeps is woken, or wakes spuriously") {
    const search_result result = search(registered("programs/futex_says_why"), full_search(), graph);
    CHECK(result.outcomes == std::map<std::string, std::uint64_t>{{"EAGAIN", 2}, {"woken", 2}});
}

// Counts that follow from the memory model, worked out by hand.
TEST_CASE("A free is told beside the operation that a thread has come to and not made, and not beside another free") {
    const search_result found = search(registered("programs/node_is_freed_too_early"), {}, graph);
    REQUIRE(found.verdict == verdict::violated);
    REQUIRE(found.trace.size() > 2);
    const trace_step& due = found.trace[found.trace.size() - 2];
    const trace_step& last = found.trace.back();
    CHECK(last.operation == "violation");
    CHECK(due.operation == "store");
    CHECK(due.note == "is still to come");
    CHECK(due.thread != last.thread);
    CHECK(due.where.key.file.ends_with("lifetimes.cpp"));
    const explanation told = explain(registered("programs/node_is_freed_too_early"), found);
    CHECK(told.first == found.trace.size() - 2);
    CHECK(told.second == found.trace.size() - 1);
}

TEST_CASE("A violation that needs load buffering says which store nothing keeps behind the load, and who shows it") {
    const scenario& what = registered("programs/stored_before_a_load");
    const search_result found = search(what, {}, graph);
    REQUIRE(found.verdict == verdict::violated);
    CHECK(found.models == models_of_violation{memory_model::cpp20, true});
    const std::vector<std::string> told = explain(what, found).conclusion;
    REQUIRE(told.size() == 3);
    CHECK(told[0].starts_with("Load buffering: "));
    CHECK(told[1].find("; together with acquire at ") != std::string::npos);
    CHECK(told[2] ==
          "With the instructions of clang AArch64, RISC-V and POWER can show this execution, x86-64 cannot.");
    search_options without;
    without.model = memory_model::rc11;
    const search_result under_rc11 = search(what, without, graph);
    CHECK(under_rc11.verdict == verdict::held_within);
    CHECK(has_limit(under_rc11, "load-buffering"));
}

TEST_CASE("A race behind a read of what is written later names where that is written") {
    const search_result found = search(registered("programs/race_behind_a_future_read"), {}, graph);
    REQUIRE(found.kind == violation_kind::data_race);
    const auto is_future_read = [](const trace_step& each) {
        return each.note.starts_with("reads what is written later: store at load_buffering.cpp:");
    };
    CHECK(std::ranges::count_if(found.trace, is_future_read) == 1);
}

TEST_CASE("Memory that a constructor of a global allocated comes back when an execution has freed it") {
    const search_result result = search(registered("programs/global_block_comes_back"), full_search(), graph);
    CHECK(result.outcomes == std::map<std::string, std::uint64_t>{{"again", 1}, {"fresh", 1}, {"too early", 1}});
}

TEST_CASE("Small programs have the executions that the memory model gives them") {
    const auto executions = [](std::string_view name) {
        return search(registered(name), full_search(), graph).executions;
    };
    CHECK(executions("programs/atomic_count") == 2);    // which fetch_add comes first
    CHECK(executions("programs/dekker_seq_cst") == 3);  // who enters: the first, the second, nobody
    CHECK(executions("programs/ring_of_strings") ==
          4);  // 0, 1 or 2 strings are there; the second push sees the pop or not
    CHECK(executions("programs/value_then_flag") == 2);  // the flag is set, or is not
    CHECK(executions("programs/heap_freed_once") == 2);
    CHECK(executions("programs/shared_ptr_last_owner_destroys") == 2);
    // The flag is set before the waiter looks first, or before its wait ends at its limit.
    CHECK(executions("programs/timed_polling") == 2);
    // Or it is notified at the limit.
    CHECK(executions("programs/timed_polling_notified") == 3);
    CHECK(executions("programs/timed_polling_until") == 5);
    CHECK(executions("programs/timed_semaphore") == 2);            // posted, or not yet
    CHECK(executions("programs/posix_semaphore_ping_pong") == 1);  // nobody has a choice
    CHECK(executions("programs/posix_semaphore_three_turns") == 1);
    CHECK(executions("programs/semaphore_three_turns") == 1);
    CHECK(executions("programs/posix_semaphore_tried_by_three") == executions("programs/semaphore_tried_by_three"));
    CHECK(executions("programs/posix_semaphore_as_lock") == 2);  // who is first
    CHECK(executions("programs/posix_barrier") == 4);            // who is last in each of two rounds
    CHECK(executions("programs/posix_barrier_for_three") == 6);
    CHECK(executions("programs/arrivals_phases") == 1);  // nobody sees who is last
    CHECK(executions("programs/arrivals_start_line") == 6);
    // Nobody sees the order of the sections.
    CHECK(executions("programs/sections_results") == 1);
    CHECK(executions("programs/sections_look_up") == 1);
    CHECK(executions("programs/sections_look_up_shared") == 1);
    CHECK(executions("programs/sections_of_two_mutexes") == 1);
    CHECK(executions("programs/sections_neighbours") == 2);
    CHECK(executions("programs/assume_flag") == 1);
    CHECK(executions("programs/assume_alike") == 1);  // of six orders in which nobody sees another one's addition
}

}  // namespace ordeal::model_tests
