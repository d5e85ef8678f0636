// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the formats: it brings in the JSON library.
#pragma once

#include "ordeal/audit/common_results.hpp"
#include "ordeal/audit/fix.hpp"
#include "ordeal/engine/engine.hpp"
#include "ordeal/explain/explanation.hpp"
#include "ordeal/report/formats.hpp"

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
/// "file", "line", "column", "role".
[[nodiscard]] ordered_json json_of(const site_key& key);
/// "file", "line", "column", "function", "operation", "role", "declared".
[[nodiscard]] ordered_json json_of(const site& where);
[[nodiscard]] ordered_json json_of(const trace& steps);
/// Steps are called by their index, as in the trace, and under "positions" by their places in it, for two steps may
/// have one index.
[[nodiscard]] ordered_json json_of(const explanation& why, const trace& steps);
[[nodiscard]] ordered_json json_of(const std::vector<order_override>& changes);
/// Each with its identifier and what it does to the verdict.
[[nodiscard]] ordered_json json_of(const std::vector<limit>& limits);
[[nodiscard]] ordered_json json_of(const std::vector<accepted_violation>& met);
[[nodiscard]] ordered_json json_of(const std::vector<shortfall>& values);
[[nodiscard]] ordered_json json_of(const source_fix& fix);
/// How searches were asked for: "argument", "seed", "time_budget" and the bounds of the engine.
[[nodiscard]] ordered_json json_of(const search_options& how);
[[nodiscard]] ordered_json null_if_empty(const std::string& text);
template <class T>
[[nodiscard]] ordered_json null_if_none(const std::optional<T>& value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
}
/// What `make` makes of each value.
template <class Values, class Make>
[[nodiscard]] ordered_json array_of(const Values& values, Make make) {
    ordered_json result = ordered_json::array();
    for (const auto& each : values) result.push_back(make(each));
    return result;
}

/// "verdict", "kind", "message", "exists_under".
void add_verdict(ordered_json& entry, const search_result& result);
/// "expected", "expected_kind", "expected_words".
void add_expectation(ordered_json& entry, const expectation& expected);
/// "limits", the sentences alone, and "limit_details".
void add_limits(ordered_json& entry, const std::vector<limit>& limits);
/// "threads", "explanation", "trace".
void add_trace(ordered_json& entry, const scenario& what, const trace& steps, const explanation& why);

/// The same with every text, and every key, as escaped_value() has it: for formats whose texts are shown as they stand.
[[nodiscard]] ordered_json for_readers(const ordered_json& value);

[[nodiscard]] std::string dumped(const ordered_json& value);

// The JSON reports before they are written out.
[[nodiscard]] nlohmann::ordered_json list_document(const list_report& report);
[[nodiscard]] nlohmann::ordered_json check_document(const check_report& report);
[[nodiscard]] nlohmann::ordered_json replay_document(const replay_report& report);
[[nodiscard]] nlohmann::ordered_json stress_document(const stress_report& report);
[[nodiscard]] nlohmann::ordered_json audit_document(const audit_report& report, const audit_token& token_of);

/// Adds to the document of an audit what it leaves out for its size: "threads", "explanation" and "trace" of each
/// violation.
void add_traces(nlohmann::ordered_json& document, const audit_report& report);

}  // namespace ordeal::detail
