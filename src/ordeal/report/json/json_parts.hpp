// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the JSON renderers: it brings in the JSON library.
// Private to the renderers: it brings in the JSON library.
#pragma once

#include "ordeal/audit/demands.hpp"
#include "ordeal/audit/fix.hpp"
#include "ordeal/engine/engine.hpp"
#include "ordeal/explain/explanation.hpp"
#include "ordeal/report/json/json.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::detail {

using nlohmann::ordered_json;

/// The keys that every report begins with.
[[nodiscard]] ordered_json json_head();

[[nodiscard]] ordered_json json_of(const std::optional<violation_kind>& kind);
/// Null where nothing is known.
[[nodiscard]] ordered_json json_of(const std::optional<models_of_violation>& models);
[[nodiscard]] ordered_json json_of(const trace& steps);
/// Steps are called by their index, as in the trace, and under "positions" by their places in it, for two steps may have one
/// index.
[[nodiscard]] ordered_json json_of(const explanation& why, const trace& steps);
[[nodiscard]] ordered_json json_of(const std::vector<order_override>& changes);
/// Each with its identifier and what it does to the verdict; the sentences alone are sentences_of().
[[nodiscard]] ordered_json json_of(const std::vector<limit>& limits);
[[nodiscard]] ordered_json json_of(const std::vector<accepted_violation>& met);
[[nodiscard]] ordered_json json_of(const std::vector<shortfall>& values);
[[nodiscard]] ordered_json json_of(const source_fix& fix);
/// How searches were asked for: "argument", "seed", "time_budget" and the bounds of the engine.
[[nodiscard]] ordered_json json_of(const search_options& how);
[[nodiscard]] ordered_json null_if_empty(const std::string& text);

/// The same with every text, and every key, as escaped_value() has it: for formats whose texts are shown as they stand.
[[nodiscard]] ordered_json for_readers(const ordered_json& value);

[[nodiscard]] std::string dumped(const ordered_json& value);

// The JSON reports before they are written out.
[[nodiscard]] nlohmann::ordered_json check_document(const check_report& report);
[[nodiscard]] nlohmann::ordered_json replay_document(const replay_report& report);
[[nodiscard]] nlohmann::ordered_json stress_document(const stress_report& report);
[[nodiscard]] nlohmann::ordered_json audit_document(const audit_report& report, const audit_token& token_of);

/// Adds to the document of an audit what it leaves out for its size: "threads", "explanation" and "trace" of each violation.
void add_traces(nlohmann::ordered_json& document, const audit_report& report);

}  // namespace ordeal::detail
