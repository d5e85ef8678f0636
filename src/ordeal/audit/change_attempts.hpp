// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"
#include "ordeal/audit/searches.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::detail {

using change = std::vector<order_override>;

enum class effect { repairs, fails, unknown };

struct tried_change {
    change what;
    effect result = effect::unknown;
    std::vector<limit> limits;  ///< what keeps the result from being exact; when unknown, the last says why
};

/// Runs all scenarios of a subject that is violated as written under changed orders.
class change_attempts {
public:
    change_attempts(audit_run& run, audited_subject& subject);

    /// One group of searches for each change; those over the limit are left out.
    [[nodiscard]] std::vector<tried_change> run(std::vector<change> changes);

    /// The subject's sites, with those that only a changed execution reached.
    [[nodiscard]] const std::vector<site>& sites() const noexcept { return sites_; }
    /// Grows with each site that a scenario was seen to reach for the first time.
    [[nodiscard]] std::size_t reached() const noexcept;
    /// Whether the limit left something out.
    [[nodiscard]] bool cut() const noexcept { return cut_; }

private:
    struct witness {
        const audited_scenario* scenario = nullptr;
        std::vector<site> sites;  // it was seen to reach
    };
    // One scenario under one change; no search when the change touches nothing that the scenario reaches.
    struct attempt {
        std::size_t who = 0;
        change applied;
        std::optional<std::size_t> search;
    };

    [[nodiscard]] std::vector<attempt> plan(search_batch& batch, std::size_t group, const change& what) const;
    [[nodiscard]] tried_change judge(const search_batch& batch, const std::vector<attempt>& attempts, change what);
    void learn_sites(witness& who, const search_result& result);

    audit_run& run_;
    audited_subject& subject_;
    std::vector<witness> witnesses_;
    std::vector<site> sites_;
    std::size_t spent_ = 0;
    bool cut_ = false;
};

}  // namespace ordeal::detail
