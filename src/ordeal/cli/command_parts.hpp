// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/cli/options/options.hpp"
#include "ordeal/cli/own_process.hpp"
#include "ordeal/cli/progress.hpp"
#include "ordeal/report/text/style.hpp"

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// The engines of this program that have it, as in a sentence: "graph", "one or two"; "none".
[[nodiscard]] std::string engines_with(bool engine_features::* wanted);

/// Why another engine cannot run an instrumented scenario.
[[nodiscard]] std::string no_policy_message();

/// Why this program cannot run it on real threads.
[[nodiscard]] std::string no_real_threads_message();

/// Ends a command: the message is printed on standard error.
class command_error : public std::exception {
public:
    command_error(exit_code code, std::string message) : code_(code), message_(std::move(message)) {}

    [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }
    [[nodiscard]] exit_code code() const noexcept { return code_; }

private:
    exit_code code_;
    std::string message_;
};

/// The scenarios that the patterns mean; throws when one means none, and when two scenarios have one name.
[[nodiscard]] std::vector<const scenario*> chosen_scenarios(const command_options& options);

/// The clients of the classes that the patterns mean, of the sizes that the options ask for, and as many: they become
/// the clients of their sets, of which each is told. Throws when a pattern means none, or no client is of a size.
[[nodiscard]] std::vector<const scenario*> chosen_clients(const command_options& options, std::uint64_t seed);

/// Whether the engine can search the scenario at all: not every one can search code without a policy.
[[nodiscard]] bool searches(const engine& with, const scenario& what) noexcept;

/// Leaves out what the engine cannot search, unless a pattern is exactly its name, and says so on standard error;
/// throws when nothing remains.
[[nodiscard]] std::vector<const scenario*> searched_by(const engine& with, std::vector<const scenario*> chosen,
                                                       const command_options& options);

/// The engine of this name, or the first for an empty one; throws when there is none.
[[nodiscard]] engine& chosen_engine(std::string_view name);

/// Throws when one of these engines does not have the search that is asked for.
void require_able(std::span<engine* const> with, const search_options& how);

/// Says on standard error which acceptances match no violation that was met: the code has changed, or they are
/// misspelt.
void name_unmet_acceptances(std::span<const accepted_violation> met, std::span<const acceptance> accept);

[[nodiscard]] text_style style_of(const command_options& options);

/// How long a search may take before its process is killed: it ends by itself within its time budget, unless the
/// code on trial does not come to its next step.
[[nodiscard]] double hard_limit_of(double budget) noexcept;

/// The token with which `replay` shows this execution; empty when there is none.
[[nodiscard]] std::string token_text(std::string_view engine, memory_model model, std::string_view scenario,
                                     const std::vector<order_override>& overrides, const std::optional<choices>& path);

/// Progress that ends with a stop when the user asks for one.
class watched_progress {
public:
    explicit watched_progress(bool quiet) : display_(quiet) {}

    [[nodiscard]] progress_callback callback();
    [[nodiscard]] bool interrupted() const noexcept { return watch_.interrupted(); }
    void clear() { display_.clear(); }

private:
    interrupt_watch watch_;
    progress_display display_;
};

}  // namespace ordeal::detail
