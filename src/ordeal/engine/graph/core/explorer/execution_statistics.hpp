// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"
#include "ordeal/engine/observations.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ordeal::detail::graph {

/// What a search keeps of the executions that it counts, beside their number: an example for each outcome, and the
/// states that atomics went through.
class execution_statistics final : public execution_observer {
public:
    execution_statistics(bool examples, bool words, bool rf_pairs)
        : wants_examples_(examples), wants_words_(words), wants_rf_pairs_(rf_pairs) {}

    [[nodiscard]] bool wants_any() const noexcept { return wants_examples_ || wants_words_ || wants_rf_pairs_; }

    void threads_ended(const run_state& run) override;
    void count_execution(const run_state& run, const std::string& outcome) override;

    /// Since it was last asked.
    [[nodiscard]] outcome_examples take_examples();
    [[nodiscard]] std::vector<atomic_states> take_words();
    /// Adds an execution to each pair of sites of a read and a write in another thread that it read from.
    void add_rf_pairs(std::vector<reached_site>& sites) const;

private:
    enum class shape : std::uint8_t { number, own_address, address };

    /// What a value stands for.
    struct state {
        shape kind = shape::number;
        std::uint8_t tag = 0;     ///< of an address: its lowest bits
        unsigned ordinal = 0;     ///< of an address: how many others came directly before it
        std::uint64_t value = 0;  ///< of a number

        auto operator<=>(const state&) const = default;
        [[nodiscard]] std::string name() const;
    };

    /// An atomic of the execution that runs, before finish() changes what is known of it.
    struct atomic {
        location where = no_location;
        std::uintptr_t address = 0;
        std::uint64_t size = 0;
        std::uint32_t ordinal = 0;
        std::uint64_t initial = 0;
    };
    struct observed {
        std::uint64_t times = 0;
        std::vector<site_id> observers;
    };
    struct word {
        std::uint32_t ordinal = 0;
        std::uint64_t executions = 0;
        bool too_many = false;
        std::map<state, observed> states;
        std::map<std::tuple<state, state, site_id>, std::uint64_t> transitions;
        std::map<std::string, std::uint64_t> paths;
    };

    void keep_rf_pairs(const run_state& run);
    void keep_example(const execution_graph& graph, const std::string& outcome);
    /// `before`: with its value, the state that it comes after; null: none.
    [[nodiscard]] static state state_of(std::uint64_t value, const atomic& of, const state* before,
                                        std::uint64_t before_value);
    [[nodiscard]] word* word_at(location where);
    void keep_states(const run_state& run, const atomic& of);
    void note_observers(const run_state& run, const atomic& of, word& into);
    void note_path(word& into);
    [[nodiscard]] static atomic_states named(location where, const word& of);

    bool wants_examples_;
    bool wants_words_;
    bool wants_rf_pairs_;
    std::map<std::pair<site_id, site_id>, std::string> rf_pairs_;  ///< of a writer and a reader
    outcome_examples examples_;
    std::map<location, word> words_;
    std::vector<atomic> now_;
    std::vector<event_id> writes_;  ///< in coherence order; with path_, of the atomic that is looked at
    std::vector<state> path_;
    std::string text_;
};

}  // namespace ordeal::detail::graph
