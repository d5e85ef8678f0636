// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// Everything needed to run one execution again: "o1:ENGINE:SCENARIO:OVERRIDES:CHOICES:CHECK", one line that a shell
/// passes on unchanged between single quotes. ENGINE is followed by the memory model if that is not RC11: "graph+sc".
/// SCENARIO has "%3A" for ':', "%27" for a quote and "%25" for '%'. CHECK detects a token that was truncated or
/// mistyped.
struct replay_token {
    std::string engine;
    std::string scenario;
    std::vector<order_override> overrides;
    choices path;
    memory_model model = default_memory_model;

    bool operator==(const replay_token&) const = default;
};

/// Nothing if a part contains what a token cannot have.
[[nodiscard]] std::optional<std::string> to_text(const replay_token& token);

struct parsed_token {
    std::optional<replay_token> token;
    std::string error;  ///< a sentence, if there is no token
};

[[nodiscard]] parsed_token parse_token(std::string_view text);

}  // namespace ordeal::detail
