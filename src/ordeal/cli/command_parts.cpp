// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/command_parts.hpp"

#include "ordeal/cli/patterns.hpp"
#include "ordeal/cli/token.hpp"
#include "ordeal/report/output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace ordeal::detail {

namespace {

// Returns the message when it failed.
std::string written(const output_file& file, const std::string& content) {
    const auto why = file.write(content);
    if (!why) return {};
    return fmt::format("cannot write {}: {}", file.is_standard_output() ? "standard output" : "'" + file.path() + "'",
                       *why);
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
    selection selected = select(all, options.patterns);
    if (!selected.unknown) return std::move(selected.chosen);
    const std::string near = nearest_scenario(all, *selected.unknown);
    throw command_error(exit_code::usage,
                        fmt::format("no scenario matches '{}'{}", *selected.unknown,
                                    near.empty() ? "; this program has none" : "; did you mean '" + near + "'?"));
}

engine& chosen_engine(std::string_view name) {
    engine* const found = !name.empty() || engines().empty() ? find_engine(name) : engines().front();
    if (found != nullptr) return *found;
    if (name.empty()) throw command_error(exit_code::no_engine, "no engine is built into this program");
    throw command_error(exit_code::no_engine,
                        fmt::format("the engine '{}' is not in this program; it has: {}", name, engine_names()));
}

void require_writable(const command_options& options) {
    if (options.json.empty()) return;
    if (const auto why = output_file(options.json).obstacle()) {
        throw command_error(exit_code::usage, fmt::format("cannot write '{}': {}", options.json, *why));
    }
}

void write_reports(const command_options& options, const std::function<std::string()>& text,
                   const std::function<std::string()>& json) {
    // The file first: a reader of standard output may have gone. Neither failure keeps the other from being written.
    std::string failed;
    if (!options.json.empty()) failed = written(output_file(options.json), json());
    if (options.json != "-") {
        const std::string more = written(output_file("-"), text());
        failed += (failed.empty() || more.empty() ? "" : "; ") + more;
    }
    if (!failed.empty()) throw command_error(exit_code::incomplete, failed);
}

text_style style_of(const command_options& options) {
    if (options.colour != colour_choice::automatic) return text_style(options.colour == colour_choice::always);
    const char* const no_colour = std::getenv("NO_COLOR");
    const char* const terminal = std::getenv("TERM");
    if (no_colour != nullptr && *no_colour != '\0') return text_style(false);
    return text_style(isatty(STDOUT_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb");
}

double hard_limit_of(double budget) noexcept {
    constexpr double spare = 8;  // more than the engine itself takes to notice a loop without a step
    return budget > 0 ? budget * 1.5 + spare : 0;
}

std::string token_text(std::string_view engine, std::string_view scenario,
                       const std::vector<order_override>& overrides, const std::optional<choices>& path) {
    if (!path) return {};
    return to_text({std::string(engine), std::string(scenario), overrides, *path}).value_or("");
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

}  // namespace ordeal::detail
