// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches that are interrupted and go on: to the same counts, outcomes and sites as one that was not; and files that
// are no checkpoint of the search.
#include "model_tests/graph/counting_up.hpp"
#include "model_tests/graph/search_parts.hpp"

#include "ordeal/engine/graph/core/explorer/explorer.hpp"
#include "ordeal/engine/graph/search/checkpoint.hpp"

#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

namespace files = std::filesystem;

// A directory of the test's own, gone when the test is over.
class scratch {
public:
    scratch() : path_(files::temp_directory_path() / ("ordeal-checkpoint-" + std::to_string(getpid()))) {
        files::create_directory(path_);
    }
    ~scratch() { files::remove_all(path_); }
    scratch(const scratch&) = delete;
    scratch& operator=(const scratch&) = delete;

    [[nodiscard]] std::string file(const std::string& name) const { return path_ / name; }

private:
    files::path path_;
};

std::string contents_of(const std::string& file) {
    if (!files::is_regular_file(file)) return "no file";
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::string& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

// In the process of a search: the number of executions after which it asks for a stop. 0: none.
int stop_after = 0;
int finished = 0;

// The same for a copy of the checkpoint that is there then.
int copy_after = 0;
std::string copied_file;

void stop_when_due() {
    if (stop_after != 0 && ++finished == stop_after) request_stop();
    if (copy_after != 0 && ++finished == copy_after) files::copy_file(copied_file, copied_file + ".copy");
}

// Many operations of one thread, before and after a few that meet those of the other.
template <class P>
struct long_and_short {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    typename P::template atomic<int> y{0};
    typename P::template atomic<int> own{0};
    std::array<int, 3> seen{};

    void run(int thread) {
        if (thread == 1) {
            seen[1] = y.load(acquire);
            x.store(1, relaxed);
            seen[2] = y.fetch_add(2, relaxed);
            return;
        }
        for (int i = 0; i < 150; ++i) own.store(i, relaxed);
        y.store(1, release);
        for (int i = 0; i < 450; ++i) own.fetch_add(i, relaxed);
        seen[0] = x.load(relaxed);
    }
    [[nodiscard]] std::string outcome() const { return values(seen[0], seen[1], seen[2], y.load(relaxed)); }
};

template <class P>
struct increments : counting_up<3, 3>::test<P> {
    void finish() { stop_when_due(); }
};

// The engine has learnt that its loop waits, and must come to the same where it goes on without that.
template <class P>
struct waits_in_loops {
    static constexpr auto threads = three_threads;
    typename P::template atomic<int> turn{0};
    typename P::template atomic<int> x{0};
    int seen = 0;

    void run(int thread) {
        x.store(thread, relaxed);
        while (turn.load(acquire) < thread) {
        }
        const int now = x.load(relaxed);
        if (thread == 2) seen = now;
        turn.store(thread + 1, release);
    }
    void finish() { stop_when_due(); }
    [[nodiscard]] std::string outcome() const { return values(seen); }
};

template <class P>
struct violated_at_the_end : second_first<3, 3>::test<P> {
    void finish() { stop_when_due(); }
};

search_options keeping(const std::string& file) {
    search_options how = full_search();
    how.checkpoint.file = file;
    return how;
}

// Stops the search after so many executions again and again, until it is through.
search_result search_in_parts(const scenario& what, int executions, const search_options& how, int& parts) {
    for (parts = 1;; ++parts) {
        stop_after = executions;
        const search_result result = graph_search(what, how);
        stop_after = 0;
        REQUIRE(parts < 1000);
        if (result.complete || result.verdict == verdict::violated) return result;
        REQUIRE(result.verdict == verdict::held_within);
        REQUIRE(result.stopped);
        REQUIRE(files::exists(how.checkpoint.file));
        REQUIRE(names_limit(result, "was ended after " + std::to_string(result.executions) + " execution"));
    }
}

void check_parts(const scenario& what, int executions) {
    const scratch directory;
    const std::string file = directory.file("search");
    const search_result whole = graph_search(what);
    int parts = 0;
    const search_result result = search_in_parts(what, executions, keeping(file), parts);
    CAPTURE(what.name, parts, result.message);
    CHECK(parts > 2);
    check_same(whole, result);
    CHECK_FALSE(files::exists(file));
}

// A checkpoint of an interrupted search of `increments`.
std::string interrupted_search(const std::string& file) {
    stop_after = 50;
    const search_result result = graph_search(make_scenario<increments>("increments"), keeping(file));
    stop_after = 0;
    REQUIRE(result.stopped);
    return contents_of(file);
}

// Refused, and the file left as it is.
void check_refused(const scenario& what, const search_options& how, const std::string& words) {
    const std::string before = contents_of(how.checkpoint.file);
    const search_result result = graph_search(what, how);
    CAPTURE(result.message);
    CHECK(result.verdict == verdict::inconclusive);
    CHECK(result.message.find(words) != std::string::npos);
    CHECK(result.message.find(how.checkpoint.file) != std::string::npos);
    CHECK(result.executions == 0);
    CHECK(contents_of(how.checkpoint.file) == before);
}

}  // namespace

TEST_CASE("A long run that is left in the middle leaves a graph to go on from") {
    CHECK(check_survives_leaving(make_scenario<long_and_short>("long and short")) > 1);
}

TEST_CASE("A search that is interrupted again and again comes to what an uninterrupted one comes to") {
    check_parts(make_scenario<increments>("increments"), 7);
    check_parts(make_scenario<increments>("increments"), 100);
    check_parts(make_scenario<increments>("increments"), 700);
}

TEST_CASE("An interrupted search over loops that wait comes to what an uninterrupted one comes to") {
    check_parts(make_scenario<waits_in_loops>("waits in loops"), 1);
    check_parts(make_scenario<waits_in_loops>("waits in loops"), 3);
}

TEST_CASE("An interrupted search finds the violation that is in a later part, and is then over") {
    const scratch directory;
    const std::string file = directory.file("search");
    int parts = 0;
    const scenario what = make_scenario<violated_at_the_end>("violated at the end");
    const search_result result = search_in_parts(what, 300, keeping(file), parts);
    CHECK(parts > 1);
    CHECK(result.kind == violation_kind::failed_requirement);
    CHECK(result.replay == graph_search(what).replay);
    CHECK_FALSE(files::exists(file));
}

TEST_CASE("Counts and graphs survive being written and read, at any point of a search") {
    check_survives_parts(make_scenario<increments>("increments"), 37);
}

TEST_CASE("A checkpoint of another search is refused and left alone") {
    const scratch directory;
    const std::string file = directory.file("search");
    (void)interrupted_search(file);
    check_refused(make_scenario<increments>("another name"), keeping(file), "is of another search");
    const scenario what = make_scenario<increments>("increments");
    search_options how = keeping(file);
    how.bounds.spurious = 1;
    check_refused(what, how, "is of another search");
    how = keeping(file);
    how.strategy.mode = search_mode::preemptions;
    check_refused(what, how, "is of another search");
    how = keeping(file);
    how.mutant.overrides = {{graph_search(what).sites.front().where.key, order::seq_cst}};
    check_refused(what, how, "is of another search");
}

TEST_CASE("A file that is no checkpoint, or a damaged one, is refused and left alone") {
    const scratch directory;
    const std::string file = directory.file("search");
    const scenario what = make_scenario<increments>("increments");
    const std::string good = interrupted_search(file);
    for (const std::string& text : {std::string(), std::string("not a checkpoint\n"), std::string("{}"), "x" + good}) {
        CAPTURE(text);
        write(file, text);
        check_refused(what, keeping(file), "is not a checkpoint");
    }
    for (const std::string& text : {good.substr(0, good.size() / 2), good + "x", good.substr(0, good.size() - 1)}) {
        write(file, text);
        check_refused(what, keeping(file), "is damaged");
    }
    std::string newer = good;
    newer.insert(newer.find('\n'), "9");
    write(file, newer);
    check_refused(what, keeping(file), "is of another version");
}

// The text of one that is taken, with each of its characters changed in turn.
TEST_CASE("A checkpoint with any character changed is refused") {
    const scratch directory;
    const std::string file = directory.file("search");
    const scenario what = make_scenario<increments>("increments");
    const search_options how = keeping(file);
    graph::checkpoint kept(what, how);
    const std::string good = interrupted_search(file);
    REQUIRE(kept.load());
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string damaged = good;
        damaged[at] = damaged[at] == '7' ? '8' : '7';
        write(file, damaged);
        INFO("character " << at);
        REQUIRE_THROWS_AS(kept.load(), std::runtime_error);
    }
}

TEST_CASE(
    "What a search writes while it goes on is where it was, and a search that goes on from that comes to the same") {
    const scratch directory;
    for (const int executions : {150, 700, 1500}) {
        const std::string file = directory.file("search");
        search_options how = keeping(file);
        how.checkpoint.seconds = 0;
        copied_file = file;
        copy_after = executions;
        const scenario what = make_scenario<increments>("increments");
        const search_result whole = graph_search(what, how);
        copy_after = 0;
        CHECK(whole.complete);
        check_same(whole, graph_search(what));
        CHECK_FALSE(files::exists(file));
        REQUIRE(files::exists(file + ".copy"));
        files::rename(file + ".copy", file);
        check_same(graph_search(what, keeping(file)), whole);
        CHECK_FALSE(files::exists(file));
    }
}

TEST_CASE("A checkpoint that cannot be read or written is inconclusive") {
    const scratch directory;
    const scenario what = make_scenario<increments>("increments");
    check_refused(what, keeping(directory.file("")), "checkpoint");
    stop_after = 10;
    const search_result result = graph_search(what, keeping(directory.file("nowhere/search")));
    stop_after = 0;
    CHECK(result.verdict == verdict::inconclusive);
    CHECK(result.message.find("cannot be written") != std::string::npos);
}

}  // namespace ordeal::model_tests
