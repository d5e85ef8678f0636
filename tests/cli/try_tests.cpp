// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `ordeal try`: sources without a project are compiled as trials, and what they make says how the user calls it.
#include "source_folder.hpp"

#include <catch2/catch.hpp>

using namespace ordeal::test;
using Catch::Matchers::Contains;

namespace {

constexpr const char* message = R"(#include <ordeal/trial.h>
#include <atomic>
#include <thread>

ORDEAL_TRIAL("message/relaxed") {
    int content = 0;
    std::atomic<bool> full{false};
    std::thread sender([&] {
        content = 42;
        full.store(true, std::memory_order_relaxed);
    });
    if (full.load(std::memory_order_acquire)) content = content + 1;
    sender.join();
}

ORDEAL_TRIAL("counts") {
    std::atomic<int> count{0};
    std::thread other([&] { count.fetch_add(1); });
    count.fetch_add(1);
    other.join();
}
)";

constexpr const char* in_c = R"(#include <ordeal/trial.h>
#include <pthread.h>
#include <stdatomic.h>

static int content;
static atomic_bool full;

static void* send(void* unused) {
    content = 42;
    atomic_store_explicit(&full, 1, memory_order_release);
    return unused;
}

void trial(void) {
    pthread_t sender;
    pthread_create(&sender, 0, send, 0);
    if (atomic_load_explicit(&full, memory_order_acquire)) content = content + 1;
    pthread_join(sender, 0);
}

ORDEAL_TRIAL("relaxed") {
    pthread_t sender;
    pthread_create(&sender, 0, send, 0);
    if (atomic_load_explicit(&full, memory_order_relaxed)) content = content + 1;
    pthread_join(sender, 0);
}
)";

// What ends the process comes after the last thread, whoever has exited before.
constexpr const char* threads_of_c = R"(#include <ordeal/trial.h>
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

static mtx_t mutex;
static int counted, at_exit;

static void check(void) { assert(counted == at_exit); }

static int count(void* unused) {
    mtx_lock(&mutex);
    ++counted;
    mtx_unlock(&mutex);
    thrd_exit(unused != 0);
}

static void exit_before_others(int waits) {
    thrd_t threads[2];
    mtx_init(&mutex, mtx_plain);
    atexit(check);
    for (int i = 0; i < 2; ++i) thrd_create(&threads[i], count, 0);
    for (int i = 0; i < 2; ++i) waits ? thrd_join(threads[i], 0) : thrd_detach(threads[i]);
    at_exit = 2;
    pthread_exit(0);
}

ORDEAL_TRIAL("joins") { exit_before_others(1); }
ORDEAL_TRIAL("detaches") { exit_before_others(0); }
)";

constexpr const char* with_flags = R"(#include "answer.hpp"
#include <atomic>
#include <thread>
#if __cplusplus != 201703L || ANSWER != 42 || GIVEN != 1
#error "the flags were not taken"
#endif

std::atomic<int> shared;

void trial() {
    std::thread other([] { shared.store(1); });
    (void)shared.load();
    other.join();
}
)";

// The block of this language in a page of the documents.
std::string listing(const char* page, const std::string& language) {
    const std::string text = content(std::string(ORDEAL_SOURCE_ROOT) + "/docs/how-to/" + page);
    const std::string fence = "\n```" + language + "\n";
    const std::size_t begin = text.find(fence) + fence.size();
    return text.substr(begin, text.find("\n```\n", begin) + 1 - begin);
}

}  // namespace

TEST_CASE("try compiles a source and checks its trials, and the lines that it prints show a violation again") {
    const source_folder folder;
    folder.write("a b/message.cpp", message);
    const finished checked = folder.in_shell("ordeal try 'a b/message.cpp'");
    CAPTURE(checked.err);
    CHECK(checked.code == 1);
    CHECK_THAT(checked.out, Contains("counts           graph   held") &&
                                Contains("a write by another thread at a b/message.cpp:9") &&
                                Contains("\n  ordeal try 'a b/message.cpp' audit message --fix\n"));
    const std::size_t begin = checked.out.find("ordeal try 'a b/message.cpp' replay 'o1:");
    REQUIRE(begin != std::string::npos);
    const finished again = folder.in_shell(checked.out.substr(begin, checked.out.find('\n', begin) - begin));
    CHECK(again.code == 1);
    CHECK_THAT(again.out, Contains("violated: data race"));

    const finished wrong = folder.in_shell("ordeal try 'a b/message.cpp' lits");
    CHECK(wrong.code == 2);
    CHECK(wrong.err == "ordeal try 'a b/message.cpp': no command 'lits'; did you mean list?\n");

    // How many threads a trial creates, an execution shows.
    const finished names = folder.in_shell("ordeal try 'a b/message.cpp' list");
    CHECK_THAT(names.out, Contains("counts                    held") && !Contains(" 1 "));

    // What changes is built again; a trial without '/' in its name is one of the source.
    folder.write("a b/message.cpp", std::string(message).replace(std::string(message).find("relaxed)"), 8, "release)"));
    const finished listed =
        folder.in_shell("ordeal try 'a b/message.cpp' list --json - && ordeal try 'a b/message.cpp'");
    CHECK(listed.code == 0);
    CHECK_THAT(listed.out, Contains(R"("subject": "message")") && Contains("All as expected."));
}

TEST_CASE("trials may be written in C, as functions trial() and by the macro") {
    const source_folder folder;
    folder.write("message.c", in_c);
    const finished checked = folder.in_shell("ordeal try message.c");
    CAPTURE(checked.err);
    CHECK(checked.code == 1);
    CHECK_THAT(checked.out, Contains("message   graph   held") && Contains("relaxed   graph   violated: data race") &&
                                Contains("message.c:24 load as acquire in place of relaxed"));
    folder.write("threads.c", threads_of_c);
    const finished exits = folder.in_shell("ordeal try threads.c");
    CAPTURE(exits.out, exits.err);
    CHECK(exits.code == 0);
    CHECK_THAT(exits.out, Contains("joins     graph   held") && Contains("detaches  graph   held"));
}

TEST_CASE("try takes flags of the compiler: its standard, definitions, folders relative to the user's, and a level") {
    const source_folder folder;
    folder.write("trial.cpp", with_flags);
    folder.write("the headers/answer.hpp", "#define ANSWER 42\n");
    const std::string flags = "-- -std=c++17 -DGIVEN=1 -I 'the headers' -O2";
    const finished checked = folder.in_shell("ordeal try trial.cpp " + flags);
    CAPTURE(checked.err);
    CHECK(checked.code == 0);
    CHECK_THAT(checked.out, Contains("trial     graph   held"));
    const finished helped = folder.in_shell("ordeal try trial.cpp " + flags + " -- check --help");
    CHECK_THAT(helped.out,
               Contains("Usage: ordeal try trial.cpp -- -std=c++17 -DGIVEN=1 -I 'the headers' -O2 -- check"));
}

TEST_CASE(
    "a local variable whose function has returned has its name, where a pointer to it is read and where it is used") {
    const source_folder folder;
    folder.write("scope.cpp", R"(#include <atomic>
#include <thread>

std::atomic<int*> shared{nullptr};

void trial() {
    std::thread other([] {
        int local = 3;
        shared.store(&local, std::memory_order_release);
    });
    if (int* const found = shared.load(std::memory_order_acquire)) *found = 4;
    other.join();
}
)");
    const finished checked = folder.in_shell("ordeal try scope.cpp");
    CAPTURE(checked.err);
    CHECK(checked.code == 1);
    CHECK_THAT(checked.out,
               Contains(R"(local "local" of thread 2 is used after its scope may have ended at scope.cpp:10)") &&
                   Contains(R"(load acquire shared, reads c: &local "local" of thread 2)") &&
                   Contains(R"(violation: write local "local" of thread 2)"));
}

TEST_CASE("the Makefile and the meson.build of the documents check the trials of a project without CMake") {
    const source_folder folder;
    folder.write("trials/message.cpp", message);
    folder.write("Makefile", listing("without-cmake.md", "make"));
    folder.write("meson.build", listing("without-cmake.md", "meson"));
    const finished made = folder.in_shell("make check");
    CAPTURE(made.out, made.err);
    CHECK(made.code == 2);
    CHECK_THAT(made.out, Contains("violated: data race") && Contains("ordeal try trials/message.cpp"));
    const finished tested = folder.in_shell("meson setup built && meson test -C built --print-errorlogs");
    CAPTURE(tested.out, tested.err);
    CHECK(tested.code == 1);
    CHECK_THAT(tested.out, Contains("violated: data race"));
}

TEST_CASE("the evidence of try for three classic bugs says what did it, in an order without stale reads") {
    const source_folder folder;
    folder.write("classic.cpp", R"(
#include <ordeal/trial.h>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>
#include <thread>

ORDEAL_TRIAL("lost_update") {  // by two threads, which are joined in turn
    std::atomic<int> sum{0};
    const auto add = [&](int n) { sum.store(sum.load(std::memory_order_relaxed) + n, std::memory_order_relaxed); };
    std::thread one(add, 10);
    std::thread two(add, 5);
    one.join();
    two.join();
    assert(sum.load(std::memory_order_relaxed) == 15);
}

ORDEAL_TRIAL("stale_ticket") {
    std::atomic<int> ready{0};
    std::atomic<int> ticket{0};
    std::jthread other([&] {
        ready = 1;
        ++ticket;
        ticket.notify_all();
    });
    while (ready == 0) ticket.wait(ticket);
}

ORDEAL_TRIAL("one_notified") {
    std::atomic<int> gate{0};
    std::jthread one([&] { gate.wait(0); });
    std::jthread two([&] { gate.wait(0); });
    gate = 1;
    gate.notify_one();
}

ORDEAL_TRIAL("early_notification") {
    std::atomic<int> turn{0};
    std::jthread other([&] {
        turn.notify_one();
        turn = 1;
    });
    turn.wait(0);
}

ORDEAL_TRIAL("permits") {
    std::counting_semaphore<2> permits{1};
    std::jthread greedy([&] {
        permits.acquire();
        permits.acquire();
        permits.release(2);
    });
    permits.acquire();
    permits.release();
}

ORDEAL_TRIAL("absent") {
    std::latch started{2};
    std::atomic<bool> enabled{false};
    std::jthread other([&] {
        if (enabled) started.count_down();
    });
    enabled = true;
    started.arrive_and_wait();
}

ORDEAL_TRIAL("second_put") {  // notifies nobody
    std::mutex mutex;
    std::condition_variable changed;
    int filled = 0;
    const auto take = [&] {
        std::unique_lock lock(mutex);
        while (filled == 0) changed.wait(lock);
        --filled;
    };
    const auto put = [&] {
        const std::lock_guard lock(mutex);
        if (filled++ == 0) changed.notify_one();
    };
    std::jthread one(take);
    std::jthread two(take);
    put();
    put();
}
)");
    const finished checked = folder.in_shell("ordeal try classic.cpp check --trace --quiet");
    CAPTURE(checked.out, checked.err);
    CHECK(checked.code == 1);
    CHECK_THAT(checked.out, !Contains("stale\n") && !Contains("stale "));
    CHECK_THAT(checked.out, Contains("had not read: its load"));
    CHECK_THAT(checked.out, Contains("the notify_all of ticket by thread 2, came before the wait of main in"));
    CHECK_THAT(checked.out, Contains("the notify_one of gate by main, did not end the wait of thread"));
    CHECK_THAT(checked.out,
               Contains("the store of turn by thread 2, changes it, and no notification comes after that."));
    // A semaphore is spoken of in its own words, and a thread that did not do its part has the read that was why.
    CHECK_THAT(checked.out, Contains("it waits for a release of permits") && Contains("| acquire permits: 1 -> 0") &&
                                !Contains("notify_all permits") && !Contains("std::counting_semaphore permits"));
    CHECK_THAT(checked.out, Contains("load seq_cst enabled: false"));
    // The put that notifies is shown whole: its unlock follows its notification, and not that of the other put.
    const auto step = [&](const std::string& operation, std::size_t from) { return checked.out.find(operation, from); };
    const std::size_t notified = step("| notify_one changed", 0);
    REQUIRE(notified != std::string::npos);
    CHECK(step("| unlock mutex", notified) < step("never goes on", notified));
}

TEST_CASE("a crash has the line at which it happened, and a call of what is no function that of the call") {
    const source_folder folder;
    folder.write("crash.cpp", R"(#include <atomic>
#include <ordeal/trial.h>
#include <thread>

std::atomic<int*> published{nullptr};
std::atomic<void (*)()> hook{nullptr};
int deep(int n) {
    volatile char frame[4096];
    frame[0] = static_cast<char>(n);
    return frame[0] + deep(n + 1);
}

ORDEAL_TRIAL("null") {
    std::jthread other([] { published = new int(1); });
    published = published + *published;
}

ORDEAL_TRIAL("hook") {
    void (*const call)() = hook;
    call();
}

ORDEAL_TRIAL("deep") { hook = deep(0) > 0 ? +[] {} : nullptr; }
)");
    for (const char* const flags : {"-O0", "-O1"}) {
        const finished checked = folder.in_shell("ordeal try crash.cpp check --trace --quiet -- " + std::string(flags));
        CAPTURE(flags, checked.out, checked.err);
        CHECK(checked.code == 1);
        CHECK_THAT(checked.out, Contains("SIGSEGV: a null pointer is dereferenced"));
        CHECK_THAT(checked.out, Contains("main  crash.cpp:15  published = published + *published;"));
        CHECK_THAT(checked.out, Contains("main  crash.cpp:20  call();"));
        CHECK_THAT(checked.out, Contains("main  crash.cpp:10  return frame[0] + deep(n + 1);") ||
                                    Contains("main  crash.cpp:9  frame[0] = static_cast<char>(n);") ||
                                    Contains("main  crash.cpp:7  int deep(int n) {"));
    }
}

TEST_CASE("what try cannot compile or find is said in the words of the compiler, or of the system, and nothing runs") {
    const source_folder folder;
    folder.write("wrong.cpp", "void trial() { int x = \"a\"; }\n");
    const finished wrong = folder.in_shell("ordeal try wrong.cpp");
    CHECK(wrong.code == 4);
    CHECK(wrong.out.empty());
    CHECK_THAT(wrong.err, Contains("wrong.cpp:1:20: error:") &&
                              Contains("\nordeal: wrong was not built: nothing was run\n") && !Contains("FAILED") &&
                              !Contains("ninja"));
    folder.write("one.cpp", "void trial() {}\n");
    folder.write("two.cpp", "void trial() {}\n");
    CHECK_THAT(folder.in_shell("ordeal try one.cpp two.cpp").err,
               Contains("\nordeal: for several trials in a program write ORDEAL_TRIAL(\"name\") { ... }, of "
                        "<ordeal/trial.h>, for each\n"));
    folder.write("plain.cpp", "int main() {}\n");
    CHECK_THAT(folder.in_shell("ordeal try plain.cpp").out, Contains("Nothing ran: this program has no scenario"));

    const finished missing = folder.in_shell("ordeal try nowhere.cpp");
    CHECK(missing.code == 2);
    CHECK(missing.err == "ordeal: cannot read 'nowhere.cpp': No such file or directory\n");
    CHECK_THAT(folder.in_shell("mkdir folder.cpp && ordeal try folder.cpp").err,
               Contains("'folder.cpp': it is a folder"));
    CHECK(folder.in_shell("ordeal try").code == 2);
    const finished homeless = folder.in_shell("unset XDG_CACHE_HOME HOME; ordeal try wrong.cpp");
    CHECK(homeless.code == 2);
    CHECK_THAT(homeless.err, Contains("set one of them to a folder"));
    CHECK(folder.in_shell("ordeal try check").err ==
          "ordeal: 'check' is no source: those of C++ and C end with .cpp, .cc, .cxx, .c++, .C, .c\n"
          "ordeal help try shows what there is.\n");
    const finished no_cmake =
        folder.in_shell("ln -s \"$(command -v ordeal)\" own && PATH=/nowhere ./own try wrong.cpp");
    CHECK(no_cmake.code == 3);
    CHECK_THAT(no_cmake.err, Contains("try needs cmake, which is not installed, or not on the PATH"));
    const finished broken = folder.in_shell(
        "mkdir broken && printf '#!/nowhere\\n' >broken/cmake && chmod +x broken/cmake && PATH=\"$PWD/broken\" "
        "./own try plain.cpp");
    CHECK(broken.code == 3);
    CHECK_THAT(broken.err, Contains("cmake cannot be started: No such file or directory"));
}

TEST_CASE("clients that make no sense are refused before anything runs, and the message says of which class") {
    const source_folder folder;
    // Compiled once: the environment says what is declared.
    folder.write("clients.cpp", R"(#include <ordeal/scenario/clients.hpp>
#include <cstdlib>
#include <string>
struct nothing {};
ORDEAL_CLIENTS(clients, "nothing", nothing) {
    const char* const given = std::getenv("DECLARED");
    const std::string what = given == nullptr ? "" : given;
    const auto go = [](auto&) {};
    const auto with_argument = [](auto&, int) {};
    if (what == "no operation") return;
    if (what == "no values") return (void)clients.operation("go", with_argument);
    if (what == "nothing to publish") return (void)clients.operation("go", go).publishes();
    auto operation = clients.operation("go", go);
    if (what == "twice") clients.operation("go", go);
    if (what == "values") operation.with({1});
    if (what == "start") clients.starts("gone", {"gone"});
    if (what == "fails") operation.may_fail();
    if (what == "nobody") return (void)(operation.by_one_thread(), clients.sizes({{2, 1}}));
    if (what == "waits") {
        clients.starts("stuck", {"go"});
        clients.specification(0).operation("go", [](int&) {}, [](int) { return false; });
    }
    if (what == "specification") clients.specification(0);
    if (what == "separator") clients.operation("go:there", go);
    if (what == "regressions") clients.client("5x1/go+go+go+go+go");
    if (what == "regression") clients.client("2x1/go+come");
    if (what == "threads") clients.sizes({{9, 1}});
    if (what == "calls") clients.sizes({{4, 5}});
    if (what == "many") {
        for (int i = 0; i < 20; ++i) clients.operation("go" + std::to_string(i), go);
    }
}
)");
    CHECK(folder.in_shell("ordeal try clients.cpp").code == 0);
    const auto refused = [&](const std::string& declared, const std::string& why) {
        const finished result = folder.in_shell("DECLARED='" + declared + "' ordeal try clients.cpp");
        INFO(declared);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, Contains("ordeal: clients of 'nothing': " + why));
    };
    refused("no operation", "there is no operation\n");
    refused("no values", "'go' has a parameter, and with() gives no values\n");
    refused("nothing to publish", "what publishes has a parameter fresh<T>\n");
    refused("twice", "'go' is declared twice\n");
    refused("values", "with() gives values to 'go', which has no parameter for them\n");
    refused("start", "there is no operation 'gone'\n");
    refused("fails", "'go' may fail, and returns no bool and nothing that may be empty\n");
    refused("nobody", "the rules of use leave none of these sizes\n");
    refused("waits", "a call of the start 'stuck' waits: 'go'\n");
    refused("specification", "the specification lacks 'go'\n");
    refused("separator", "'go:there' is no name of an operation, for it is empty or has one of +,:/\n");
    refused("threads", "a client has 1 to 8 threads");
    refused("calls", "a client has 1 to 8 threads");
    refused("many", "there are more than 10000; take smaller sizes\n");
    refused("regression", "'2x1/go+come' is none of its clients\n");

    const auto clients = [&](const std::string& arguments) {
        return folder.in_shell("DECLARED=regressions ordeal try clients.cpp " + arguments);
    };
    const finished others = clients("clients --sizes 3x2,1x1");
    CHECK(others.code == 0);
    CHECK_THAT(others.err, Contains("nothing: 2 clients of 1x1 and 3x2\n"));
    CHECK_THAT(others.out, Contains("nothing/3x2/go,go+go,go+go,go") &&
                               Contains("nothing: held for all 2 clients of 1x1 and 3x2."));
    CHECK_THAT(clients("clients nothing --sizes 4x2 --drawn 5 --seed 3 --quiet").out,
               Contains("nothing: held for 1 client of 4x2, drawn with seed 3."));
    CHECK_THAT(clients("list").out, Contains("nothing/5x1/go+go+go+go+go"));
    CHECK(clients("check nothing/8x1/go+go+go+go+go+go+go+go").code == 0);
    const auto wrong = [&](const std::string& arguments, const std::string& why) {
        const finished result = clients(arguments);
        INFO(arguments);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, Contains(why));
    };
    wrong("clients noting", "no clients are named 'noting'; did you mean 'nothing'?");
    wrong("clients --sizes 3", "no size of clients: '3'; threads x calls of each, as 3x2");
    wrong("clients --sizes 9x1", "clients of 'nothing': a client has 1 to 8 threads");
    wrong("check nothing/2x1/go+come", "no scenario matches 'nothing/2x1/go+come'");
    wrong("check nothing/9x1/go", "no scenario matches 'nothing/9x1/go'");
}

TEST_CASE("an audit by all clients says of which clients it speaks") {
    const source_folder folder;
    folder.write("clients.cpp", R"(#include <ordeal/scenario/clients.hpp>
#include <atomic>
#include <optional>
struct box {
    std::atomic<int> value;
    void put(int v) { value.store(v, std::memory_order_seq_cst); }
    std::optional<int> get() {
        const int seen = value.load(std::memory_order_acquire);
        return seen == 0 ? std::nullopt : std::optional<int>(seen);
    }
};
ORDEAL_CLIENTS(clients, "box", box) {
    clients.operation("put", [](auto& box, ordeal::fresh<int> v) { box.put(v); }).by_one_thread().publishes();
    clients.operation("get", [](auto& box) { return box.get(); }).observes();
    clients.sizes({{1, 2}, {2, 1}, {2, 2}});
}
)");
    const finished result = folder.in_shell("ordeal try clients.cpp audit");
    INFO(result.out);
    // Release is enough for every program of these sizes, and less is not.
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Contains("the first to do so: box/2x1/put+get"));
    CHECK_THAT(result.out,
               Contains("Not detected by any of the 10\nclients of 1x2, 2x1 and 2x2: clients.cpp:6 as release"));
}

TEST_CASE("clients are judged by what each call returned, and when it had ended") {
    const source_folder folder;
    folder.write("clients.cpp", R"(#include <ordeal/scenario/clients.hpp>
#include <ordeal/scenario/require.hpp>
#include <atomic>
#include <memory>
#include <optional>
using ordeal::calling_thread;
using ordeal::completion;

struct backwards {
    std::atomic<int> count{0};
    int next() { return 1 - count.fetch_add(1); }
};
ORDEAL_CLIENTS(later, "completes", backwards) {
    later.operation("next", [](auto& counter, completion done) { done(counter.next()); }).at_most(2);
    later.sizes({{1, 2}});
    later.specification(0).operation("next", [](int& next) { return next++; });
}

struct counter {
    std::atomic<int> count{0};
};
ORDEAL_CLIENTS(twice, "completes twice", counter) {
    twice.operation("next", [](auto& counter, completion done) {
        done(7);
        done(counter.count.fetch_add(1));
    });
    twice.sizes({{1, 1}});
    twice.specification(0).operation("next", [](int& next) { return next++; });
}

struct answer {
    std::optional<bool> says;
};
void declare_answer(auto& clients) {
    clients.operation("get", [](auto& answer) { return answer.says; }).may_fail();
    clients.sizes({{1, 1}});
    clients.specification(0).operation("get", [](int&) { return std::optional<bool>(true); });
}
ORDEAL_CLIENTS(lies, "lies", answer) {
    lies.operation("get", [](auto&) { return std::optional<bool>(false); }).may_fail();
    lies.sizes({{1, 1}});
    lies.specification(0).operation("get", [](int&) { return std::optional<bool>(true); });
}
ORDEAL_CLIENTS(fails, "fails", answer) { declare_answer(fails); }

// What a specification allocates is given back: together it is more than the objects of a program may have.
ORDEAL_CLIENTS(allocates, "allocates", counter) {
    allocates.operation("next", [](auto& counter) { return counter.count.fetch_add(1); });
    allocates.sizes({{2, 3}});
    allocates.specification(0).operation("next", [](int& next) {
        const auto scratch = std::make_unique_for_overwrite<char[]>(std::size_t{1} << 28);
        return scratch == nullptr ? -1 : next++;
    });
}

struct owned {
    std::atomic<int> owner{-1};
};
ORDEAL_CLIENTS(owners, "owned", owned) {
    owners.operation("take", [](auto& all, calling_thread me) { all.owner = static_cast<int>(me.number); }).at_most(2);
    owners.operation("give", [](auto& all, calling_thread me) {
        ordeal::require(me.number != 0 || all.owner != 0, "only another one gives");
    }).at_most(1);
    owners.starts("taken", {"take"}).not_from_new();
    owners.sizes({{2, 1}});
}
)");
    const finished result = folder.in_shell("ordeal try clients.cpp --quiet");
    INFO(result.out << result.err);
    CHECK(result.code == 1);
    CHECK_THAT(result.out, Contains("\ncompletes/1x2/next,next\nviolated: failed requirement: no order of the calls"));
    CHECK_THAT(result.out, Contains("violated: failed requirement: a call completes once"));
    CHECK_THAT(result.out, Contains("\nlies/1x1/get\nviolated"));
    CHECK_THAT(result.out, Contains("fails: held for all 1 client of 1x1"));
    CHECK_THAT(result.out, Contains("allocates: held for all 1 client of 2x3"));
    // Where the object is told who calls, the first thread is not any thread.
    CHECK_THAT(result.out, Contains("violated: failed requirement: only another one gives"));
    CHECK_THAT(result.out, Contains("owned/2x1/taken:give+take"));
}

TEST_CASE("what a specification has and no execution showed is said, and whether may_fail() is needed") {
    const source_folder folder;
    folder.write("clients.cpp", R"(#include <ordeal/scenario/clients.hpp>
#include <atomic>
#include <optional>
struct flag {
    std::atomic<bool> is_set{false};
    bool set() { return !is_set.exchange(true); }
};
void declare_flag(auto& clients) {
    clients.operation("set", [](auto& flag) { return flag.set(); }).may_fail();
    clients.sizes({{2, 1}});
}
struct same_flag : flag {};
ORDEAL_CLIENTS(clients, "flag", flag) {
    declare_flag(clients);
    clients.specification(false).operation("set", [](bool& set) { return !std::exchange(set, true); });
}
ORDEAL_CLIENTS(clients, "generous", same_flag) {
    declare_flag(clients);
    clients.specification(0).operation("set", [](int& set, ordeal::choice& choose) {
        return choose(2) == 0 && set++ >= 0;
    });
}
)");
    const finished result = folder.in_shell("ordeal try clients.cpp --quiet --json report.json");
    INFO(result.out << result.err);
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Contains("flag: each outcome is one of the specification without may_fail().\n"));
    // Of two calls both may fail, both succeed, and one of them, which is the same for either.
    CHECK_THAT(result.out, Contains("generous: of the 3 outcomes that the specification has, 2 in no execution, as "
                                    "set() = false | set() = false in\ngenerous/2x1/set+set.\n"));
    CHECK_THAT(folder.in_shell("jq --compact-output '[.scenarios[].outcomes_not_shown]' report.json").out,
               Contains(R"([[],["set() = false | set() = false","set() = true | set() = true"]])"));
}

TEST_CASE("threads that two others create at once are told apart by their functions") {
    const source_folder folder;
    folder.write("creators.cpp", R"(#include <ordeal/scenario/require.hpp>
#include <ordeal/trial.h>
#include <pthread.h>
#include <atomic>
static std::atomic<int> value{0}, steps{0};
static int seen, first, second, third;
static void* one(void*) { seen = value.fetch_add(1); return nullptr; }
static void* ten(void*) { value.fetch_add(10); return nullptr; }
static pthread_t start(void* (*body)(void*)) {
    pthread_t id;
    pthread_create(&id, nullptr, body, nullptr);
    return id;
}
static void* creator(void*) { pthread_join(start(ten), nullptr); return nullptr; }
static void* watcher(void*) {
    first = steps.fetch_add(1);
    second = steps.fetch_add(1);
    third = steps.fetch_add(1);
    return nullptr;
}
static void* tens(void*) { for (int i = 0; i < 4; ++i) steps.fetch_add(10); return nullptr; }
static void* hundreds(void*) { for (int i = 0; i < 2; ++i) steps.fetch_add(100); return nullptr; }
ORDEAL_TRIAL("creators") {
    const pthread_t others[] = {start(watcher), start(tens), start(hundreds), start(creator), start(one), start(ten)};
    for (const pthread_t each : others) if (each != others[3]) pthread_join(each, nullptr);
    if (value.load() == 11) ordeal::require(!(seen == 10 && first == 20 && second == 121 && third == 232));
    pthread_join(others[3], nullptr);
}
)");
    for (const char* const reductions : {"", " --reductions none"}) {
        const finished result =
            folder.in_shell(std::string("ordeal try creators.cpp --quiet --time-budget 100") + reductions);
        INFO(result.out << result.err);
        CHECK(result.code == 1);
        CHECK_THAT(result.out, Contains("violated: failed requirement"));
    }
}
