// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"
#include "ordeal/audit/evidence.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace ordeal::detail {

/// What the parts of one audit share.
struct audit_run {
    const audit_options& options;
    const progress_callback& on_progress;
    bool stopped = false;
    evidence known{};  ///< the results of its searches
};

/// Whether a violation is evidence on the code on trial. A time-out or nondeterminism is not.
[[nodiscard]] bool is_evidence(const search_result& result);

[[nodiscard]] bool has_held(const search_result& result);  ///< held, or held within

/// Searches to be made together, in groups.
class search_batch {
public:
    /// Returns the index of the search.
    std::size_t add(std::size_t group, const scenario& what, std::vector<order_override> overrides);

    /// Adds a replay of one execution, with a trace.
    std::size_t replay(const scenario& what, choices which);

    /// Makes the searches; once `ends_group` is true of a result, the rest of its group is not begun.
    void run(audit_run& run, const std::function<bool(const search_result&)>& ends_group);

    /// Empty: not begun, because of a stop or because its group had ended.
    [[nodiscard]] const std::optional<search_result>& result(std::size_t search) const { return results_[search]; }
    [[nodiscard]] const search_job& job(std::size_t search) const { return jobs_[search]; }
    [[nodiscard]] std::size_t size() const noexcept { return jobs_.size(); }

private:
    std::vector<search_job> jobs_;
    std::vector<std::size_t> groups_;
    std::vector<std::optional<search_result>> results_;
};

/// Adds one search to the subject's totals.
void account(audited_subject& subject, const search_result& result);

}  // namespace ordeal::detail
