// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/pasted_lines.hpp"

#include "ordeal/version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace ordeal::detail {

namespace {

struct program_call {
    std::string name = "ordeal";
    std::string words = "ordeal";
};

program_call& call() {
    static program_call value;
    return value;
}

}  // namespace

std::string shell_word(std::string_view text) {
    const auto plain = [](char c) {
        constexpr std::string_view marks = "/._-+@%:,=";
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || marks.find(c) != std::string_view::npos;
    };
    if (!text.empty() && std::ranges::all_of(text, plain)) return std::string(text);
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + '\'';
}

std::string shell_words(std::span<const std::string> words) {
    std::string result;
    for (const std::string& each : words) result += ' ' + shell_word(each);
    return result;
}

void set_called_as(std::string_view program) {
    if (const char* const words = std::getenv(called_as_variable); words != nullptr && *words != '\0') {
        call() = {words, words};
    } else if (!program.empty()) {  // an exec without a name
        call() = {std::string(program.substr(program.rfind('/') + 1)), shell_word(program)};
    }
    unsetenv(called_as_variable);  // it is not for programs that this one starts
}

const std::string& called_as() noexcept { return call().words; }

std::string program_name() { return call().name; }

const char* program_version() noexcept { return ORDEAL_VERSION_STRING; }

namespace {

// " --accept 'KIND@FILE:LINE'" for each.
std::string accept_options(std::span<const acceptance> accepted) {
    std::string text;
    for (const acceptance& each : accepted) text += fmt::format(" --accept '{}'", to_string(each));
    return text;
}

}  // namespace

std::string memory_model_suffix(memory_model which) {
    return which == default_memory_model ? "" : fmt::format(", {}", name_of(which));
}

std::string replay_line(std::string_view token, std::span<const acceptance> accepted) {
    if (token.empty()) return {};
    return fmt::format("{} replay '{}'{}", called_as(), token, accept_options(accepted));
}

std::string replay_line(const checked_scenario& checked) {
    if (!checked.token.empty()) return replay_line(checked.token, checked.accept);
    if (checked.result.verdict != verdict::violated) return {};
    // A process that died told no execution; the search itself comes to the same point again.
    const std::string model =
        checked.model == default_memory_model ? "" : fmt::format(" --model {}", to_string(checked.model));
    return fmt::format("{} check '{}' --engine {}{}{}", called_as(), checked.what->name, checked.engine, model,
                       accept_options(checked.accept));
}

}  // namespace ordeal::detail
