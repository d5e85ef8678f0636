// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One scenario on real threads in a process of its own, so that a sanitizer's report, a crash or a hang is that
// scenario's. Writes the result as data; what a sanitizer says goes where its options say.
//
//   ordeal_trial SCENARIO --result FILE [--seed N] [--samples N] [--seconds S] [--override SITE=ORDER]...
//                [--lose-blocks N]   a control: a check for leaks that says nothing then is not looking
#include "ordeal/engine/persistence/search_json.hpp"
#include "ordeal/engine/threads/thread_engine.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace {

constexpr int usage = 2;
constexpr int nothing_ran = 4;

struct trial {
    const ordeal::scenario* what = nullptr;
    ordeal::detail::search_options how;
    std::string result;
    std::uint64_t lost_blocks = 0;
};

[[noreturn]] void refuse(const std::string& why) {
    std::fprintf(stderr, "ordeal_trial: %s\n", why.c_str());
    std::exit(usage);
}

void set_option(trial& into, std::string_view name, const std::string& value) {
    if (name == "--result") {
        into.result = value;
    } else if (name == "--seed") {
        into.how.strategy.seed = std::stoull(value);
    } else if (name == "--samples") {
        into.how.strategy.bound = std::stoull(value);
    } else if (name == "--seconds") {
        into.how.resources.seconds = std::stod(value);
    } else if (name == "--lose-blocks") {
        into.lost_blocks = std::stoull(value);
    } else if (name == "--override") {
        const auto parsed = ordeal::parse_order_override(value);
        if (!parsed) refuse("not a site and an order: " + value);
        into.how.mutant.overrides.push_back(*parsed);
    } else {
        refuse("no such option: " + std::string(name));
    }
}

trial parse(int argc, char** argv) {
    if (argc < 2) refuse("which scenario?");
    trial result;
    const auto all = ordeal::scenarios();
    const auto found = std::ranges::find(all, std::string_view(argv[1]), &ordeal::scenario::name);
    if (found == all.end()) refuse(std::string("no such scenario: ") + argv[1]);
    result.what = &*found;
    result.how.strategy.mode = ordeal::detail::search_mode::random;
    for (int i = 2; i < argc; i += 2) {
        if (i + 1 == argc) refuse(std::string("a value is missing after ") + argv[i]);
        set_option(result, argv[i], argv[i + 1]);
    }
    if (result.result.empty()) refuse("--result is missing");
    return result;
}

void* volatile newest_block = nullptr;  // volatile: the compiler may not leave the allocations out

void lose_blocks(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) newest_block = std::malloc(100);
    newest_block = nullptr;
}

}  // namespace

int main(int argc, char** argv) {
    const trial asked = parse(argc, argv);
    lose_blocks(asked.lost_blocks);
    ordeal::detail::thread_engine threads;
    ordeal::detail::search_progress progress;
    const ordeal::detail::search_result result = threads.search(*asked.what, asked.how, progress);
    std::ofstream(asked.result) << ordeal::detail::serialise(result);
    // After a violation threads of the scenario may still be running: no destructors, no report of leaks.
    if (result.verdict == ordeal::detail::verdict::violated) _exit(EXIT_FAILURE);
    if (result.verdict == ordeal::detail::verdict::inconclusive) _exit(nothing_ran);
    return EXIT_SUCCESS;
}
