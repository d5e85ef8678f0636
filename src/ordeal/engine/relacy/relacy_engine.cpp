// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/relacy/relacy_engine.hpp"

#include "ordeal/engine/process/watchdog.hpp"
#include "ordeal/engine/relacy/scenario_program.hpp"
#include "ordeal/engine/search_report.hpp"
#include "ordeal/engine/seconds_since.hpp"
#include "ordeal/symbols/names/trace_names.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::detail {

namespace {

using relacy::ending;
using relacy::run_options;
using relacy::run_result;
using relacy::scenario_program;

// Preemption bounds tried first by an automatic search: most violations need few preemptions, and are then easy to
// read.
constexpr std::array<unsigned, 6> rising_bounds{0, 1, 2, 3, 4, relacy::unbounded};

constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";

// The alternatives that an execution is offered depend on the search mode, so its choices include that: "full.0121",
// "2.011" (at most two preemptions), "random.31". Trailing first alternatives are omitted.
std::string encode(const run_options& options, const run_result& run) {
    std::string text = options.random                             ? "random"
                       : options.preemptions == relacy::unbounded ? "full"
                                                                  : std::to_string(options.preemptions);
    text += '.';
    for (std::size_t i = 0; i < run.choices_size; ++i) text += digits[run.choices[i]];
    return text.erase(text.find_last_not_of('0') + 1);
}

struct decoded_choices {
    bool random = false;
    unsigned preemptions = relacy::unbounded;
    std::vector<std::uint8_t> alternatives;
};

std::optional<decoded_choices> decode(std::string_view text) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos) return std::nullopt;
    const std::string_view label = text.substr(0, dot);
    decoded_choices result;
    result.random = label == "random";
    if (!result.random && label != "full") {
        const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), result.preemptions);
        if (error != std::errc() || end != label.data() + label.size()) return std::nullopt;
    }
    for (const char c : text.substr(dot + 1)) {
        const std::size_t digit = digits.find(c);
        if (digit == std::string_view::npos) return std::nullopt;
        result.alternatives.push_back(static_cast<std::uint8_t>(digit));
    }
    return result;
}

class search_session {
public:
    search_session(const scenario& what, const search_options& how, search_progress& progress)
        : what_(what),
          how_(how),
          begin_(scenario_program::clock::now()),
          program_(what, progress, deadline_after(how.resources.seconds)),
          watchdog_([this](const interruption& what) { program_.interrupt(what.kind, what.message); },
                    [this] { return static_cast<unsigned long long>(program_.runtime().total_steps()); },
                    [&progress] { progress.heartbeats = progress.heartbeats + 1; }) {
        base_.threads = static_cast<int>(what.threads.size());
        base_.seed = how.strategy.seed;
        base_.random = how.strategy.mode == search_mode::random;
        base_.random_executions = how.strategy.bound;
    }

    search_result search() {
        if (how_.replay) {
            replay_only(*how_.replay);
        } else if (how_.strategy.mode == search_mode::automatic) {
            rising();
        } else {
            run_options options = base_;
            if (how_.strategy.mode == search_mode::preemptions)
                options.preemptions = static_cast<unsigned>(how_.strategy.bound);
            judge(options, run(options));
        }
        result_.sites = sites_of(program_.runtime().reached());
        require_overrides_met(how_, result_);
        require_executions(result_);
        result_.seconds = seconds_since(begin_);
        return std::move(result_);
    }

private:
    run_result run(const run_options& options, bool tracing = false) {
        program_.restart(tracing);
        const run_result outcome = relacy::run(program_, options);
        program_.runtime().leave();
        return outcome;
    }

    void rising() {
        std::optional<unsigned> finished;  // the largest bound searched completely
        for (const unsigned bound : rising_bounds) {
            run_options options = base_;
            options.preemptions = bound;
            const run_result outcome = run(options);
            const bool ended = outcome.how != ending::finished || outcome.diverged || !outcome.bounded;
            if (outcome.stopped && finished) {
                cut_short(*finished, bound, outcome);
                return;
            }
            keep_counts(outcome);
            if (ended || outcome.stopped) {
                judge(options, outcome);
                return;
            }
            finished = bound;
        }
    }

    void keep_counts(const run_result& outcome) {
        result_.threads = base_.threads;
        result_.executions = outcome.executions;
        result_.outcomes = program_.outcomes();
    }

    [[nodiscard]] limit how_far(const run_result& outcome) const {
        return cut_short_after({.executions = outcome.executions,
                                .seconds = stop_requested() ? 0 : how_.resources.seconds,
                                .of = how_.strategy.mode == search_mode::random ? how_.strategy.bound : 0});
    }

    // The counts are those of the last search that finished.
    void cut_short(unsigned finished, unsigned attempted, const run_result& outcome) {
        hold();
        result_.stopped = stop_requested();
        limit named = how_far(outcome);
        named.sentence =
            "every execution with at most " + std::to_string(finished) +
            (finished == 1 ? " preemption" : " preemptions") + "; the search " +
            (attempted == relacy::unbounded ? std::string("without a bound") : "with " + std::to_string(attempted)) +
            named.sentence.substr(named.sentence.find(" was ended"));
        named.parameters["most"] = std::to_string(finished);
        name_first(std::move(named));
    }

    void judge(const run_options& options, const run_result& outcome) {
        keep_counts(outcome);
        if (outcome.diverged) return diverged(outcome);
        if (outcome.how != ending::finished) return violated(options, outcome);
        hold();
        result_.complete = !outcome.stopped;
        result_.stopped = outcome.stopped && stop_requested();
        if (outcome.stopped) {
            name_first(how_far(outcome));
        } else if (options.random) {
            name_first(random_executions(outcome.executions, how_.strategy.seed));
        } else if (outcome.bounded) {
            name_first(at_most_preemptions(options.preemptions));
        }
    }

    void hold() {
        result_.verdict = verdict::held_within;
        result_.limits = program_.runtime().noted_limits().named(base_.random);
        if (base_.threads > 1 && !program_.runtime().threads_shared_object()) {
            result_.verdict = verdict::inconclusive;
            result_.message = blind_search_message(false);
        }
    }

    void name_first(limit bound) { result_.limits.insert(result_.limits.begin(), std::move(bound)); }

    void diverged(const run_result& outcome) {
        result_.verdict = verdict::violated;
        result_.kind = violation_kind::nondeterminism;
        result_.message = "execution " + std::to_string(outcome.executions) +
                          " offered other choices than an earlier one with the same beginning";
    }

    // A violation found by the runtime, or by Relacy itself.
    void name_violation(ending how) {
        auto& memory = program_.runtime();
        if (!memory.found()) {
            switch (how) {
                case ending::deadlock:
                    memory.conclude(violation_kind::deadlock, "every unfinished thread waits for ever");
                    break;
                case ending::livelock:
                    memory.note_unfairness(base_.threads);
                    memory.conclude(violation_kind::livelock,
                                    "an execution of more than " + std::to_string(base_.step_limit) + " operations");
                    break;
                case ending::lock_misuse:
                    memory.conclude(violation_kind::precondition,
                                    "a mutex is unlocked by a thread that does not hold it, or destroyed while held");
                    break;
                default: memory.conclude(violation_kind::crash, "Relacy ended the execution for a reason of its own");
            }
        }
        result_.kind = memory.found()->kind;
        result_.message = memory.found()->message;
    }

    // Relacy cannot give up one execution and go on with the next; the verdict stays inconclusive.
    bool ended_by_assumption() {
        if (!program_.runtime().false_assumption()) return false;
        result_.message = "an assumption does not hold in some execution, which Relacy cannot give up";
        return true;
    }

    void violated(const run_options& options, const run_result& outcome) {
        if (ended_by_assumption()) return;
        result_.verdict = verdict::violated;
        name_violation(outcome.how);
        const violation_kind kind = *result_.kind;
        result_.replay = choices{encode(options, outcome)};
        trace_again(*decode(result_.replay->text));
        if (result_.kind != kind) {
            result_.message = "the execution that showed \"" + std::string(to_string(kind)) +
                              "\" ended differently when it was run again (a static, an address, or time?)";
            result_.kind = violation_kind::nondeterminism;
        }
        name_those_of_a_violation();
    }

    void name_those_of_a_violation() {
        result_.limits = program_.runtime().noted_limits().named(base_.random);
        keep_those_of_a_violation(result_.limits);
    }

    // Sets kind, message and trace as this run shows them; no kind if it shows none.
    ending trace_again(const decoded_choices& given) {
        run_options options = base_;
        options.random = given.random;
        options.preemptions = given.preemptions;
        static constexpr std::uint8_t none = 0;  // first alternatives only: still a replay, not a search
        options.replay = given.alternatives.empty() ? &none : given.alternatives.data();
        options.replay_size = given.alternatives.size();
        const run_result outcome = run(options, true);
        result_.kind.reset();
        if (outcome.diverged) return ending::other;
        if (outcome.how != ending::finished && !program_.runtime().false_assumption()) name_violation(outcome.how);
        result_.trace = shortened(program_.runtime().steps());
        name_trace_objects(result_.trace, result_.message, {}, what_);
        return outcome.how;
    }

    void replay_only(const choices& wanted) {
        const auto given = decode(wanted.text);
        if (!given) {
            result_.message = "the choices of the execution cannot be read";
            return;
        }
        const ending how = trace_again(*given);
        result_.executions = 1;
        if (ended_by_assumption()) return;
        if (how == ending::other && !result_.kind) {
            result_.message = "the execution does not fit this program: the code has changed, or is not deterministic";
            return;
        }
        result_.verdict = result_.kind ? verdict::violated : verdict::held_within;
        if (result_.kind) {
            name_those_of_a_violation();
        } else {
            name_first({"one-execution", "one execution", limit_effect::bounds});
        }
        result_.complete = true;
        result_.replay = wanted;
    }

    const scenario& what_;
    const search_options& how_;
    scenario_program::clock::time_point begin_;
    scenario_program program_;
    watchdog watchdog_;
    run_options base_;
    search_result result_;
};

}  // namespace

search_result relacy_engine::search(const scenario& what, const search_options& how, search_progress& progress) {
    if (auto refused = begin_search(*this, what, how)) return std::move(*refused);
    return search_session(what, how, progress).search();
}

}  // namespace ordeal::detail
