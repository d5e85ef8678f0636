// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fuzz FILE...     holds the programs in these files against the oracle
// fuzz OPTION...   random programs; those that differ are made small and left in a folder
//
//   --seconds N, --programs N   how long, how many; one of them at least
//   --seed S                    of the first program, each other has the next; default: 1
//   --out DIR                   where programs are left; default: .
//   --wrong-oracle              exchanges are not atomic to the oracle: shows that something would be found
//
// Exit code 0: nothing differs; 1: something does; 2: wrong usage, or a file that cannot be read or written.
#include "model_tests/fuzz/comparison.hpp"
#include "model_tests/fuzz/generator.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace ordeal::model_tests::fuzz {

using namespace detail;

namespace {

using clock = std::chrono::steady_clock;

struct usage : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct options {
    std::vector<std::string> files;
    double seconds = 0;
    std::uint64_t programs = 0;
    comparison_options comparing;
    std::uint64_t seed = 1;
    std::string out = ".";
};

options read_options(const std::vector<std::string>& words) {
    options result;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!words[i].starts_with('-')) {
            result.files.push_back(words[i]);
            continue;
        }
        if (words[i] == "--wrong-oracle") {
            result.comparing.oracle.atomic_exchanges = false;
            continue;
        }
        if (i + 1 == words.size()) throw usage("a value is missing after " + words[i]);
        const std::string& value = words[i + 1];
        try {
            if (words[i] == "--seconds") {
                result.seconds = std::stod(value);
            } else if (words[i] == "--programs") {
                result.programs = std::stoull(value);
            } else if (words[i] == "--seed") {
                result.seed = std::stoull(value);
            } else if (words[i] == "--out") {
                result.out = value;
            } else {
                throw usage("no option: " + words[i]);
            }
        } catch (const std::logic_error&) {
            throw usage("no number: " + value);
        }
        ++i;
    }
    const bool random = result.seconds > 0 || result.programs > 0;
    if (result.files.empty() != random) {
        throw usage("fuzz FILE... or fuzz [--seconds N] [--programs N] [--seed S] [--out DIR] [--wrong-oracle]");
    }
    return result;
}

int run_files(const std::vector<std::string>& files) {
    int status = 0;
    for (const std::string& file : files) {
        std::ifstream in(file);
        std::stringstream text;
        text << in.rdbuf();
        if (!in) throw usage("cannot read " + file);
        const comparison found = compare(parse(text.str()), {.oracle = {.limit = 1'000'000}});
        const char* const result = !found.predicted            ? "too large for the oracle"
                                   : found.differences.empty() ? "agrees"
                                                               : "differs";
        fmt::print("{}: {}\n{}", file, result, found.differences);
        for (const std::string& limit : found.limits) fmt::print("limit: {}\n", limit);
        if (!found.predicted || !found.differences.empty()) status = 1;
    }
    return status;
}

// The differences as comments, so that the file can be run as it is.
void store(const options& how, std::uint64_t seed, const program& small, const std::string& differences) {
    std::filesystem::create_directories(how.out);
    const std::string file = fmt::format("{}/{}.txt", how.out, seed);
    std::ofstream to(file);
    std::istringstream lines(differences);
    to << "# seed " << seed << '\n';
    for (std::string line; std::getline(lines, line);) to << "# " << line << '\n';
    to << to_string(small);
    to.close();
    if (!to) throw usage("cannot write " + file);
    fmt::print("left in {}:\n{}{}", file, to_string(small), differences);
    std::fflush(stdout);
}

struct counts {
    std::uint64_t too_large = 0;
    std::uint64_t limited = 0;
    std::uint64_t differing = 0;
    std::map<std::string, std::uint64_t> limits;
};

void run_one(const options& how, std::uint64_t seed, counts& all) {
    const program what = random_program(seed);
    const comparison found = compare(what, how.comparing);
    all.too_large += found.predicted ? 0 : 1;
    all.limited += found.limits.empty() ? 0 : 1;
    for (const std::string& limit : found.limits) ++all.limits[limit];
    if (found.differences.empty()) return;
    ++all.differing;
    fmt::print("seed {}:\n{}{}", seed, to_string(what), found.differences);
    std::fflush(stdout);
    // What takes too long to search takes too long to make small.
    if (!found.finished) return store(how, seed, what, found.differences);
    const program small = shrink_differing(what, how.comparing);
    store(how, seed, small, compare(small, how.comparing).differences);
}

int run_random(const options& how) {
    const auto until =
        how.seconds > 0
            ? clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(how.seconds))
            : clock::time_point::max();
    const std::uint64_t most = how.programs > 0 ? how.programs : ~std::uint64_t{0};
    counts all;
    std::uint64_t done = 0;
    for (; done < most && clock::now() < until; ++done) run_one(how, how.seed + done, all);
    fmt::print("{} programs from seed {} on: {} differ, {} too large for the oracle, {} within a limit\n", done,
               how.seed, all.differing, all.too_large, all.limited);
    for (const auto& [limit, count] : all.limits) fmt::print("{:6} {}\n", count, limit);
    return all.differing == 0 ? 0 : 1;
}

}  // namespace

}  // namespace ordeal::model_tests::fuzz

int main(int count, char** words) {
    using namespace ordeal::model_tests::fuzz;
    try {
        const options how = read_options({words + 1, words + count});
        return how.files.empty() ? run_random(how) : run_files(how.files);
    } catch (const std::exception& error) {
        fmt::print(stderr, "fuzz: {}\n", error.what());
        return 2;
    }
}
