// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/command_parts.hpp"

#include "ordeal/cli/patterns.hpp"
#include "ordeal/cli/standard_streams.hpp"
#include "ordeal/engine/engines.hpp"
#include "ordeal/engine/persistence/output_file.hpp"
#include "ordeal/engine/persistence/replay_token.hpp"
#include "ordeal/report/called_as.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/search_facts.hpp"
#include "ordeal/report/text/table.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

namespace ordeal::detail {

namespace {

// Returns the message when it failed.
std::string written(const output_file& file, const std::string& content) {
    const auto why = file.write(content);
    if (!why) return {};
    return fmt::format("cannot write {}: {}", file.is_standard_output() ? "standard output" : "'" + file.path() + "'",
                       *why);
}

// "/dev/stdout", say. What is written there and to standard output gets mixed up, or in a regular file lost.
bool is_open_as_standard_output(const std::string& path) {
    struct stat open{};
    struct stat named{};
    if (fstat(STDOUT_FILENO, &open) != 0 || stat(path.c_str(), &named) != 0) return false;
    if (S_ISCHR(open.st_mode)) return false;  // a terminal, or where nothing is kept
    return open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

// Whatever the path to it.
std::string same_for_one_file(const output_file& file) {
    if (file.is_standard_output() || is_open_as_standard_output(file.path())) return "-";
    std::error_code error;
    const auto whole = std::filesystem::weakly_canonical(file.target(), error);
    return error ? file.path() : whole.string();
}

std::string engine_names() {
    std::string names;
    for (const engine* each : engines()) names.append(names.empty() ? "" : ", ").append(each->name());
    return names.empty() ? "none" : names;
}

}  // namespace

std::vector<const scenario*> chosen_scenarios(const command_options& options) {
    const auto all = scenarios();
    if (const auto name = duplicate_name(all)) {
        throw command_error(exit_code::usage, fmt::format("two scenarios have the name '{}'", *name));
    }
    if (!all.empty() && all.front().name.empty()) {  // they are sorted
        throw command_error(exit_code::usage, "a scenario has no name: what ORDEAL_SCENARIO was given is empty");
    }
    const auto idle = std::ranges::find_if(all, [](const scenario& each) { return each.threads.empty(); });
    if (idle != all.end()) {
        throw command_error(exit_code::usage, fmt::format("the scenario '{}' has no threads", idle->name));
    }
    selection selected = select(all, options.patterns);
    if (!selected.unknown) return std::move(selected.chosen);
    const std::string near = nearest_scenario(all, *selected.unknown);
    throw command_error(exit_code::usage,
                        fmt::format("no scenario matches '{}'{}", *selected.unknown,
                                    near.empty() ? "; this program has none" : "; did you mean '" + near + "'?"));
}

std::string engines_with(bool engine_features::* wanted) {
    std::string names;
    for (const engine* each : engines()) {
        if (each->features().*wanted) names.append(names.empty() ? "" : " or ").append(each->name());
    }
    return names.empty() ? "none" : names;
}

std::string no_policy_message() {
    return fmt::format("code without a policy can be searched by the {} engine only",
                       engines_with(&engine_features::code_without_policy));
}

bool searches(const engine& with, const scenario& what) noexcept {
    return !what.instrumented || with.features().code_without_policy;
}

std::vector<const scenario*> searched_by(const engine& with, std::vector<const scenario*> chosen,
                                         const command_options& options) {
    const std::size_t left_out = std::erase_if(chosen, [&](const scenario* each) {
        const bool named = std::ranges::any_of(options.patterns,
                                               [&](const std::string& pattern) { return is_name_of(pattern, *each); });
        return !named && !searches(with, *each);
    });
    if (left_out == 0) return chosen;
    if (chosen.empty()) throw command_error(exit_code::no_engine, no_policy_message());
    if (!options.quiet)
        say(fmt::format("ordeal: {} left out: {}\n", counted(left_out, "scenario"), no_policy_message()));
    return chosen;
}

engine& chosen_engine(std::string_view name) {
    engine* const found = !name.empty() || engines().empty() ? find_engine(name) : engines().front();
    if (found != nullptr) return *found;
    if (name.empty()) throw command_error(exit_code::no_engine, "no engine is built into this program");
    throw command_error(exit_code::no_engine,
                        fmt::format("the engine '{}' is not in this program; it has: {}", name, engine_names()));
}

void require_able(std::span<engine* const> with, const search_options& how) {
    const auto require = [&](bool engine_features::* wanted, const std::string& lacks) {
        for (const engine* each : with) {
            if (each->features().*wanted) continue;
            throw command_error(exit_code::usage, fmt::format("the engine {} {}; give --engine {}", each->name(), lacks,
                                                              engines_with(wanted)));
        }
    };
    if (how.model != memory_model::rc11) {
        require(&engine_features::memory_models, fmt::format("has no --model {}", to_string(how.model)));
    }
    if (!how.accept.empty()) {
        require(&engine_features::acceptances, "does not go on behind a violation, as --accept asks for");
    }
    if (how.bounds.spurious != search_options{}.bounds.spurious)
        require(&engine_features::spurious_failures, "has no --spurious");
    if (how.bounds.reuse != search_options{}.bounds.reuse) require(&engine_features::reuse, "has no --reuse");
    if (how.reductions != search_reductions{}) require(&engine_features::reductions, "has no --reductions");
    if (how.resources.memory != 0) require(&engine_features::memory_limit, "has no --memory");
    if (how.shard.count > 0) require(&engine_features::shards, "does not divide a search, as --shard asks for");
    if (how.strategy.mode == search_mode::pct) require(&engine_features::pct, "has no pct search");
    if (how.wanted.examples)
        require(&engine_features::examples, "keeps no execution for each outcome, as --outcomes asks for");
    if (how.wanted.atomic_states)
        require(&engine_features::examples, "does not tell what it covers, as --coverage asks for");
}

void require_writable(const command_options& options) {
    if (!options.html.empty() && !has_html()) {
        throw command_error(
            exit_code::usage,
            "--html: this program was built without HTML reports; install node and npm (ci/deps.sh does), "
            "and configure and build it again with ORDEAL_HTML=ON");
    }
    std::vector<std::string> files;
    const auto require = [&](const std::string& file, const char* kept) {
        if (file.empty()) return;
        const output_file wanted(file);
        if (const auto why = kept != nullptr ? wanted.obstacle_to_keeping() : wanted.obstacle()) {
            throw command_error(exit_code::usage, fmt::format("cannot write '{}': {}", file, *why));
        }
        const std::string place = same_for_one_file(wanted);
        if (place == "-" && !wanted.is_standard_output()) {
            throw command_error(
                exit_code::usage,
                fmt::format("cannot write '{}': standard output goes there; give - for the file", file));
        }
        if (std::ranges::find(files, place) != files.end()) {
            throw command_error(
                exit_code::usage,
                fmt::format("{} cannot go into one file: '{}'",
                            kept != nullptr ? fmt::format("a report and a {}", kept) : "two reports", file));
        }
        files.push_back(place);
    };
    for (const std::string& report :
         {options.json, options.html, options.junit, options.sarif, options.markdown, options.problems,
          options.pictures.dot, options.pictures.svg, options.pictures.mermaid}) {
        require(report, nullptr);
    }
    require(options.search.checkpoint.file, "checkpoint");
    require(options.shard.file, "shard");
    require(options.stress.soak, "soak");
}

void write_reports(const command_options& options, const report_texts& of) {
    // Lines for readers; the other formats mark where a text begins and ends.
    const auto lines = [](const report_text& text, bool styled) {
        return [&text, styled] { return escaped_lines(text(), styled); };
    };
    const std::pair<const std::string&, report_text> wanted[] = {{options.json, of.json},
                                                                 {options.html, of.html},
                                                                 {options.junit, of.junit},
                                                                 {options.sarif, of.sarif},
                                                                 {options.markdown, lines(of.markdown, false)},
                                                                 {options.problems, lines(of.problems, false)}};
    std::string failed;
    const auto put = [&](const std::string& file, const report_text& content) {
        const std::string why = written(output_file(file), content());
        failed += (failed.empty() || why.empty() ? "" : "; ") + why;
    };
    // The files first: a reader of standard output may have gone. No failure keeps the others from being written.
    bool in_place_of_text = false;
    for (const auto& [file, content] : wanted) {
        if (!file.empty()) put(file, content);
        in_place_of_text |= file == "-";
    }
    if (!in_place_of_text) put("-", lines(of.text, style_of(options).has_colour()));
    if (!failed.empty()) throw command_error(exit_code::incomplete, failed);
}

void name_unmet_acceptances(std::span<const accepted_violation> met, std::span<const acceptance> accept) {
    for (const acceptance& each : accept) {
        const bool found = std::ranges::any_of(
            met, [&](const accepted_violation& one) { return each.covers(one.kind, one.file, one.line); });
        if (!found)
            say("ordeal: accepted, but not met: --accept '" + escaped(to_string(each)) + "' matched no violation\n");
    }
}

text_style style_of(const command_options& options) {
    const std::size_t width = text_width();
    if (options.colour != colour_choice::automatic) {
        return text_style(options.colour == colour_choice::always, width);
    }
    const char* const no_colour = std::getenv("NO_COLOR");
    const char* const terminal = std::getenv("TERM");
    if (no_colour != nullptr && *no_colour != '\0') return text_style(false, width);
    return text_style(isatty(STDOUT_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb", width);
}

double hard_limit_of(double budget) noexcept {
    constexpr double spare = 8;  // more than the engine itself takes to notice a loop without a step
    return budget > 0 ? budget * 1.5 + spare : 0;
}

std::string token_text(std::string_view engine, memory_model model, std::string_view scenario,
                       const std::vector<order_override>& overrides, const std::optional<choices>& path) {
    if (!path) return {};
    return to_text({std::string(engine), std::string(scenario), overrides, *path, model}).value_or("");
}

progress_callback watched_progress::callback() {
    return [this](const isolation_progress& now) {
        if (watch_.interrupted()) {
            display_.stopping();
        } else {
            display_.show(now);
        }
        return watch_.interrupted();
    };
}

namespace {

std::string seconds(double value) { return value > 0 ? fmt::format("{:g} s", value) : "no limit"; }

}  // namespace

html_run html_run_of(const command_options& options) {
    html_run run;
    run.program = called_as();
    const auto say = [&](const char* name, std::string value) { run.asked.emplace_back(name, std::move(value)); };
    if (options.what == command::replay) return run;
    say("scenarios", options.patterns.empty() ? "all" : fmt::format("{}", fmt::join(options.patterns, " ")));
    if (options.what == command::stress) {
        const stress_options& how = options.stress;
        if (how.soak.empty()) say("time", seconds(how.seconds));
        if (how.samples > 0) say("samples", std::to_string(how.samples));
        return run;
    }
    const search_options& how = options.search;
    say("engine", options.engine.empty() ? std::string(chosen_engine("").name()) : options.engine);
    say("model", std::string(to_string(how.model)));
    say("search", search_argument(how));
    if (const auto seed = seed_of(how)) say("seed", std::to_string(*seed));
    say("time budget for each search", seconds(how.resources.seconds));
    for (const acceptance& each : how.accept) say("accepted", to_string(each));
    return run;
}

}  // namespace ordeal::detail
