// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test cases as scenarios. An execution of one is main() of the tests from its beginning to its end, with the
// framework's own filter for this test case: so fixtures, parameters, sections and skips are what they are elsewhere.
#include "ordeal/suite/test_cases.hpp"

#include "ordeal/cli/options/options.hpp"
#include "ordeal/cli/own_process.hpp"
#include "ordeal/engine/process/forked_process.hpp"
#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/libc/exit_calls.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/scenario/registration.hpp"
#include "ordeal/suite/existing_tests.hpp"
#include "ordeal/suite/test_listing.hpp"
#include "ordeal/symbols/loaded_modules.hpp"

#include <alloca.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

namespace {

constexpr int usage = 2;
constexpr double listing_seconds = 60;

constinit const existing_tests* tests = nullptr;

/// The arguments of main: what the block holds one after the other, each with a null behind it.
struct argument_block {
    std::vector<char> text;
    int count = 0;

    void add(std::string_view argument) {
        text.insert(text.end(), argument.begin(), argument.end());
        text.push_back('\0');
        ++count;
    }
};

struct test_case {
    std::string name;
    argument_block arguments;
};

// Main may write to its arguments: it gets a copy. Neither may own anything, as main may end by an exception or not at
// all.
[[gnu::noinline]] int run_main(const argument_block& arguments) {
    auto* const text = static_cast<char*>(alloca(arguments.text.size()));
    auto** const argv = static_cast<char**>(alloca((static_cast<std::size_t>(arguments.count) + 1) * sizeof(char*)));
    std::memcpy(text, arguments.text.data(), arguments.text.size());
    char* next = text;
    for (int i = 0; i < arguments.count; ++i) {
        argv[i] = next;
        next += std::strlen(next) + 1;
    }
    argv[arguments.count] = nullptr;
    return tests->main(arguments.count, argv);
}

// One line: what the lines of a message say is separated by commas.
void put_in_line(const char* message, std::array<char, 4096>& into) {
    std::size_t used = 0;
    const auto put = [&](char each) {
        if (used + 1 < into.size()) into[used++] = each;
    };
    for (bool broken = false; *message != '\0'; ++message) {
        const char each = *message;
        if (each == '\n' || each == '\r' || ((each == ' ' || each == '\t') && (broken || used == 0))) {
            broken |= each == '\n';
            continue;
        }
        if (broken && used != 0) {
            if (into[used - 1] != ':') put(',');
            put(' ');
        }
        broken = false;
        put(each);
    }
    into[used] = '\0';
}

site_id site_at(const char* file, unsigned line) {
    const harness_scope harness;
    return sites().add({.key = {file == nullptr ? "" : file, line, 0, role::load},
                        .atomic = false,
                        .function = {},
                        .operation = "assertion"});
}

// Where main itself begins, since nothing else says where a test without a framework has failed.
site_id site_of_main() {
    const harness_scope harness;
    return plain_code_site({reinterpret_cast<std::uintptr_t>(tests->main) + 1, 0, "main"});
}

void run_test_case(void* object, int /*thread*/) {
    const test_case& what = **static_cast<const test_case* const*>(object);
    const int code = run_main(what.arguments);
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return;
    static std::array<char, 512> words;  // the calls below do not return
    if (code != 0) {
        std::snprintf(words.data(), words.size(), "the test failed: main returned %d", code);
        runtime->fail(violation_kind::failed_requirement, words.data(), site_of_main());
    }
    if (*tests->begun == 0 && std::strcmp(tests->framework, "plain") != 0) {
        std::snprintf(words.data(), words.size(), "a %s that begins no test of this name", tests->framework);
        runtime->refuse(words.data(), site_of_main());
    }
}

scenario scenario_of(const test_case& what) {
    const auto nothing = [](void*) {};
    scenario result;
    result.name = what.name;
    result.subject = tests->name;
    result.instrumented = true;
    result.threads = {"main"};
    result.model = {.size = sizeof(const test_case*),
                    .alignment = alignof(const test_case*),
                    .construct = nullptr,
                    .run = &run_test_case,
                    .finish = nothing,
                    .outcome = [](void*) { return std::string(); },
                    .destroy = nothing,
                    .is_program = true,
                    .exits = true,
                    .construct_from =
                        [](void* storage, const void* data) {
                            *static_cast<const test_case**>(storage) = static_cast<const test_case*>(data);
                        },
                    .data = &what};
    return result;
}

// The program's own path: tests look for files beside it.
std::string own_path(const char* called_as) {
    std::array<char, PATH_MAX> path{};
    const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size() - 1);
    return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : called_as;
}

argument_block arguments_of(const std::string& program, const std::vector<std::string>& rest) {
    argument_block result;
    result.add(program);
    for (const std::string& each : rest) result.add(each);
    return result;
}

double now() {
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Reads until the other end is closed, or the time is over.
bool read_all(int from, std::string& into) {
    const double until = now() + listing_seconds;
    std::array<char, 4096> part{};
    while (true) {
        pollfd ready{from, POLLIN, 0};
        const double left = until - now();
        if (left <= 0) return false;
        if (::poll(&ready, 1, static_cast<int>(left * 1000) + 1) < 0 && errno != EINTR) return false;
        if ((ready.revents & (POLLIN | POLLHUP)) == 0) continue;
        const ssize_t count = ::read(from, part.data(), part.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return true;
        into.append(part.data(), static_cast<std::size_t>(count));
    }
}

struct answer {
    std::string text;
    bool in_time = false;
};

// What main says to these arguments, with nothing of the model, in a process of its own.
answer answer_to(const argument_block& arguments) {
    std::array<int, 2> ends{};
    answer result;
    std::fflush(nullptr);
    if (::pipe(ends.data()) != 0) return result;
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        send_output_to(ends[1]);
        (void)run_main(arguments);
        std::cout.flush();
        std::cerr.flush();
        std::fflush(nullptr);
        ::_exit(0);
    }
    ::close(ends[1]);
    if (child > 0) {
        result.in_time = read_all(ends[0], result.text);
        if (!result.in_time) ::kill(child, SIGKILL);
        while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    ::close(ends[0]);
    return result;
}

// Registered scenarios refer to them.
std::vector<test_case>& cases() {
    static auto& instance = *new std::vector<test_case>;
    return instance;
}

void say(const std::string& what) { std::fprintf(stderr, "%s\n", escaped_lines("ordeal: " + what).c_str()); }

bool find_cases(const std::string& program) {
    const std::string framework = tests->framework;
    if (framework == "plain") {
        cases().push_back({tests->name, arguments_of(program, {})});
        return true;
    }
    const test_framework_words* const words = words_of_framework(framework);
    if (words == nullptr) {
        say("no test framework '" + framework + "'");
        return false;
    }
    answer last;
    for (const auto& question : words->list) {
        last = answer_to(arguments_of(program, question));
        std::set<std::string> known;
        for (std::string& name : words->names(last.text)) {
            // Two of one name are run together: by its name.
            if (known.insert(name).second) cases().push_back({name, arguments_of(program, words->select(name))});
        }
        if (!cases().empty()) return true;
    }
    say("the tests were asked for their test cases as those of " + framework + ", by " + words->list.front().front() +
        (last.in_time ? ", and have listed none. They said:\n" + last.text : ", and did not come to an end"));
    return false;
}

}  // namespace

int run_existing_tests(int argc, char** argv) {
    disable_address_randomisation(argv, true);
    if (tests == nullptr) {
        say("this program has no tests: was it made by ordeal_add_tests()?");
        return usage;
    }
    if (!is_trial_code(reinterpret_cast<std::uintptr_t>(tests->main))) {
        say("the tests have no main, neither in their sources nor in a static library that they link");
        return usage;
    }
    exit_calls::let_exit_fail_tests();
    if (!find_cases(own_path(argc > 0 ? argv[0] : ""))) return usage;
    for (const test_case& each : cases()) register_scenario(scenario_of(each));
    // A test cannot be expected to foresee what a model adds: a weak compare-exchange or a try_lock that fails for no
    // reason, a framework that is given memory which the test has freed, and a time limit of seconds that comes before
    // another thread has begun.
    return run_command_line(
        argc, argv, {.check_seconds = 60, .bounds = {.spurious = 0, .reuse = 0, .time_limits = timeouts::late}});
}

extern "C" {

void ordeal_register_existing_tests(const existing_tests* registered) { tests = registered; }

void ordeal_test_fails(const char* message, const char* file, unsigned line) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return;
    static std::array<char, 4096> words;  // fail() does not return
    put_in_line(message == nullptr ? "" : message, words);
    const bool known = file != nullptr && *file != '\0' && line != 0;
    runtime->fail(violation_kind::failed_requirement, words.data(),
                  known ? site_at(file, line) : plain_code_site(code_location_here("assertion")));
}

void ordeal_test_is_skipped(const char* message, const char* file, unsigned line) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return;
    std::array<char, 4096> words{};
    put_in_line(message == nullptr ? "" : message, words);
    const site_id site = site_at(file, line);
    const harness_scope harness;
    runtime->note_limit("the test was skipped" + std::string(words[0] == '\0' ? "" : ": ") + words.data(), site);
}

}  // extern "C"

}  // namespace ordeal::detail
