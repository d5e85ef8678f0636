// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Private to the renderers: it brings in the JSON library.

#include "ordeal/report/json/json.hpp"

#include <nlohmann/json.hpp>

namespace ordeal::detail {

// The JSON reports before they are written out.
[[nodiscard]] nlohmann::ordered_json check_document(const check_report& report);
[[nodiscard]] nlohmann::ordered_json replay_document(const replay_report& report);
[[nodiscard]] nlohmann::ordered_json stress_document(const stress_report& report);
[[nodiscard]] nlohmann::ordered_json audit_document(const audit_report& report, const audit_token& token_of);

/// Adds to the document of an audit what it leaves out for its size: "threads", "explanation" and "trace" of each violation.
void add_traces(nlohmann::ordered_json& document, const audit_report& report);

}  // namespace ordeal::detail
