// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/scenario/client_family.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ordeal::detail {

/// What the program ends with.
enum class exit_code : int {
    as_expected = 0,
    violation = 1,  ///< or a verdict other than the expected one
    usage = 2,
    no_engine = 3,
    incomplete = 4,  ///< nothing ran, stopped early, or a report could not be written
};

enum class command : std::uint8_t { list, check, clients, merge, audit, replay, stress, fresh, tried, tested };
enum class colour_choice : std::uint8_t { automatic, always, never };

/// What `stress` alone has.
struct stress_options {
    double seconds = 0;         ///< for each scenario, or of a soak in total; 0: no limit
    std::uint64_t samples = 0;  ///< for each scenario, or for each in a round of a soak; 0: as the time allows
    std::optional<std::uint64_t> seed;
    double hang_timeout = 10;  ///< seconds
    std::string soak;          ///< empty: not a soak
};

/// What `clients` alone has.
struct clients_options {
    std::vector<client_size> sizes;  ///< empty: those that are declared
    std::size_t drawn = 0;           ///< clients of each size, at random; 0: all
};

/// What `replay` alone has.
struct replay_options {
    bool step = false;             ///< walk along the steps
    bool debug = false;            ///< in gdb
    std::string at;                ///< the step at which gdb stops; empty: the violation
    std::vector<std::string> gdb;  ///< commands for gdb, which ends after them; none: a person has it
};

/// What `new` alone has.
struct new_options {
    std::string folder;
    std::string name;  ///< of the project; empty: that of the folder
};

/// What `try` and `test` have, which build a program.
struct built_options {
    std::vector<std::string> sources;
    std::vector<std::string> flags;    ///< of the compiler, and libraries; of `test` without sources: its whole command
    std::vector<std::string> command;  ///< of the program that is built, with its options
    std::string framework;             ///< of the tests; empty: it is recognised
    std::vector<std::string> allow_unseen;
};

/// What `check --shard` and `merge` have.
struct shard_options {
    std::string file;                ///< that a shard writes; empty: not a shard
    std::vector<std::string> files;  ///< that are merged
};

/// The files that are asked for, by the names of their formats.
using files_by_format = std::map<std::string, std::string, std::less<>>;

/// The command line, taken apart.
struct command_options {
    command what = command::check;
    std::vector<std::string> patterns;
    std::string token;
    std::string engine;  ///< empty: the first one
    search_options search;
    stress_options stress;
    clients_options clients;
    replay_options replay;
    new_options fresh;
    built_options built;
    shard_options shard;
    unsigned jobs = 1;
    files_by_format reports;
    std::string baseline;           ///< file with an earlier report of an audit; empty: none
    bool strict = false;            ///< what is not decided for every execution is a failure
    bool require_complete = false;  ///< a search that was cut short is a failure
    bool fix = false;               ///< a patch is asked for
    std::size_t fix_number = 0;     ///< of the assignment or repair; 0: the first
    bool write_fix = false;         ///< the patch is to be applied
    files_by_format pictures;       ///< of one execution
    bool outcomes = false;          ///< each outcome with an example
    std::size_t show = 0;           ///< the outcome whose example is to be shown; 0: none
    bool coverage = false;          ///< sites, reads-from pairs, states
    bool trace = false;
    bool all_steps = false;  ///< of traces
    bool quiet = false;
    bool show_output = false;  ///< of the code on trial
    colour_choice colour = colour_choice::automatic;
};

/// What `check` and `audit` do where no option says otherwise.
struct search_defaults {
    double check_seconds = 20;
    execution_bounds bounds{};
};

/// As ordeal::run_command_line(), with other defaults.
[[nodiscard]] int run_command_line(int argc, char** argv, const search_defaults& defaults);

/// "auto", "full", "preemptions=3", "random=1000", "pct=1000", "pct=1000,5", "pos=1000", "surw=1000" into mode, bound
/// and depth; false when it is none of them.
[[nodiscard]] bool parse_search(std::string_view text, search_options& result);

/// The options, or the exit code when the program is done already: after a message for bad usage, after help.
[[nodiscard]] std::variant<command_options, exit_code> parse_command_line(int argc, char** argv,
                                                                          const search_defaults& defaults = {});

}  // namespace ordeal::detail
