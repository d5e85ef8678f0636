// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/replay_line.hpp"

#include "ordeal/report/called_as.hpp"

#include <fmt/format.h>

namespace ordeal::detail {

namespace {

// " --accept 'KIND@FILE:LINE'" for each.
std::string accept_options(std::span<const acceptance> accepted) {
    std::string text;
    for (const acceptance& each : accepted) text += fmt::format(" --accept '{}'", to_string(each));
    return text;
}

}  // namespace

std::string memory_model_suffix(memory_model which) {
    return which == memory_model::rc11 ? "" : fmt::format(", {}", name_of(which));
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
        checked.model == memory_model::rc11 ? "" : fmt::format(" --model {}", to_string(checked.model));
    return fmt::format("{} check '{}' --engine {}{}{}", called_as(), checked.what->name, checked.engine, model,
                       accept_options(checked.accept));
}

}  // namespace ordeal::detail
