// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Private to the renderers of findings: it brings in the JSON library.

#include "ordeal/audit/audit.hpp"
#include "ordeal/report/json/json_parts.hpp"

#include <string>
#include <vector>

namespace ordeal::detail {

/// The whole of SARIF, from which other formats take the findings.
[[nodiscard]] ordered_json check_log(const check_report& report);
[[nodiscard]] ordered_json audit_log(const audit_report& report, const audit_token& token_of);

/// Whether a reader can be shown the place. A step in a standard header (a lock guard calls lock() there) is none.
[[nodiscard]] bool has_location(const site& where);

[[nodiscard]] ordered_json artifact_of(const std::string& file);
[[nodiscard]] ordered_json location_of(const site& where, const std::string& says = {});

/// What a site is called in one run of the program and the next: not by its line, which an edit above it changes. Sites
/// of a subject that are alike in all else are counted.
[[nodiscard]] std::string fingerprint_of(const audited_subject& subject, const audited_site& audited);

/// The assignments that only weaken what is written, or the repairs, with their patches.
[[nodiscard]] std::vector<source_fix> fixes_of(const audited_subject& subject);

/// Adds `fixes`, each whole, and as `relatedLocations` the other sites that they change, for a site that they change.
void add_fixes(ordered_json& result, const audited_site& audited, const std::vector<source_fix>& fixes);

}  // namespace ordeal::detail
