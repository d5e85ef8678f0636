// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/shapes.hpp"

#include <array>

namespace ordeal::model_tests {

namespace {

enum class strength { none, ordered, total };

struct variant {
    const char* name;
    std::memory_order store;
    std::memory_order load;
    std::optional<std::memory_order> between;
    strength effect;
};

constexpr std::array variants{
    variant{"relaxed", relaxed, relaxed, std::nullopt, strength::none},
    variant{"release and acquire", release, acquire, std::nullopt, strength::ordered},
    variant{"seq_cst", seq_cst, seq_cst, std::nullopt, strength::total},
    variant{"acq_rel fences", relaxed, relaxed, acq_rel, strength::ordered},
    variant{"seq_cst fences", relaxed, relaxed, seq_cst, strength::total},
};

rc11::program ordered_by(rc11::program text, const variant& how) {
    for (rc11::thread_code& code : text.threads) {
        for (rc11::instruction& each : code) {
            each.using_order = from_std(each.what == rc11::operation::load ? how.load : how.store);
        }
        if (how.between && code.size() == 2) code.insert(code.begin() + 1, fence(*how.between));
    }
    return text;
}

// What is left for Relacy to find, and the reason why that is not all.
litmus_row with_relacy(litmus_row row, const shape& what) {
    const outcome_set executed = without(row.allowed, what.load_buffering);
    const outcome_set found = without(executed, what.against_execution);
    if (found == row.allowed) return row;
    if (found == executed) return std::move(row).relacy_finds(found, executed_stores);
    return std::move(row).relacy_finds(found, executed == row.allowed ? modification_order : execution_order);
}

}  // namespace

std::vector<litmus_row> rows_of(const shape& what) {
    std::vector<litmus_row> rows;
    for (const variant& how : variants) {
        outcome_set outcomes = what.all;
        if (how.effect != strength::none) outcomes = without(outcomes, what.also_forbidden);
        if (how.effect == strength::total || (how.effect == strength::ordered && what.ordered_forbids)) {
            outcomes.erase(what.asked);
        }
        litmus_row row = runs(std::string(what.name) + ", " + how.name, ordered_by(what.text, how), outcomes);
        row = with_relacy(std::move(row), what);
        if (what.all.size() > 8) row.asked = what.asked;
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace ordeal::model_tests
