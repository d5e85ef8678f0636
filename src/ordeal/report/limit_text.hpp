// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/limit.hpp"
#include "ordeal/report/text/style.hpp"

#include <string>
#include <string_view>
#include <vector>

// How reports show limits. Every format gets them from here; what JSON has of them is json_of() in json_parts.hpp, from
// the same source.
namespace ordeal::detail {

/// Limits, each told once below a table and named by a number in it.
class limit_notes {
public:
    /// "[1][3]"; empty for no limits.
    [[nodiscard]] std::string marks(const std::vector<limit>& limits);

    /// The heading and a line for each; empty for none.
    [[nodiscard]] std::string text(std::string_view heading = "Limits:") const;

private:
    std::vector<std::string> seen_;
};

/// A line for each.
[[nodiscard]] std::string limit_lines(const std::vector<limit>& limits);

/// What was not checked though it belongs to the code on trial, each once; then an empty line. Empty for none.
[[nodiscard]] std::string unchecked_lines(const std::vector<limit>& limits, const text_style& style);

/// ". Limit: ..." for each, to go on from a sentence.
[[nodiscard]] std::string limit_clauses(const std::vector<limit>& limits);

}  // namespace ordeal::detail
