// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// One claim of an `order:` comment: "release -> is_set, push (load): what was written before", "acquire <- set: ...",
/// "relaxed: nothing is handed over".
struct order_claim {
    order said = order::relaxed;
    enum class direction : std::uint8_t { none, to, from, both } goes = direction::none;
    std::vector<std::string> partners;  ///< the functions that it names; other words are left out
    bool outside_model = false;  ///< "seq_cst (outside the model): ...": stronger for a reason that no search can find
};

/// The claims of a comment, as order_comment() returns it. Other prose is ignored.
[[nodiscard]] std::vector<order_claim> claims_of(std::string_view comment);

/// The order that the claims add up to: release and acquire together are acq_rel. Nothing: there is no claim.
[[nodiscard]] std::optional<order> order_of(const std::vector<order_claim>& claims);

/// The contradictions between a site's comment and the evidence, in words: another order than the declared one; a
/// partner that no search has seen at the other end of a reads-from edge, or that does not exist; a hand-over that no
/// scenario needs. `called`: the names in the sources that are followed by a parenthesis; empty: not known.
[[nodiscard]] std::vector<std::string> doubts(const audited_site& value, const audited_subject& subject,
                                              const std::set<std::string, std::less<>>& called = {});

/// Adds every name in the text that is followed by a parenthesis: functions, and whatever is used like one.
void add_called(std::span<const std::string> lines, std::set<std::string, std::less<>>& called);

}  // namespace ordeal::detail
