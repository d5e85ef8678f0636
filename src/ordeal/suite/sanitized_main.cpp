// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program NAME_tsan of ordeal_add_suite(): scenarios on real threads, compiled with ThreadSanitizer. It has no
// engine and needs no library of ordeal, all of which are compiled without ThreadSanitizer.
//
//   NAME_tsan list --json -
//   NAME_tsan run [--seconds S] [--samples N] [--seed N] [--patience S] [--] [=SCENARIO]
#include "ordeal/engine/threads/batch.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int violation = 1;
constexpr int usage = 2;
constexpr int nothing_ran = 4;

// Threads of the code on trial may still be running: no destructors.
[[noreturn]] void end(int code) {
    std::fflush(nullptr);
    _exit(code);
}

[[noreturn]] void refuse(const std::string& why) {
    std::fprintf(stderr, "ordeal: %s\n", why.c_str());
    end(usage);
}

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char each : text) {
        if (static_cast<unsigned char>(each) < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(each));
            result += escape;
        } else {
            if (each == '"' || each == '\\') result += '\\';
            result += each;
        }
    }
    return result + '"';
}

// The keys by which tests are found, of those that `ordeal list` prints.
int list() {
    std::string text;
    for (const ordeal::scenario& each : ordeal::scenarios()) {
        text += text.empty() ? "\n" : ",\n";
        text += "    {\"name\": " + quoted(each.name) + ", \"expected\": \"" +
                (each.expected.violation ? "violated" : "held") + "\", \"engines\": [], \"real_threads\": true}";
    }
    std::printf("{\n  \"scenarios\": [%s\n  ]\n}\n", text.c_str());
    return EXIT_SUCCESS;
}

struct run_options {
    ordeal::detail::batch_options how;
    std::vector<std::string> names;
};

double number(const std::string& option, const std::string& text) {
    char* end_of_number = nullptr;
    const double value = std::strtod(text.c_str(), &end_of_number);
    if (text.empty() || *end_of_number != '\0' || !(value >= 0)) refuse(option + ": not a number: " + text);
    return value;
}

run_options parse(int argc, char** argv) {
    run_options result;
    result.how.seed = std::random_device()();
    bool only_names = false;
    for (int i = 2; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--" && !only_names) {
            only_names = true;
        } else if (only_names || !word.starts_with("--")) {
            result.names.push_back(word.starts_with('=') ? word.substr(1) : word);
        } else if (i + 1 == argc) {
            refuse("a value is missing after " + word);
        } else if (const double value = number(word, argv[++i]); word == "--seconds") {
            result.how.seconds = value;
        } else if (word == "--samples") {
            result.how.samples = static_cast<std::uint64_t>(value);
        } else if (word == "--seed") {
            result.how.seed = static_cast<std::uint64_t>(value);
        } else if (word == "--patience") {
            result.how.hang_timeout = value;
        } else {
            refuse("no such option: " + word);
        }
    }
    return result;
}

std::vector<const ordeal::scenario*> chosen(const std::vector<std::string>& names) {
    std::vector<const ordeal::scenario*> result;
    for (const ordeal::scenario& each : ordeal::scenarios()) {
        if (names.empty() && !each.expected.violation) result.push_back(&each);
    }
    for (const std::string& name : names) {
        const std::size_t before = result.size();
        for (const ordeal::scenario& each : ordeal::scenarios()) {
            if (each.name == name) result.push_back(&each);
        }
        if (result.size() == before) refuse("no scenario has the name '" + name + "'");
        if (result.size() > before + 1) refuse("two scenarios have the name '" + name + "'");
    }
    return result;
}

int run(const run_options& options) {
    const auto scenarios = chosen(options.names);
    if (scenarios.empty()) {
        std::fprintf(stderr, "ordeal: there is no scenario to run\n");
        return nothing_ran;
    }
    for (const ordeal::scenario* each : scenarios) {
        std::fprintf(stderr, "%s: on real threads under ThreadSanitizer, seed %llu\n", each->name.c_str(),
                     static_cast<unsigned long long>(options.how.seed));
        // The sanitizer ends the program at its first report.
        const auto ran = ordeal::detail::run_on_threads(*each, options.how, [](std::uint64_t) { return false; });
        if (ran.kind) {
            std::fprintf(stderr, "  violated: %.*s: %s\n", static_cast<int>(to_string(*ran.kind).size()),
                         to_string(*ran.kind).data(), ran.message.c_str());
            return violation;
        }
        if (!ran.ran) {
            std::fprintf(stderr, "  not run: %s\n", ran.message.c_str());
            return nothing_ran;
        }
        std::fprintf(stderr, "  nothing reported in %llu samples\n", static_cast<unsigned long long>(ran.samples));
    }
    return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view command = argc < 2 ? "run" : argv[1];
    if (command == "list") return list();
    if (command != "run") refuse("the commands are list and run; there is no '" + std::string(command) + "'");
    end(run(parse(argc, argv)));
}
