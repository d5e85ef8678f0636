// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/client_outcomes.hpp"

#include "ordeal/scenario/client_enumeration.hpp"
#include "ordeal/scenario/client_programs.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace ordeal::detail {

namespace {

using results = std::vector<client_result>;

/// Chooses one of the results that exchanges of threads with the same calls make of some: the same for all of them.
class exchange_of_threads {
public:
    explicit exchange_of_threads(const client_of_set& client) : client_(client) {
        std::size_t number = 0;
        for (const auto& thread : client.what.threads) {
            first_of_thread_.push_back(number);
            number += thread.size();
        }
        takes_part_.resize(client.what.threads.size());
        std::iota(takes_part_.begin(), takes_part_.end(), std::size_t{0});
    }

    [[nodiscard]] results chosen_of(const results& of) {
        const int groups =
            client_.program.same_calls.empty() ? 0 : *std::ranges::max_element(client_.program.same_calls);
        if (groups == 0) return of;
        std::vector<std::vector<std::size_t>> connected;
        bool too_many = false;
        for (int group = 1; group <= groups; ++group) {
            connected.push_back(place_unconnected(group, of));
            too_many |= connected.back().size() > most_permuted;
        }
        if (too_many) {
            results without_values = of;
            for (std::size_t i = 0; i < of.size(); ++i) {
                if (is_value_of_group(i, of[i])) without_values[i].number = 0;
            }
            for (int group = 1; group <= groups; ++group) sort_group(group, without_values);
            return exchanged(without_values);
        }
        chosen_.reset();
        permute(connected, 0, of);
        return *chosen_;
    }

private:
    static constexpr std::size_t most_permuted = 6;

    [[nodiscard]] std::size_t thread_of(std::size_t call) const {
        const auto after = std::ranges::upper_bound(first_of_thread_, call);
        return static_cast<std::size_t>(after - first_of_thread_.begin()) - 1;
    }
    [[nodiscard]] std::vector<std::size_t> members_of(int group) const {
        std::vector<std::size_t> members;
        for (std::size_t thread = 0; thread < takes_part_.size(); ++thread) {
            if (client_.program.same_calls[thread] == group) members.push_back(thread);
        }
        return members;
    }
    [[nodiscard]] auto results_of_thread(const results& of, std::size_t thread) const {
        return std::span(of).subspan(first_of_thread_[thread], client_.what.threads[thread].size());
    }

    // Of a call in a thread of some group.
    [[nodiscard]] std::optional<std::size_t> thread_with_value(std::int64_t value) const {
        for (std::size_t thread = 0; thread < takes_part_.size(); ++thread) {
            if (client_.program.same_calls[thread] == 0) continue;
            for (const client_call& call : client_.what.threads[thread]) {
                if (client_.fresh(call) && call.argument == value) return thread;
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] bool is_value_of_group(std::size_t call, const client_result& result) const {
        return result.what == client_result::kind::number && has_call(client_.returning_fresh_values, call) &&
               thread_with_value(result.number);
    }

    // Members that have no value of another thread, and none of whose values another has, come first, by their results.
    // Returns the others.
    [[nodiscard]] std::vector<std::size_t> place_unconnected(int group, const results& of) {
        const std::vector<std::size_t> members = members_of(group);
        std::vector<std::size_t> unconnected;
        std::vector<std::size_t> connected;
        for (const std::size_t member : members) (is_connected(member, of) ? connected : unconnected).push_back(member);
        sort_by_results(unconnected, of);
        for (std::size_t i = 0; i < unconnected.size(); ++i) takes_part_[unconnected[i]] = members[i];
        for (std::size_t i = 0; i < connected.size(); ++i) takes_part_[connected[i]] = members[unconnected.size() + i];
        return connected;
    }
    [[nodiscard]] bool is_connected(std::size_t member, const results& of) const {
        for (std::size_t call = 0; call < of.size(); ++call) {
            if (!is_value_of_group(call, of[call])) continue;
            if (thread_of(call) == member || thread_with_value(of[call].number) == member) return true;
        }
        return false;
    }
    void sort_by_results(std::vector<std::size_t>& threads, const results& of) const {
        std::ranges::sort(threads, [&](std::size_t one, std::size_t other) {
            return std::ranges::lexicographical_compare(results_of_thread(of, one), results_of_thread(of, other));
        });
    }
    void sort_group(int group, const results& of) {
        const std::vector<std::size_t> members = members_of(group);
        std::vector<std::size_t> sorted = members;
        sort_by_results(sorted, of);
        for (std::size_t i = 0; i < sorted.size(); ++i) takes_part_[sorted[i]] = members[i];
    }

    // All permutations of the connected members of each group from this one on.
    void permute(std::vector<std::vector<std::size_t>>& connected, std::size_t group, const results& of) {
        if (group == connected.size()) {
            results next = exchanged(of);
            if (!chosen_ || next < *chosen_) chosen_ = std::move(next);
            return;
        }
        const std::vector<std::size_t>& members = connected[group];
        std::vector<std::size_t> parts;
        for (const std::size_t member : members) parts.push_back(takes_part_[member]);
        std::ranges::sort(parts);
        do {
            for (std::size_t i = 0; i < members.size(); ++i) takes_part_[members[i]] = parts[i];
            permute(connected, group + 1, of);
        } while (std::ranges::next_permutation(parts).found);
    }

    [[nodiscard]] results exchanged(const results& of) const {
        results made(of.size());
        for (std::size_t thread = 0; thread < takes_part_.size(); ++thread) {
            const auto& calls = client_.what.threads[thread];
            for (std::size_t i = 0; i < calls.size(); ++i) {
                client_result& result = made[first_of_thread_[takes_part_[thread]] + i];
                result = of[first_of_thread_[thread] + i];
                if (is_value_of_group(first_of_thread_[thread] + i, result))
                    result.number = exchanged_value(result.number);
            }
        }
        return made;
    }
    [[nodiscard]] std::int64_t exchanged_value(std::int64_t value) const {
        const std::size_t thread = *thread_with_value(value);
        const auto& calls = client_.what.threads[thread];
        const auto same = [&](const client_call& call) { return client_.fresh(call) && call.argument == value; };
        const auto at = std::ranges::find_if(calls, same) - calls.begin();
        return client_.what.threads[takes_part_[thread]][static_cast<std::size_t>(at)].argument;
    }

    const client_of_set& client_;
    std::vector<std::size_t> first_of_thread_;
    std::vector<std::size_t> takes_part_;  ///< by thread: the one whose part it takes
    std::optional<results> chosen_;
};

}  // namespace

call_set calls_that_return_fresh_values(const client_family& family, const enumerated_client& client) {
    if (!client.allowed) return 0;
    const auto moved = [&](std::vector<client_call> calls) {
        for (client_call& call : calls) call.argument += family.operations[call.operation].fresh ? 1 : 0;
        return calls;
    };
    client_threads threads;
    for (const auto& each : client.threads) threads.push_back(moved(each));
    const auto others = sequential_behaviours::of(family, moved(client.start), threads);
    return others ? client.allowed->one_less_than(*others) : 0;
}

std::string result_words(const client_result& result) {
    switch (result.what) {
        case client_result::kind::nothing: return {};
        case client_result::kind::pending:
        case client_result::kind::finished: return " waits";
        case client_result::kind::empty: return " = empty";
        case client_result::kind::boolean: return result.number != 0 ? " = true" : " = false";
        case client_result::kind::number: return " = " + std::to_string(result.number);
    }
    return {};
}

std::string calls_text(const client_of_set& client, std::span<const client_result> results_of_calls) {
    std::string text;
    std::size_t number = 0;
    for (const auto& thread : client.call_words) {
        for (const std::string& words : thread) {
            const bool begins = &words == &thread.front();
            text += (!begins ? ", " : text.empty() ? "" : " | ") + words + result_words(results_of_calls[number++]);
        }
    }
    return text;
}

std::string outcome_of(const client_of_set& client, std::span<const client_result> results_of_calls) {
    results all(results_of_calls.begin(), results_of_calls.end());
    for (client_result& each : all) {
        if (each.what == client_result::kind::finished) each = {client_result::kind::pending, 0};
    }
    // A search asks for each execution.
    constexpr std::size_t most_kept = 10'000;
    if (const auto known = client.outcomes.find(all); known != client.outcomes.end()) return known->second;
    std::string text = calls_text(client, exchange_of_threads(client).chosen_of(all));
    if (client.outcomes.size() < most_kept) client.outcomes.emplace(std::move(all), text);
    return text;
}

std::optional<std::set<std::string>> specified_outcomes(const client_of_set& client) {
    constexpr std::size_t most_outcomes = 2'000;
    if (!client.what.allowed || client.family.consistency == consistency::quiescent) return std::nullopt;
    const auto all = client.what.allowed->results(most_outcomes);
    if (!all) return std::nullopt;
    std::set<std::string> outcomes;
    for (const results& each : *all) outcomes.insert(outcome_of(client, each));
    return outcomes;
}

}  // namespace ordeal::detail
