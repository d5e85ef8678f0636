// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `ordeal test`: existing tests, by the command that builds them.
#include "ordeal/cli/compiler_words.hpp"
#include "source_folder.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

constexpr const char* mailbox = R"(#include "mailbox.hpp"

#include <gtest/gtest.h>

#include <thread>

TEST(mailbox, keeps_a_letter) {
    mailbox box;
    box.put(42);
    int letter = 0;
    ASSERT_TRUE(box.take(letter));
    EXPECT_EQ(letter, 42);
}

TEST(mailbox, gives_all_or_nothing) {
    mailbox box;
    std::thread postman([&] { box.put(42); });
    int letter = 0;
    if (box.take(letter)) EXPECT_EQ(letter, 42);
    postman.join();
}
)";

constexpr const char* mailbox_header = R"(#include <atomic>

class mailbox {
public:
    void put(int letter);
    bool take(int& letter);

private:
    int letter_ = 0;
    std::atomic<bool> full_{false};
};
)";

constexpr const char* mailbox_source = R"(#include "mailbox.hpp"

void mailbox::put(int letter) {
    letter_ = letter;
    full_.store(true, std::memory_order_relaxed);
}

bool mailbox::take(int& letter) {
    if (!full_.load(std::memory_order_acquire)) return false;
    letter = letter_;
    return true;
}
)";

// Without a framework; it says which flags it was compiled with.
constexpr const char* plain = R"(#include "answer.hpp"
#include <atomic>
#include <thread>
#if __cplusplus != 201703L || ANSWER != 42 || defined TAKEN_BACK
#error "the flags were not taken"
#endif
#ifndef __OPTIMIZE__
#error "the level was not taken"
#endif

std::atomic<int> shared{0};

int main() {
    const char* const word = WORD;
    int unused = 1;
    std::thread other([] { shared.fetch_add(1); });
    shared.fetch_add(1);
    other.join();
    return shared == 2 && word[1] == ' ' ? 0 : 1;
}
)";

}  // namespace

TEST_CASE(
    "test builds existing tests by their own command, checks each test case, and its lines show a violation again") {
    const source_folder folder;
    folder.write("mailbox_test.cpp", mailbox);
    folder.write("the box/mailbox.hpp", mailbox_header);
    folder.write("the box/mailbox.cpp", mailbox_source);
    const std::string command =
        "c++ -O1 '-Ithe box' mailbox_test.cpp 'the box/mailbox.cpp' -lgtest_main -lgtest -pthread -o out/mailbox";
    const finished checked = folder.in_shell("ordeal test -- " + command);
    CAPTURE(checked.out, checked.err);
    CHECK(checked.code == 1);
    CHECK_THAT(checked.out, Contains("mailbox.gives_all_or_nothing  graph   violated: data race") &&
                                Contains("mailbox.keeps_a_letter        graph   held within, one thread"));
    CHECK_THAT(checked.out, Contains("a write by another thread at the box/mailbox.cpp:4"));
    // What is left out is named: nothing fails spuriously, nothing is allocated again.
    CHECK_THAT(checked.out, Contains("libgtest.a"));

    const std::size_t begin = checked.out.find("ordeal test -- c++ -O1 ");
    REQUIRE(begin != std::string::npos);
    const std::string line = checked.out.substr(begin, checked.out.find('\n', begin) - begin);
    CHECK_THAT(line, Contains(" -o out/mailbox -- replay 'o1:graph:mailbox.gives_all_or_nothing:"));
    const finished again = folder.in_shell(line);
    CHECK(again.code == 1);
    CHECK_THAT(again.out, Contains("violated: data race"));

    const finished some = folder.in_shell("ordeal test '*.keeps*' --json - --quiet -- " + command);
    CHECK(some.code == 0);
    CHECK_THAT(some.out, Contains(R"("name": "mailbox.keeps_a_letter")") && Contains(R"("subject": "mailbox")") &&
                             Contains(R"("time_budget": 60.0)") && !Contains("gives_all"));
    const finished none = folder.in_shell("ordeal test 'nothing*' -- " + command);
    CHECK(none.code == 2);
    CHECK_THAT(none.err, Contains("no scenario matches 'nothing*'"));
    const finished fixed = folder.in_shell("ordeal test audit '*.gives*' --fix --quiet -- " + command);
    CHECK_THAT(fixed.out, Contains("+    full_.store(true, std::memory_order_release);"));

    // Sources alone: what their framework needs is linked.
    const finished alone =
        folder.in_shell("ordeal test mailbox_test.cpp 'the box/mailbox.cpp' '*.keeps*' -- '-Ithe box'");
    CAPTURE(alone.err);
    CHECK(alone.code == 0);
    CHECK_THAT(alone.out, Contains("mailbox.keeps_a_letter"));
    // Of what is linked otherwise, the linker says what is missing.
    const finished unlinked = folder.in_shell("ordeal test -- c++ '-Ithe box' mailbox_test.cpp 'the box/mailbox.cpp'");
    CHECK(unlinked.code == 4);
    CHECK_THAT(unlinked.err, Contains("undefined reference to `testing::") &&
                                 Contains("\nordeal: mailbox_test was not built: nothing was run\n"));
}

TEST_CASE("test takes the flags of a command, without what is for another compiler or for the program alone") {
    const source_folder folder;
    folder.write("plain_test.cc", plain);
    folder.write("headers/answer.hpp", "#define ANSWER 42\n");
    const finished checked = folder.in_shell(
        "ordeal test -- ccache g++-99 -std=c++17 -O2 -g -Wall -Werror -Wlogical-op -pedantic -I headers "
        "-DWORD='\"a b\"' -D TAKEN_BACK -UTAKEN_BACK -MMD -MF deps.d -flto -fPIE plain_test.cc -pie -static -s "
        "-Wl,-z,defs -Xlinker --as-needed -o built/plain_test.exe");
    CAPTURE(checked.out, checked.err);
    CHECK(checked.code == 0);
    CHECK_THAT(checked.out, Contains("plain_test  graph   held     as expected           2"));
    const finished failing = folder.in_shell(
        "ordeal test --require-complete --quiet -- c++ -std=c++17 -O1 -Iheaders -DWORD='\"none\"' plain_test.cc");
    CHECK(failing.code == 1);
    CHECK_THAT(failing.out, Contains("the test failed: main returned 1"));
}

TEST_CASE("a source that g++ takes for C++ is compiled as C++, and one that gcc takes as C") {
    const source_folder folder;
    folder.write("t.c", R"(#include <pthread.h>
static int count;
static void* add(void* unused) { ++count; return unused; }
int main(void) {
    pthread_t other;
#ifdef __cplusplus
    static_assert(true, "this is C++");
#endif
    pthread_create(&other, 0, add, 0);
    pthread_join(other, 0);
    return count == (sizeof('a') == 1) ? 0 : 3;
}
)");
    CHECK(folder.in_shell("ordeal test --quiet -- g++ t.c").code == 0);
    const finished in_c = folder.in_shell("ordeal test --quiet -- cc -std=c11 t.c");
    CHECK(in_c.code == 1);
    CHECK_THAT(in_c.out, Contains("main returned 3"));
}

TEST_CASE("what builds no program of tests from sources is refused, with what to write") {
    const source_folder folder;
    folder.write("a_test.cpp", "#include <gtest/gtest.h>\n#include <doctest/doctest.h>\n");
    const auto said = [&](const std::string& arguments) {
        const finished done = folder.in_shell("ordeal test " + arguments);
        CAPTURE(arguments, done.out);
        CHECK(done.out.empty());
        CHECK(done.code == 2);
        return done.err;
    };
    CHECK_THAT(
        said("-- c++ -O1 -c a_test.cpp"),
        StartsWith("ordeal: the command compiles, and links no program (-c): give the one that builds the tests"));
    CHECK_THAT(said("-- c++ -fsyntax-only a_test.cpp"), Contains("links no program (-fsyntax-only)"));
    CHECK_THAT(said("-- c++ -shared a_test.cpp"), Contains("makes a shared library (-shared)"));
    CHECK_THAT(said("-- c++ -fsanitize=thread a_test.cpp"), Contains("-fsanitize=thread cannot be combined"));
    CHECK_THAT(said("-- c++ -x c++ a_test.cpp"), Contains("-x is not understood"));
    CHECK_THAT(said("-- c++ a_test.o -lgtest"),
               Contains("the command has no source, which would end with one of .cpp"));
    CHECK_THAT(said("-- c++ @words"), Contains("a file of options is not read"));
    CHECK_THAT(said("-- make a_test"), StartsWith("ordeal: 'make' is no compiler: after -- stands the command"));
    CHECK_THAT(said("-- ccache"), StartsWith("ordeal: 'ccache' is no compiler"));
    CHECK_THAT(said("-- c++ nowhere.cpp"), Contains("nowhere.cpp': No such file or directory"));
    CHECK_THAT(said("nowhere.cpp"), Contains("nowhere.cpp': No such file or directory"));
    CHECK_THAT(said("--framework nose -- c++ a_test.cpp"),
               StartsWith("ordeal: --framework: not one of googletest, catch2, doctest, boost, plain: 'nose'\n"));
    CHECK_THAT(said("a_test.cpp --allow-unseen"), StartsWith("ordeal: --allow-unseen: a value is missing\n"));
    const char* const incomplete =
        "ordeal: the command that builds the tests is missing: it stands after --, or sources stand in its place\n"
        "ordeal help test shows what there is.\n";
    for (const char* each : {"", "--", "mailbox", "--framework plain"}) CHECK(said(each) == incomplete);

    // What CMake would say is what ordeal's own function says.
    const finished two = folder.in_shell("ordeal test a_test.cpp");
    CHECK(two.code == 4);
    CHECK(two.err ==
          "ordeal: a_test has tests of googletest and doctest; say which by FRAMEWORK, or --framework; nothing was "
          "run\n");
    const finished help = folder.in_shell("ordeal test --help");
    CHECK(help.code == 0);
    CHECK_THAT(help.out, Contains("ordeal test -- c++ -O1 door_test.cpp") && Contains("--allow-unseen NAME"));
}

TEST_CASE("a flag has its value, behind it or as the next word, and paths are absolute") {
    using ordeal::detail::cmake_word;
    const auto words = [](const std::vector<std::string>& of) {
        std::vector<std::string> result;
        for (const auto& each : ordeal::detail::flags_of(of)) result.push_back(cmake_word(each));
        return result;
    };
    CHECK(
        words({"-D", "A=1", "-DB", "-I", "/a/../b", "-isystem/c", "-l", "fmt", "-Xclang", "-a \"b\"", "-O2"}) ==
        std::vector<std::string>{"-DA=1", "-DB", "-I/b", "-isystem/c", "-lfmt", R"(SHELL:-Xclang "-a \"b\"")", "-O2"});
    const auto relative = words({"-Lx", "y.a"});
    CHECK_THAT(relative.at(0), StartsWith("-L/"));
    CHECK_THAT(relative.at(1), StartsWith("/"));
    // The last word lacks a value.
    CHECK(words({"-D"}) == std::vector<std::string>{"-D"});
}

TEST_CASE("threads that wait when main has returned end with the process, and those that main waits for do not") {
    const source_folder folder;
    folder.write("worker.cpp", R"(#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
struct queue {
    std::mutex mutex;
    std::condition_variable changed;
    int jobs = 0;
    int done = 0;
};
int main() {
    static queue& all = *new queue;
    std::thread worker([] {
        std::unique_lock lock(all.mutex);
        for (;;) {
            all.changed.wait(lock, [] { return all.jobs != all.done; });
            ++all.done;
            all.changed.notify_all();
        }
    });
    {
        std::unique_lock lock(all.mutex);
        ++all.jobs;
        all.changed.notify_all();
        all.changed.wait(lock, [] { return all.done == 1; });
    }
#ifdef JOINS
    worker.join();
#else
    worker.detach();
#endif
}
)");
    const finished daemon = folder.in_shell("ordeal test -- clang++ -std=c++17 worker.cpp -pthread");
    INFO(daemon.out << daemon.err);
    CHECK(daemon.code == 0);
    const finished joined = folder.in_shell("ordeal test -- clang++ -std=c++17 -DJOINS worker.cpp -pthread");
    INFO(joined.out << joined.err);
    CHECK(joined.code == 1);
    CHECK_THAT(joined.out, Contains("violated: deadlock"));
}
