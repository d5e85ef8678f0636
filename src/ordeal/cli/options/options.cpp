// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/options/options.hpp"

#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/compiler_words.hpp"
#include "ordeal/cli/options/description.hpp"
#include "ordeal/cli/options/option_values.hpp"
#include "ordeal/cli/patterns.hpp"
#include "ordeal/cli/standard_streams.hpp"
#include "ordeal/engine/engines.hpp"
#include "ordeal/engine/process/remote_workers.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/formats.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/report/picture/picture.hpp"
#include "ordeal/report/text/table.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <iostream>
#include <memory>
#include <thread>

namespace ordeal::detail {

namespace {

// "(engine graph)": which engines have what an option asks for.
std::string in_brackets(bool engine_features::* wanted) { return "(engine " + engines_with(wanted) + ")"; }

constexpr double audit_seconds = 3;
constexpr double stress_seconds = 1;

// Of ordeal itself, or of a program with trials of somebody's.
std::string about() {
    const std::string does = "under a memory model, execution by execution, and says which verdict each gets.\n";
    if (is_ordeal_itself()) return "ordeal - memory orders on trial\nRuns small concurrent programs " + does;
    return fmt::format("{} - {} on trial, by ordeal {}\nRuns them {}", program_name(),
                       counted(scenarios().size(), "scenario"), program_version(), does);
}

// Every thread of a scenario should have a processor, or they mostly take turns.
unsigned default_stress_jobs() { return std::max(1U, std::thread::hardware_concurrency() / 2); }

std::string usual_engine() { return engines().empty() ? std::string() : std::string(engines().front()->name()); }

// All remote workers, if there are some.
unsigned default_jobs() {
    return remote_workers::available() ? remote_workers::count() : std::max(1U, std::thread::hardware_concurrency());
}

// The library's own does not break lines.
class wrapping_formatter : public CLI::Formatter {
public:
    std::string make_option(const CLI::Option* of, bool is_positional) const override {
        return help_row(make_option_name(of, is_positional) + make_option_opts(of), make_option_desc(of),
                        get_column_width());
    }
    std::string make_subcommand(const CLI::App* of) const override {
        // Of several lines, the first says what it does.
        const std::string description = of->get_description();
        return help_row(of->get_display_name(true), description.substr(0, description.find('\n')), get_column_width());
    }
};

/// The command line while it is being parsed: options whose values need another look, beside the result.
class parser {
public:
    explicit parser(const search_defaults& defaults) : app_(about(), program_name()) {
        app_.formatter(std::make_shared<wrapping_formatter>());
        app_.require_subcommand(1);
        app_.set_version_flag("--version", std::string("ordeal ") + program_version());
        app_.footer(help_footer(""));
        app_.failure_message([this](const CLI::App*, const CLI::Error& error) {
            const auto chosen = app_.get_subcommands();
            const std::string command = chosen.empty() ? command_ : chosen.front()->get_name();
            const std::string help = command.empty() ? " --help" : " help " + command;
            return program_name() + ": " + escaped(error.what()) + suggestions() + '\n' + program_name() + help +
                   " shows what there is.\n";
        });
        options_.jobs = default_jobs();
        options_.search.bounds = defaults.bounds;
        timeouts_ = defaults.bounds.time_limits == timeouts::late ? "late" : "any";
        add_list();
        add_search_command(command::check, "check", "Check scenarios: one verdict for each", defaults.check_seconds);
        add_search_command(command::clients, "clients", "Check all clients of classes: every program of a size",
                           defaults.check_seconds);
        add_merge();
        add_search_command(command::audit, "audit", "Audit the memory orders of the code under the scenarios",
                           audit_seconds);
        add_replay();
        add_stress();
        add_new();
        add_try();
        add_test();
        add_description_commands();
    }

    std::variant<command_options, exit_code> parse(int argc, char** argv) {
        if (argc < 2) {
            std::cerr << app_.help();
            return exit_code::usage;
        }
        // The library would only say that a command is missing.
        const std::string first = argv[1];
        if (!first.starts_with('-') && !is_command(first)) {
            say_line(no_command(first));
            return exit_code::usage;
        }
        if (first == "try" && take_try({argv + 2, argv + argc})) return options_;
        try {
            if (first == "test") command_ = first;
            if (first == "test" && take_test({argv + 2, argv + argc})) return options_;
            std::vector<std::string> arguments = joined_arguments(argc, argv);
            std::ranges::reverse(arguments);  // the library takes them from the end
            app_.parse(std::move(arguments));
        } catch (const CLI::Success& done) {  // help, version
            app_.exit(done, std::cout, std::cerr);
            return after_answer();
        } catch (const CLI::ParseError& error) {
            app_.exit(error, std::cout, std::cerr);
            return exit_code::usage;
        }
        if (answer_) {
            std::cout << *answer_;
            return after_answer();
        }
        if (!take_fix()) return exit_code::usage;
        if (!shard_.empty()) (void)parse_shard(shard_, options_.search);     // checked while parsing
        if (!search_.empty()) (void)parse_search(search_, options_.search);  // checked while parsing
        for (const std::string& each : accept_) {                            // checked while parsing
            auto& accept = options_.search.accept;
            if (each.starts_with('@')) {
                (void)read_acceptances(each.substr(1), accept);
            } else {
                accept.push_back(*parse_acceptance(each));
            }
        }
        for (const std::string& each : sizes_) options_.clients.sizes.push_back(*parse_client_size(each));
        options_.search.model = *parse_memory_model(model_);
        options_.search.bounds.time_limits = timeouts_ == "late" ? timeouts::late : timeouts::any;
        take_reductions();
        if (!memory_.empty()) options_.search.resources.memory = *parse_memory(memory_);
        options_.colour = *parse_colour(colour_);
        options_.outcomes |= options_.show > 0;
        options_.search.wanted.examples = options_.outcomes;
        options_.search.wanted.atomic_states = options_.coverage;
        for (files_by_format* const files : {&options_.reports, &options_.pictures}) {
            std::erase_if(*files, [](const auto& each) { return each.second.empty(); });
        }
        return options_;
    }

private:
    void take_reductions() {
        search_reductions& into = options_.search.reductions;
        if (!reductions_.empty()) into = *parse_reductions(reductions_);  // checked while parsing
        for (const former_switch& each : former_switches_) {
            if (each.value.empty()) continue;
            const bool on = each.value == "on";
            for (const auto member : each.members) into.*member = on;
            if (!on) say_line(fmt::format("{} off is now --reductions={}", each.option, each.now));
        }
    }

    // A value that begins with a minus would be an option to the library.
    static std::vector<std::string> joined_arguments(int argc, char** argv) {
        std::vector<std::string> result;
        for (int i = 1; i < argc; ++i) {
            if (std::string_view(argv[i]) == "--reductions" && i + 1 < argc && argv[i + 1][0] == '-' &&
                argv[i + 1][1] != '-') {
                result.push_back("--reductions=" + std::string(argv[++i]));
            } else {
                result.emplace_back(argv[i]);
            }
        }
        return result;
    }

    [[nodiscard]] bool is_command(const std::string& name) const {
        const auto commands = app_.get_subcommands([](const CLI::App*) { return true; });
        return std::ranges::any_of(commands, [&](const CLI::App* each) { return each->get_name() == name; });
    }

    [[nodiscard]] std::string no_command(const std::string& name) const {
        std::vector<std::string> commands;
        for (const auto& each : describe(app_).commands) commands.push_back(each.name);
        if (const std::string near = similar(name, commands); !near.empty()) {
            return "no command '" + escaped(name) + "'; did you mean " + near + '?';
        }
        std::string names;
        for (const auto& each : commands) names += (names.empty() ? "" : ", ") + each;
        return "no command '" + escaped(name) + "'; one of " + names;
    }

    // For each option of the command that there is not: the one whose name is like it.
    [[nodiscard]] std::string suggestions() const {
        std::string text;
        for (const CLI::App* const command : app_.get_subcommands()) {
            std::vector<std::string> names;
            for (const CLI::Option* const each : command->get_options()) {
                if (each->get_group().empty()) continue;
                for (const std::string& name : each->get_lnames()) names.push_back("--" + name);
            }
            for (const std::string& each : command->remaining()) {
                const std::string word = each.substr(0, each.find('='));
                if (const std::string near = similar(word, names); word.starts_with("--") && !near.empty()) {
                    text += "; did you mean " + near + '?';
                }
            }
        }
        return text;
    }

    static exit_code after_answer() {
        if (std::cout.flush()) return exit_code::as_expected;
        say_line("cannot write standard output");
        return exit_code::incomplete;
    }

    // Those that tell of the program itself.
    void add_description_commands() {
        CLI::App* const help = app_.add_subcommand("help", "Show the help of a command");
        help->footer(help_footer("help"));
        help->add_option("command", described_, "Its name; none: of the program")->type_name("COMMAND");
        help->callback([this] {
            if (!described_.empty() && !is_command(described_)) {
                throw CLI::ValidationError("help", no_command(described_));
            }
            const CLI::App* const of = described_.empty() ? &app_ : app_.get_subcommand(described_);
            // The library's own help() would be that of the command that was given: this one.
            const std::string usage = program_name() + (described_.empty() ? "" : " " + described_);
            answer_ = app_.get_formatter()->make_help(of, usage, CLI::AppFormatMode::Normal);
        });
        CLI::App* const completion =
            app_.add_subcommand("completion", "Print what a shell needs to complete command lines of this program");
        completion->footer(help_footer("completion"));
        completion->add_option("shell", shell_, "bash, zsh or fish")
            ->type_name("SHELL")
            ->required()
            ->check(CLI::IsMember(completion_shells()).description(""));
        completion->callback([this] { answer_ = completion_script(describe(app_), shell_); });
        CLI::App* const man = app_.add_subcommand("man", "Print the manual page");
        man->footer(help_footer("man"));
        man->callback([this] { answer_ = man_page(describe(app_)); });
    }

    CLI::App* add_command(command what, const char* name, const char* text) {
        CLI::App* const sub = app_.add_subcommand(name, text);
        sub->callback([this, what] { options_.what = what; });
        sub->footer(help_footer(name));
        add_reports(sub, kind_of(what), true);
        sub->add_option("--color", colour_, "auto, always or never")
            ->type_name("WHEN")
            ->capture_default_str()
            ->check(colour_check);
        return sub;
    }

    static report_kind kind_of(command what) {
        switch (what) {
            case command::check:
            case command::clients:
            case command::merge: return report_kind::check;
            case command::audit: return report_kind::audit;
            case command::replay: return report_kind::replay;
            case command::stress: return report_kind::stress;
            case command::list:
            case command::fresh:
            case command::tried:
            case command::tested: break;
        }
        return report_kind::list;
    }

    // Formats of what was run come first, those of findings further below.
    void add_reports(CLI::App* sub, report_kind of, bool of_every_run) {
        for (const report_format* each : report_formats()) {
            if (!each->has(of) || each->has(report_kind::replay) != of_every_run) continue;
            const std::string name(each->name());
            sub->add_option("--" + name, options_.reports[name], std::string(each->about()) + "; - is standard output")
                ->type_name("FILE")
                ->check(file_error);
        }
    }

    void add_show_output(CLI::App* sub) {
        sub->add_flag("--show-output", options_.show_output,
                      "Print the output of each execution on standard error; otherwise it is dropped");
    }

    void add_pictures(CLI::App* sub) {
        for (const picture_format& each : picture_formats()) {
            const std::string name(each.name);
            sub->add_option("--" + name, options_.pictures[name],
                            fmt::format("Write the execution that is shown as {}", each.about))
                ->type_name("FILE")
                ->check(kept_file_error);
        }
    }

    // Beside the verdicts.
    void add_insight(CLI::App* sub) {
        const std::string by = in_brackets(&engine_features::examples);
        sub->add_flag("--outcomes", options_.outcomes,
                      "List every outcome with its simplest execution, to replay " + by);
        sub->add_option("--show", options_.show, "Print the simplest execution of the N-th outcome; one scenario " + by)
            ->type_name("N")
            ->check(count_check);
        sub->add_flag("--coverage", options_.coverage,
                      "Sites reached, who read from whom, and charts of the states of atomics " + by);
        add_pictures(sub);
    }

    void add_patterns(CLI::App* sub) {
        sub->add_option("pattern", options_.patterns,
                        "Scenarios: names, subjects, globs, =NAME for that one alone; none: all")
            ->type_name("PATTERN");
    }

    void add_list() {
        CLI::App* const sub = add_command(command::list, "list", "List scenarios");
        add_patterns(sub);
    }

    void add_accept(CLI::App* sub) {
        sub->add_option("--accept", accept_,
                        "Continue past this violation and report it; repeatable; @FILE has one per line " +
                            in_brackets(&engine_features::acceptances))
            ->type_name("KIND[@FILE:LINE]|@FILE")
            ->allow_extra_args(false)
            ->check(acceptance_error);
    }

    // Returns the time budget, whose default is the command's.
    CLI::Option* add_search_options(CLI::App* sub, double seconds) {
        search_options& search = options_.search;
        sub->add_option("--search", search_, "auto, full, preemptions=N, random=N, pct=N[,DEPTH], pos=N or surw=N")
            ->type_name("HOW")
            ->default_str("auto")
            ->check(search_error);
        sub->add_option("--seed", search.strategy.seed, "Of a random, pct, pos or surw search")
            ->type_name("N")
            ->capture_default_str()
            ->check(whole_number_error);
        sub->add_option("--spurious", search.bounds.spurious,
                        "How often a weak compare-exchange may fail spuriously, for each thread " +
                            in_brackets(&engine_features::spurious_failures))
            ->type_name("N")
            ->capture_default_str()
            ->check(whole_number_error)
            ->check(CLI::Range(0U, 1000U).description(""));
        sub->add_option("--reuse", search.bounds.reuse,
                        "How often memory that was freed may be allocated again in an execution " +
                            in_brackets(&engine_features::reuse))
            ->type_name("N")
            ->capture_default_str()
            ->check(whole_number_error)
            ->check(CLI::Range(0U, 1000U).description(""));
        sub->add_option("--timeouts", timeouts_,
                        "When a time limit comes, and a sleep ends, in a random search: any, at any moment; late, when "
                        "no thread can go on otherwise, the earliest first " +
                            in_brackets(&engine_features::timeouts))
            ->type_name("WHEN")
            ->capture_default_str()
            ->check(timeouts_check);
        sub->add_option("--length", search.bounds.length,
                        "How many operations of an execution are followed; if not given, 1000000 in a random search of "
                        "code without a policy, otherwise 10000 " +
                            in_brackets(&engine_features::length))
            ->type_name("N")
            ->check(whole_number_error)
            ->check(CLI::Range(1U, 100'000'000U).description(""));
        sub->add_option("--model", model_,
                        "The memory model: cpp20; cpp20-letter, the same without what the letter of [atomics.order] "
                        "forbids; rc11, without load buffering; tso, that of x86-64; sc, sequential "
                        "consistency " +
                            in_brackets(&engine_features::memory_models))
            ->type_name("MODEL")
            ->capture_default_str()
            ->check(model_check);
        sub->add_option("--reductions", reductions_,
                        "Reductions to apply: all, none, or names with commas, each with a minus to switch it off: " +
                            names_of_reductions() + ' ' + in_brackets(&engine_features::reductions))
            ->type_name("NAMES")
            ->default_str("all")
            ->check(reductions_error);
        // Options that reductions had of their own; no help mentions them.
        for (former_switch& each : former_switches_) {
            sub->add_option(each.option, each.value, "")
                ->group("")
                ->check(CLI::IsMember({"on", "off"}).description(""));
        }
        add_accept(sub);
        sub->add_option(
               "--memory", memory_,
               "Memory for each search, all its processes together, as 512M or 2G; a search that reaches it is cut "
               "short, and says so; if not given, no limit " +
                   in_brackets(&engine_features::memory_limit))
            ->type_name("SIZE")
            ->check(memory_error);
        CLI::Option* const budget =
            sub->add_option("--time-budget", search.resources.seconds,
                            "Seconds for each search; a search that is not done by then is cut short, and says so; "
                            "0: no limit");
        budget->type_name("S")->default_str(fmt::format("{:g}", seconds));
        return budget->check(seconds_error);
    }

    void add_demands(CLI::App* sub) {
        sub->add_flag("--strict", options_.strict,
                      "Undecided, vacuous, unexercised, held within limits or not complete is a failure");
        sub->add_flag("--require-complete", options_.require_complete,
                      "A search that its time budget cut short is a failure");
        sub->add_flag("--trace", options_.trace, "Print the traces of all violations");
        add_all_steps(sub);
    }

    void add_shard(CLI::App* sub) {
        CLI::Option* const shard =
            sub->add_option("--shard", shard_,
                            "Only part I of N of each search; merge adds up the results of the parts " +
                                in_brackets(&engine_features::shards));
        shard->type_name("I/N")->check(shard_error);
        CLI::Option* const file =
            sub->add_option("--shard-file", options_.shard.file, "File for the shard's results, which merge reads");
        file->type_name("FILE")->check(kept_file_error);
        shard->needs(file);
        file->needs(shard);
    }

    void add_merge() {
        CLI::App* const sub =
            add_command(command::merge, "merge", "Add up the results of the shards of a check into one report");
        sub->add_option("file", options_.shard.files,
                        "Files written by check --shard, from the same program and options")
            ->type_name("FILE")
            ->required();
        add_reports(sub, report_kind::check, false);
        add_demands(sub);
        sub->add_flag("--quiet", options_.quiet, "No progress on standard error");
    }

    void add_search_command(command what, const char* name, const char* text, double seconds) {
        CLI::App* const sub = add_command(what, name, text);
        if (what == command::clients) {
            add_clients(sub);
        } else {
            add_patterns(sub);
        }
        sub->add_option("--engine", options_.engine,
                        what == command::audit ? "The engine by name"
                                               : "The engine by name; all: every one, compared by scenario")
            ->type_name("NAME")
            ->default_str(usual_engine())
            ->check(engine_error);
        CLI::Option* const budget = add_search_options(sub, seconds);
        sub->add_option("-j,--jobs", options_.jobs,
                        "Processes at a time; if not given, as many as there are processors")
            ->type_name("N")
            ->check(CLI::Range(1U, 1024U).description(""));
        if (what == command::check) {
            CLI::Option* const checkpoint =
                sub->add_option("--checkpoint", options_.search.checkpoint.file,
                                "Save the search to FILE, and resume from it; one scenario, engine " +
                                    engines_with(&engine_features::checkpoints));
            checkpoint->type_name("FILE")->check(kept_file_error);
            sub->add_option("--checkpoint-every", options_.search.checkpoint.seconds,
                            "Seconds between two writes of FILE")
                ->type_name("S")
                ->capture_default_str()
                ->check(seconds_error)
                ->needs(checkpoint);
            add_shard(sub);
        }
        add_reports(sub, kind_of(what), false);
        if (what == command::audit) {
            add_fix(sub);
            sub->add_option("--baseline", options_.baseline,
                            "The JSON report of an earlier audit: a difference from it is a failure, and nothing else")
                ->type_name("FILE")
                ->check(file_error);
        }
        add_demands(sub);
        if (what == command::check) add_insight(sub);
        if (what == command::check) add_show_output(sub);
        sub->add_flag("--quiet", options_.quiet,
                      what == command::audit ? "One line per subject, and no progress on standard error"
                                             : "No progress on standard error");
        sub->callback([this, what, budget, seconds] {
            options_.what = what;
            if (budget->count() == 0) options_.search.resources.seconds = seconds;
        });
    }

    void add_clients(CLI::App* sub) {
        sub->add_option("class", options_.patterns, "Names of ORDEAL_CLIENTS, subjects, globs; none: all")
            ->type_name("CLASS");
        add_client_sizes(sub, "Clients of these sizes, threads x calls of each, in place of those declared",
                         "Only so many clients of each size, drawn at random by --seed; if not given, all");
    }

    void add_client_sizes(CLI::App* sub, const std::string& sizes, const std::string& drawn) {
        sub->add_option("--sizes", sizes_, sizes)->type_name("TxC")->delimiter(',')->check(client_size_error);
        sub->add_option("--drawn", options_.clients.drawn, drawn)->type_name("N")->check(count_check);
    }

    void add_fix(CLI::App* sub) {
        fix_option_ = sub->add_option(
            "--fix", fix_,
            "A patch of the source: minimal assignment or repair N, the first if not given; one subject");
        fix_option_->type_name("[N]")->expected(0, 1);
        sub->add_flag("--write", options_.write_fix, "Apply the patch")->needs(fix_option_);
    }

    // `--fix task`: what is no number is the pattern after an option without a value.
    bool take_fix() {
        const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
        options_.fix = fix_option_->count() > 0;
        if (fix_.empty()) return true;
        if (!std::ranges::all_of(fix_, is_digit)) {
            options_.patterns.push_back(fix_);
            return true;
        }
        const auto [end, error] = std::from_chars(fix_.data(), fix_.data() + fix_.size(), options_.fix_number);
        if (error == std::errc() && options_.fix_number > 0) return true;
        say_line("--fix: not a number of an assignment or a repair, which are counted from 1: '" + escaped(fix_) + "'");
        return false;
    }

    void add_replay() {
        CLI::App* const sub = add_command(command::replay, "replay", "Run one execution again and print its trace");
        sub->add_option("token", options_.token, "What check or audit printed after `ordeal replay`")
            ->type_name("TOKEN")
            ->required();
        add_all_steps(sub);
        CLI::Option* const step = sub->add_flag(
            "--step", options_.replay.step, "Walk along the execution, step by step, by commands on standard input");
        add_debug(sub)->excludes(step);
        add_pictures(sub);
        add_show_output(sub);
        add_accept(sub);
    }

    void add_all_steps(CLI::App* sub) {
        sub->add_flag("--all-steps", options_.all_steps,
                      "In traces, every step with its source line, not only those that led to the violation");
    }

    CLI::Option* add_debug(CLI::App* sub) {
        replay_options& replay = options_.replay;
        CLI::Option* const debug =
            sub->add_flag("--debug", replay.debug, "Stop in gdb where the violation is, with the threads of the model");
        sub->add_option("--at", replay.at, "The step at which gdb stops, by its number or letter")
            ->type_name("STEP")
            ->needs(debug);
        sub->add_option("--gdb", replay.gdb,
                        "Run this command of gdb there; may be given again; gdb ends after the last")
            ->type_name("COMMAND")
            ->allow_extra_args(false)
            ->needs(debug);
        return debug;
    }

    void add_stress() {
        CLI::App* const sub =
            add_command(command::stress, "stress", "Run scenarios on real threads and count their outcomes");
        add_patterns(sub);
        add_client_sizes(sub,
                         "Clients of these sizes, threads x calls of each; patterns are names of classes then; if not "
                         "given, scenarios as they are declared",
                         "So many clients of each size, drawn at random by --seed; patterns are names of classes then; "
                         "if not given, all");
        stress_options& stress = options_.stress;
        CLI::Option* const seconds =
            sub->add_option("--seconds", stress.seconds,
                            fmt::format("Seconds for each scenario: {:g} if not given, as long as it takes with "
                                        "--samples; with --soak in total: until interrupted if not given or 0",
                                        stress_seconds));
        seconds->type_name("S")->check(seconds_error);
        sub->add_option(
               "--samples", stress.samples,
               "Stop a scenario after so many (with --soak: in each round); if not given, when its time is over")
            ->type_name("N")
            ->check(whole_number_error);
        sub->add_option("--seed", stress.seed, "Of the delays; drawn and printed if not given")
            ->type_name("N")
            ->check(whole_number_error);
        sub->add_option("--patience", stress.hang_timeout, "Seconds without progress that count as a hang")
            ->type_name("S")
            ->capture_default_str()
            ->check(seconds_error);
        add_show_output(sub);
        sub->add_option("--soak", stress.soak, "Run round after round; totals are kept in FILE and continued")
            ->type_name("FILE")
            ->check(kept_file_error);
        CLI::Option* const jobs = sub->add_option(
            "-j,--jobs", options_.jobs, "Scenarios at a time; if not given, half as many as there are processors");
        jobs->type_name("N")->check(CLI::Range(1U, 1024U).description(""));
        sub->add_flag("--quiet", options_.quiet, "No progress on standard error");
        sub->callback([this, seconds, jobs] {
            options_.what = command::stress;
            if (jobs->count() == 0) options_.jobs = default_stress_jobs();
            const bool endless = options_.stress.samples > 0 || !options_.stress.soak.empty();
            if (seconds->count() == 0 && !endless) options_.stress.seconds = stress_seconds;
        });
    }

    void add_new() {
        CLI::App* const sub =
            app_.add_subcommand("new", "Write a project that has a bug, trials that find it, and a README");
        if (!is_ordeal_itself()) sub->group("");  // hidden: they have nothing to do with what is on trial
        sub->callback([this] { options_.what = command::fresh; });
        sub->footer(help_footer("new"));
        sub->add_option("folder", options_.fresh.folder, "Where to; it does not exist yet, or is empty")
            ->type_name("DIR")
            ->required()
            ->check(folder_check);
        sub->add_option("--name", options_.fresh.name, "The project's name; that of the folder if not given")
            ->type_name("NAME")
            ->check(project_name_error);
    }

    void add_try() {
        CLI::App* const sub = app_.add_subcommand(
            "try",
            "Compile sources with trials, and check them, or do what the command says; no project is needed.\n"
            "A trial is void trial(), or with <ordeal/trial.h> each ORDEAL_TRIAL(\"name\") { ... }");
        if (!is_ordeal_itself()) sub->group("");
        sub->footer(help_footer("try"));
        sub->callback([this] { throw no_source(options_.built.sources.front()); });  // take_try() takes what has one
        sub->add_option(
               "source", options_.built.sources,
               "Sources in C++ or C; then a command of the program that they make, with its options, check if not "
               "given; after --, flags for the compiler and the linker, and after another -- the command")
            ->type_name("FILE")
            ->required();
    }

    static CLI::ValidationError no_source(const std::string& word) {
        return CLI::ValidationError(
            fmt::format("'{}' is no source: those of C++ and C end with {}", word, source_endings()),
            CLI::ExitCodes::ValidationError);
    }

    // What follows the sources is for another program to parse. Without a source the library says what is missing.
    bool take_try(const std::vector<std::string>& words) {
        const auto next = std::ranges::find_if_not(words, &is_source);
        if (next == words.begin() || asks_for_help(next, words.end())) return false;
        options_.built.sources.assign(words.begin(), next);
        take_built({next, words.end()});
        std::vector<std::string>& command = options_.built.command;
        if (command.empty() || command.front().starts_with('-')) command.insert(command.begin(), "check");
        options_.what = command::tried;
        return true;
    }

    // The help of the command, which the library gives: that of a command of what is built follows its name.
    static bool asks_for_help(std::vector<std::string>::const_iterator next,
                              std::vector<std::string>::const_iterator end) {
        return next != end && (*next == "--help" || *next == "-h");
    }

    // Words, -- and flags, -- and words.
    void take_built(const std::vector<std::string>& words) {
        built_options& built = options_.built;
        const auto dashes = std::ranges::find(words, "--");
        built.command.assign(words.begin(), dashes);
        if (dashes == words.end()) return;
        const auto second = std::find(dashes + 1, words.end(), "--");
        built.flags.assign(dashes + 1, second);
        if (second != words.end()) built.command.insert(built.command.end(), second + 1, words.end());
    }

    void add_test() {
        CLI::App* const sub = app_.add_subcommand("test",
                                                  "Check existing tests, from the command that compiles and links "
                                                  "them: ordeal test -- c++ -O1 a_test.cpp -lgtest.\n"
                                                  "Each test case of GoogleTest, Catch2, doctest or Boost.Test is a "
                                                  "scenario; without a framework main is one");
        if (!is_ordeal_itself()) sub->group("");
        sub->footer(help_footer("test"));
        sub->callback([] {  // take_test() takes what is complete
            throw CLI::ValidationError(
                "the command that builds the tests is missing: it stands after --, or sources "
                "stand in its place",
                CLI::ExitCodes::ValidationError);
        });
        sub->add_option(
               "pattern", options_.patterns,
               "Test cases, and options of check; or another command of the program that is built, with its options: "
               "list, audit, replay. Before them sources may stand: then what follows -- are flags alone")
            ->type_name("PATTERN");
        sub->add_option("--framework", options_.built.framework,
                        "That of the tests; if not given, it is recognised by what they link and include")
            ->type_name("NAME")
            ->check(framework_error);
        sub->add_option("--allow-unseen", options_.built.allow_unseen,
                        "A library that may be linked as it was compiled, unseen; may be given again; if not given, "
                        "none but the framework's")
            ->type_name("NAME")
            ->allow_extra_args(false);
    }

    // Throws what the library throws for a value that is wrong.
    bool take_test(const std::vector<std::string>& words) {
        built_options& built = options_.built;
        const auto dashes = std::ranges::find(words, "--");
        std::vector<std::string> own;
        for (auto each = words.begin(); each != words.end(); ++each) {
            const bool before = each < dashes;
            const auto value_of = [&](const std::string& option) -> std::optional<std::string> {
                if (!before) return {};
                if (each->starts_with(option + '=')) return each->substr(option.size() + 1);
                if (*each != option) return {};
                if (each + 1 >= dashes) throw CLI::ValidationError(option, "a value is missing");
                return *++each;
            };
            if (const auto framework = value_of("--framework")) {
                if (const std::string wrong = framework_error(*framework); !wrong.empty()) {
                    throw CLI::ValidationError("--framework", wrong);
                }
                built.framework = *framework;
            } else if (const auto name = value_of("--allow-unseen")) {
                built.allow_unseen.push_back(*name);
            } else {
                own.push_back(*each);
            }
        }
        const auto next = std::ranges::find_if_not(own, &is_source);
        const bool is_complete = next != own.begin() || std::ranges::find(own, "--") != own.end();
        if (!is_complete || asks_for_help(next, own.end())) return false;
        built.sources.assign(own.begin(), next);
        take_built({next, own.end()});
        if (built.sources.empty() && built.flags.empty()) return false;
        if (built.command.empty() || !is_command(built.command.front())) {
            built.command.insert(built.command.begin(), "check");
        }
        options_.what = command::tested;
        return true;
    }

    static std::string colour_check(const std::string& text) {
        return parse_colour(text) ? "" : "not one of auto, always, never: '" + text + "'";
    }
    static std::string model_check(const std::string& text) {
        return parse_memory_model(text) ? ""
                                        : fmt::format("not one of {}: '{}'", fmt::join(memory_model_ids(), ", "), text);
    }
    static std::string timeouts_check(const std::string& text) {
        return text == "any" || text == "late" ? "" : "not one of any, late: '" + text + "'";
    }
    static std::string count_check(const std::string& text) {
        return text == "0" ? "outcomes are counted from 1" : whole_number_error(text);
    }
    static std::string folder_check(const std::string& text) {
        return text.empty() ? "the name of the folder is empty" : "";
    }

    CLI::App app_;
    command_options options_;
    std::string colour_ = "auto";
    std::string model_ = std::string(to_string(default_memory_model));
    std::string timeouts_;
    std::string reductions_;
    /// An option of its own that a reduction had.
    struct former_switch {
        const char* option;
        std::vector<bool search_reductions::*> members;
        const char* now;
        std::string value{};
    };
    std::array<former_switch, 3> former_switches_{{
        {"--symmetry", {&search_reductions::symmetry}, "-symmetry"},
        {"--copies", {&search_reductions::snapshots}, "-snapshots"},
        {"--cut-retries", {&search_reductions::retries, &search_reductions::blocked}, "-retries,-blocked"},
    }};
    std::string search_;
    std::string memory_;
    std::string shard_;
    std::vector<std::string> accept_;
    std::vector<std::string> sizes_;
    std::string fix_;
    std::string command_;    ///< that is being parsed, before the library does
    std::string described_;  ///< the command whose help is asked for
    std::string shell_;
    std::optional<std::string> answer_;  ///< what the program prints, and is done
    CLI::Option* fix_option_ = nullptr;
};

}  // namespace

std::variant<command_options, exit_code> parse_command_line(int argc, char** argv, const search_defaults& defaults) {
    return parser(defaults).parse(argc, argv);
}

}  // namespace ordeal::detail
