// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/assignments/minimal_assignments.hpp"
#include "ordeal/audit/audit.hpp"
#include "ordeal/audit/searches.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ordeal::detail {

/// A site whose order is to be chosen, with the candidates, weakest first. Or a fence beside it; relaxed means no
/// fence.
struct order_choice {
    site where;
    std::vector<order> orders;
    override_position position = override_position::instead;

    [[nodiscard]] order written() const noexcept {
        return position == override_position::instead ? where.declared : order::relaxed;
    }
};

/// Tries assignments: whether all of some scenarios hold under them.
class assignment_trials {
public:
    /// `witnesses` are searched in this order, those first that were violated last. `limit`: the most searches.
    assignment_trials(audit_run& run, audited_subject& subject, std::vector<order_choice> choices,
                      std::vector<const audited_scenario*> witnesses, std::size_t limit);

    /// What is already known is not searched. Nothing: a stop, or the limit.
    [[nodiscard]] std::optional<std::vector<answer>> ask(std::span<const assignment> assignments);

    /// All minimal assignments under which the scenarios hold.
    [[nodiscard]] minimal_assignments find_minimal();

    /// Searches each scenario with exactly these orders, unless that was done; returns a violation, if there is one.
    struct exact_answer {
        answer says = answer::unknown;
        std::vector<limit> limits;  ///< what keeps the answer from being exact; if unknown, the last says why
        const audited_scenario* violated = nullptr;
        search_result shown;  ///< of the violated scenario
    };
    [[nodiscard]] std::optional<exact_answer> ask_exactly(const assignment& what);

    [[nodiscard]] const std::vector<order_choice>& choices() const noexcept { return choices_; }
    /// The orders as written.
    [[nodiscard]] assignment written() const;
    /// The changes from the code as written to an assignment.
    [[nodiscard]] std::vector<order_override> changes(const assignment& what) const;

    [[nodiscard]] bool cut() const noexcept { return cut_; }  ///< short by the limit
    /// Why the answer to an assignment is unknown; empty: there is no such assignment.
    [[nodiscard]] const std::string& unknown() const noexcept { return unknown_; }

private:
    struct question {
        std::vector<order_override> changes;
        bool weakens = false;                       // some order as written
        std::vector<const audited_scenario*> open;  // to be searched
        std::vector<std::size_t> searches;
        answer says = answer::holds;
    };

    void look_up(question& asked, bool exactly);
    [[nodiscard]] bool search(std::span<question> questions);
    void conclude(const search_batch& batch, question& asked);
    [[nodiscard]] question question_of(const assignment& what) const;
    [[nodiscard]] answer meaning_of(const audited_scenario& witness, const search_result& result, const question& of);

    audit_run& run_;
    audited_subject& subject_;
    std::vector<order_choice> choices_;
    std::vector<const audited_scenario*> witnesses_;
    std::size_t limit_;
    std::size_t searches_ = 0;
    bool cut_ = false;
    std::string unknown_;
};

}  // namespace ordeal::detail
