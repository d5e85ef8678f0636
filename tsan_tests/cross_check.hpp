// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/site.hpp"
#include "ordeal/runtime/violation.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::tests {

/// One weaker order that the audit calls required, with its witness.
struct required_order {
    std::string subject;
    order_override change;
    order declared = order::relaxed;
    std::string operation;
    std::string scenario;
    std::optional<violation_kind> kind;  ///< what the model met
    std::string reason;                  ///< the `order:` comment of the site
};

/// What real threads under ThreadSanitizer have to say to it.
enum class agreement : std::uint8_t { confirmed, not_seen, not_visible };
[[nodiscard]] const char* to_string(agreement value) noexcept;

struct cross_checked {
    required_order what;
    agreement result = agreement::not_seen;
    std::string why;            ///< the report in words, or why there is none
    std::uint64_t samples = 0;  ///< with the weaker order, until the report
    std::uint64_t seed = 0;     ///< of the last run
};

/// Every required order in the text of a JSON report of `ordeal audit`. Throws std::runtime_error with a sentence when
/// the text is not one, or is of other sources than these.
[[nodiscard]] std::vector<required_order> read_audit(const std::string& text);

/// Runs the witness with the weaker order until something is seen or `tries` runs with rising seeds have shown nothing.
[[nodiscard]] cross_checked cross_check(const required_order& what, std::uint64_t seed, unsigned tries);

/// Why ThreadSanitizer cannot show a violation of this kind on this machine; empty when it could.
[[nodiscard]] std::string why_not_visible(const required_order& what);

[[nodiscard]] std::string to_table(const std::vector<cross_checked>& rows);
[[nodiscard]] std::string to_json(const std::vector<cross_checked>& rows, const std::string& audit, std::uint64_t seed);

}  // namespace ordeal::tests
