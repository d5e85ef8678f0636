// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/assignments/minimal_assignments.hpp"

#include <algorithm>
#include <utility>

namespace ordeal::detail {

namespace {

constexpr std::size_t most_questions = 16;  // asked together; independent of the number of processes

bool at_most(order less, order more) { return less == more || weaker(less, more); }

// The weakest (or strongest) of `orders`: none of the others is weaker (or stronger).
std::vector<order> maximal(const std::vector<order>& orders) {
    std::vector<order> result;
    for (const order each : orders) {
        if (std::ranges::none_of(orders, [&](order other) { return weaker(each, other); })) result.push_back(each);
    }
    return result;
}

class minimal_search {
public:
    minimal_search(std::span<const std::vector<order>> allowed, const ask_assignments& ask)
        : allowed_(allowed), ask_(ask) {}

    minimal_assignments find();

private:
    std::optional<answer> ask_one(const assignment& one);
    bool fails(const assignment& what) const;
    bool is_above_one_found(const assignment& what) const;
    void collect(const assignment& above, std::vector<assignment>& questions) const;
    bool minimise(assignment above);
    bool weaken(assignment& above, std::size_t site);

    std::span<const std::vector<order>> allowed_;
    const ask_assignments& ask_;
    minimal_assignments result_;
    std::vector<assignment> failing_;  // including those with unknown answer
};

bool minimal_search::fails(const assignment& what) const {
    return std::ranges::any_of(failing_, [&](const assignment& each) { return detail::at_most(what, each); });
}

bool minimal_search::is_above_one_found(const assignment& what) const {
    return std::ranges::any_of(result_.found, [&](const assignment& each) { return detail::at_most(each, what); });
}

// The maximal assignments at most `above` that are above none found and not known to fail.
void minimal_search::collect(const assignment& above, std::vector<assignment>& questions) const {
    if (questions.size() == most_questions || fails(above)) return;
    const auto below =
        std::ranges::find_if(result_.found, [&](const assignment& each) { return detail::at_most(each, above); });
    if (below == result_.found.end()) {
        const bool known =
            std::ranges::any_of(questions, [&](const assignment& each) { return detail::at_most(above, each); });
        if (!known) questions.push_back(above);
        return;
    }
    // At least one order must not be above that of the assignment found.
    for (std::size_t site = 0; site != above.size(); ++site) {
        std::vector<order> others;
        for (const order each : allowed_[site]) {
            if (at_most(each, above[site]) && !at_most((*below)[site], each)) others.push_back(each);
        }
        for (const order each : maximal(others)) {
            assignment next = above;
            next[site] = each;
            collect(next, questions);
        }
    }
}

std::optional<answer> minimal_search::ask_one(const assignment& one) {
    if (fails(one)) return answer::fails;
    const auto answers = ask_({&one, 1});
    if (!answers) return std::nullopt;
    if (answers->front() != answer::holds) failing_.push_back(one);
    result_.unknown |= answers->front() == answer::unknown;
    return answers->front();
}

// Weakens the order of one site as far as it holds, the others unchanged. False: stopped.
bool minimal_search::weaken(assignment& above, std::size_t site) {
    std::vector<order> weaker_ones;
    for (const order each : allowed_[site]) {
        if (weaker(each, above[site])) weaker_ones.push_back(each);
    }
    // Orders are listed weakest first: after one that holds, none can be weaker.
    for (const order each : weaker_ones) {
        assignment next = above;
        next[site] = each;
        const auto answer = ask_one(next);
        if (!answer) return false;
        if (*answer != answer::holds) continue;
        above = std::move(next);
        return true;
    }
    return true;
}

bool minimal_search::minimise(assignment above) {
    for (std::size_t site = 0; site != above.size(); ++site) {
        if (!weaken(above, site)) return false;
    }
    result_.found.push_back(std::move(above));
    return true;
}

minimal_assignments minimal_search::find() {
    assignment strongest;
    for (const auto& orders : allowed_) strongest.push_back(orders.back());
    for (;;) {
        std::vector<assignment> questions;
        collect(strongest, questions);
        if (questions.empty()) {
            result_.complete = !result_.unknown;
            return std::move(result_);
        }
        const auto answers = ask_(questions);
        if (!answers) return std::move(result_);
        for (std::size_t i = 0; i != questions.size(); ++i) {
            if ((*answers)[i] == answer::holds) continue;
            failing_.push_back(questions[i]);
            result_.unknown |= (*answers)[i] == answer::unknown;
        }
        for (std::size_t i = 0; i != questions.size(); ++i) {
            if ((*answers)[i] != answer::holds || is_above_one_found(questions[i])) continue;
            if (!minimise(std::move(questions[i]))) return std::move(result_);
        }
    }
}

}  // namespace

bool at_most(const assignment& less, const assignment& more) {
    for (std::size_t i = 0; i != less.size(); ++i) {
        if (!at_most(less[i], more[i])) return false;
    }
    return true;
}

minimal_assignments find_minimal(std::span<const std::vector<order>> allowed, const ask_assignments& ask) {
    return minimal_search(allowed, ask).find();
}

}  // namespace ordeal::detail
