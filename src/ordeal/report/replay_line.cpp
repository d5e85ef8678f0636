// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/replay_line.hpp"

#include <fmt/format.h>

namespace ordeal::detail {

std::string beside_engine(memory_model which) {
    return which == memory_model::rc11 ? "" : fmt::format(", {}", name_of(which));
}

std::string accept_options(std::span<const acceptance> accepted) {
    std::string text;
    for (const acceptance& each : accepted) text += fmt::format(" --accept '{}'", to_string(each));
    return text;
}

std::string replay_line(const checked_scenario& checked) {
    const std::string accept = accept_options(checked.accept);
    if (!checked.token.empty()) return fmt::format("ordeal replay '{}'{}", checked.token, accept);
    if (checked.result.verdict != verdict::violated) return {};
    // A process that died told no execution; the search itself comes to the same point again.
    const std::string model =
        checked.model == memory_model::rc11 ? "" : fmt::format(" --model {}", to_string(checked.model));
    return fmt::format("ordeal check '{}' --engine {}{}{}", checked.what->name, checked.engine, model, accept);
}

}  // namespace ordeal::detail
