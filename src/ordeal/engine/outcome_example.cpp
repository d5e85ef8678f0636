// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/outcome_example.hpp"

#include <iterator>
#include <tuple>

namespace ordeal::detail {

namespace {

auto ease(const outcome_example& of) { return std::tuple(of.difficulty, of.path.size(), of.path); }

}  // namespace

bool keeps(const outcome_examples& kept, const std::string& outcome) {
    return kept.size() < most_outcome_examples || outcome <= kept.rbegin()->first;
}

void keep_most(outcome_examples& kept) {
    while (kept.size() > most_outcome_examples) kept.erase(std::prev(kept.end()));
}

void merge_examples(const outcome_examples& more, outcome_examples& into) {
    for (const auto& [outcome, example] : more) {
        if (!keeps(into, outcome)) break;
        const auto [known, is_new] = into.try_emplace(outcome, example);
        if (is_new) continue;
        const std::uint64_t executions = known->second.executions + example.executions;
        if (ease(example) < ease(known->second)) known->second = example;
        known->second.executions = executions;
    }
    keep_most(into);
}

}  // namespace ordeal::detail
