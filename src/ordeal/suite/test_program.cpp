// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of tests of a framework, and ordeal::check() in it.
//
// The framework and the tests are one library of code on trial. They run on a thread whose stack is in memory that is
// restored before each execution, together with their globals and allocations: so a body that is checked may use
// everything that the test has. The searches are made by the main thread, which forks for them and whose stack is not
// restored.
#include "ordeal/check.hpp"
#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/options/option_values.hpp"
#include "ordeal/cli/options/options.hpp"
#include "ordeal/cli/own_process.hpp"
#include "ordeal/cli/standard_streams.hpp"
#include "ordeal/engine/persistence/replay_token.hpp"
#include "ordeal/engine/process/isolation.hpp"
#include "ordeal/instrumented/libc/exit_calls.hpp"
#include "ordeal/instrumented/process_state/static_memory.hpp"
#include "ordeal/report/check_report.hpp"
#include "ordeal/report/formats.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/report/strict.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/scenario/scenario.hpp"
#include "ordeal/suite/test_framework.hpp"

#include <pthread.h>

#include <algorithm>
#include <cctype>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

namespace ordeal::detail {

namespace {

constexpr std::size_t stack_size = std::size_t{8} << 20;
constexpr int usage = 2;

constinit std::optional<test_framework> framework;

const test_framework& tests() {
    if (framework) return *framework;
    std::fprintf(stderr, "ordeal: this program has no test framework: was it made by ordeal_add_test_program()?\n");
    std::exit(usage);
}

// Passes work from the thread of the tests to the main thread.
class errands {
public:
    void run_until_closed() {
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [&] { return closed_ || asked_ != nullptr; });
            if (asked_ == nullptr) return;
            (*asked_)();
            asked_ = nullptr;
            changed_.notify_all();
        }
    }
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }
    void ask(const std::function<void()>& what) {
        std::unique_lock lock(mutex_);
        asked_ = &what;
        changed_.notify_all();
        changed_.wait(lock, [&] { return asked_ == nullptr; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    const std::function<void()>* asked_ = nullptr;
    bool closed_ = false;
};

errands for_main;

// ORDEAL_REPLAY, which selects one check of one test.
struct wanted_replay {
    std::string text;
    std::optional<replay_token> token;
    bool met = false;
};

wanted_replay replay;

void read_wanted_replay() {
    const char* const text = std::getenv("ORDEAL_REPLAY");
    if (text == nullptr || *text == '\0') return;
    parsed_token parsed = parse_token(text);
    if (!parsed.token) {
        std::fprintf(stderr, "ordeal: ORDEAL_REPLAY: %s\n", parsed.error.c_str());
        std::exit(usage);
    }
    replay.text = text;
    replay.token = std::move(parsed.token);
}

// The test's name, in characters that are unchanged in tokens and tables; the second check of a test has a number.
std::string name_of_check(std::string name) {
    static std::map<std::string, int> checks;
    std::ranges::replace_if(
        name, [](unsigned char each) { return std::isalnum(each) == 0 && each != '.' && each != '/'; }, '_');
    const int number = ++checks[name];
    if (number > 1) name += "-" + std::to_string(number);
    return name;
}

struct outcome_of_check {
    bool failed = false;
    bool skipped = false;
    std::string text{};
};

scenario scenario_of(const scenario_body& body, std::string name) {
    scenario what;
    what.name = name;
    what.subject = std::move(name);
    what.instrumented = true;
    what.threads = {"main"};
    what.model = body;
    return what;
}

outcome_of_check usage_error(std::string why) { return {.failed = true, .text = "ordeal::check: " + std::move(why)}; }

// Returns the reason if the options are invalid.
std::string set_search(const check_options& options, search_options& how) {
    if (!parse_search(options.search, how)) return "no search '" + std::string(options.search) + "'";
    const auto model = parse_memory_model(options.model);
    if (!model) return "no memory model '" + std::string(options.model) + "'";
    how.model = *model;
    how.resources.seconds = options.seconds;
    how.resources.jobs = std::max(1U, options.jobs);
    how.strategy.seed = options.seed;
    how.bounds = {options.spurious, options.reuse};
    const auto reductions = parse_reductions(options.reductions);
    if (!reductions) return "no reductions '" + std::string(options.reductions) + "'";
    how.reductions = *reductions;
    if (const std::string_view memory = options.memory; !memory.empty()) {
        const auto bytes = parse_memory(memory);
        if (!bytes) return "no size of memory '" + std::string(memory) + "'";
        how.resources.memory = *bytes;
    }
    std::istringstream accepted(options.accept);
    for (std::string each; accepted >> each;) {
        const auto one = parse_acceptance(each);
        if (!one) return "no violation to accept '" + each + "'";
        how.accept.push_back(*one);
    }
    return {};
}

search_result result_of(const scenario& what, engine& with, const search_options& how, double limit) {
    const search_job job{&what, &with, how};
    search_result result;
    run_isolated(std::span(&job, 1), {}, {1, limit}, {}, [&](std::size_t, const search_result& got) {
        result = got;
        return false;
    });
    return result;
}

// The running test.
struct running_test {
    std::string check;    // the name of its check
    std::string command;  // runs only this test
};

std::string replay_words(const std::string& token, const running_test& test) {
    return "replay: ORDEAL_REPLAY='" + token + "' " + test.command + '\n';
}

// Frameworks break lines at 80 columns, and put some blanks before them: what they would break is broken already.
text_style style() { return text_style(false, 76); }

outcome_of_check replayed(const scenario& what, engine& with, const search_options& asked) {
    if (replay.token->scenario != what.name) return {.skipped = true};
    replay.met = true;
    search_options how;
    how.mutant.overrides = replay.token->overrides;
    how.replay = replay.token->path;
    how.model = replay.token->model;
    how.accept = asked.accept;
    replay_report report{&what,       replay.token->engine, how.model,
                         replay.text, how.mutant.overrides, result_of(what, with, how, 0)};
    report.why = explain(what, report.result);
    const std::string text = text_format().replay(report, {.text = {.style = style()}});
    if (report.result.verdict != verdict::violated) std::fputs(text.c_str(), stderr);
    return {.failed = report.result.verdict == verdict::violated || report.result.verdict == verdict::inconclusive,
            .text = text};
}

outcome_of_check searched(const scenario& what, engine& with, const check_options& options, const search_options& how,
                          const running_test& test) {
    check_report report;
    report.how = how;
    report.require_complete = !options.may_be_incomplete;
    checked_scenario& checked = report.scenarios.emplace_back();
    checked.what = &what;
    checked.engine = with.name();
    checked.model = how.model;
    checked.result = result_of(what, with, how, hard_limit_of(how.resources.seconds));
    checked.as_expected = as_expected(what.expected, checked.result);
    checked.why = explain(what, checked.result);
    const std::string token =
        token_text(with.name(), how.model, what.name, how.mutant.overrides, checked.result.replay);
    report.seconds = checked.result.seconds;
    const bool complete = options.may_be_incomplete || cut_short_of(report).empty();
    if (options.strict) report.strict = shortfalls_of(report);
    const bool strict = !report.strict || report.strict->empty();
    std::string text =
        text_format().check(report, {.text = {.style = style(), .all_traces = true, .all_steps = options.all_steps}});
    if (const std::string line = replay_line(checked); !line.empty()) {
        // A process that died reported no execution, and the line names a command that this program lacks.
        if (const auto at = text.find(line); at != std::string::npos) text.replace(at, line.size(), test.command);
    }
    if (!token.empty()) text += replay_words(token, test);
    const bool held = checked.as_expected && complete && strict;
    if (held && checked.result.verdict != verdict::held) std::fputs(("ordeal: " + text).c_str(), stderr);
    return {.failed = !held, .text = text};
}

outcome_of_check checked(const scenario_body& body, const check_options& options, const running_test& test) {
    search_options how;
    if (std::string why = set_search(options, how); !why.empty()) return usage_error(std::move(why));
    const scenario what = scenario_of(body, test.check);
    engine& with = chosen_engine("graph");
    // The program continues after the body: what the framework has constructed stays.
    exit_calls::forget_constructors();
    return replay.token ? replayed(what, with, how) : searched(what, with, options, how, test);
}

struct arguments_of_main {
    int argc;
    char** argv;
    int code;
};

void* run_tests(void* given) {
    auto& arguments = *static_cast<arguments_of_main*>(given);
    arguments.code = tests().main(arguments.argc, arguments.argv);
    for_main.close();
    return nullptr;
}

}  // namespace

void register_test_framework(const test_framework& value) { framework = value; }

void check_body(const scenario_body& body, const check_options& options, const std::source_location& where) {
    if (on_trial()) require(false, "ordeal::check() in a body that is checked", where);
    const running_test test{name_of_check(tests().test()), called_as() + ' ' + shell_word(tests().filter())};
    outcome_of_check outcome;
    tests().begin_body();
    for_main.ask([&] {
        try {
            outcome = checked(body, options, test);
        } catch (const std::exception& error) {
            outcome = usage_error(error.what());
        }
    });
    tests().end_body();
    if (outcome.failed) {
        tests().fail(outcome.text.c_str(), where.file_name(), static_cast<int>(where.line()));
    } else if (!outcome.skipped) {
        tests().pass(outcome.text.c_str());
    }
}

int run_test_program(int argc, char** argv) {
    disable_address_randomisation(argv, true);
    if (argc > 0) set_called_as(argv[0]);
    reserve_standard_streams();
    read_wanted_replay();
    void* const stack = static_memory::allocate(stack_size, 4096);
    pthread_attr_t attributes;
    pthread_t thread;
    arguments_of_main arguments{argc, argv, usage};
    if (stack == nullptr || pthread_attr_init(&attributes) != 0 ||
        pthread_attr_setstack(&attributes, stack, stack_size) != 0 ||
        pthread_create(&thread, &attributes, &run_tests, &arguments) != 0) {
        std::fprintf(stderr, "ordeal: the thread of the tests could not be started\n");
        return usage;
    }
    for_main.run_until_closed();
    pthread_join(thread, nullptr);
    if (replay.token && !replay.met) {
        std::fprintf(stderr, "ordeal: ORDEAL_REPLAY is of '%s', which did not run\n", replay.token->scenario.c_str());
        return usage;
    }
    return arguments.code;
}

}  // namespace ordeal::detail
