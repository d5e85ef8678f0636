// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/counterexample/replay_fingerprint.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

namespace {

constexpr char separator = '~';
constexpr char not_run = '_';
constexpr std::size_t most_marks = 16;
constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.";

std::size_t marks_of(std::size_t events) { return std::min(events, most_marks); }

// The events that one mark stands for.
event_range range_of(std::size_t mark, std::size_t events) {
    const std::size_t marks = marks_of(events);
    return {static_cast<event_id>(mark * events / marks), static_cast<event_id>((mark + 1) * events / marks - 1)};
}

// Addresses and object numbers differ between builds; whether two events are about one object does not.
class object_numbers {
public:
    std::size_t of(location where) {
        const auto found = std::ranges::find(known_, where);
        if (found != known_.end()) return static_cast<std::size_t>(found - known_.begin());
        known_.push_back(where);
        return known_.size() - 1;
    }

private:
    std::vector<location> known_;
};

// The order is added rather than mixed in, so that different orders always have different marks.
std::uint64_t summary(const event& of, object_numbers& objects) {
    std::uint64_t hash = 14695981039346656037U;
    const auto mix = [&](std::uint64_t value) { hash = (hash ^ value) * 1099511628211U; };
    mix(static_cast<std::uint64_t>(of.kind));
    mix(of.kind == event_kind::read ? static_cast<std::uint64_t>(of.form) + 1 : 0);
    mix(of.rmw ? 1 : 0);
    mix(of.accesses_memory() ? objects.of(of.where) + 1 : 0);
    const bool has_order = of.accesses_memory() || of.kind == event_kind::fence;
    return (hash >> 29U) + (has_order ? static_cast<std::uint64_t>(of.using_order) : 0);
}

std::string marks_after(const execution_state& run) {
    const std::size_t events = run.given;
    std::string marks;
    object_numbers objects;
    for (std::size_t mark = 0; mark < marks_of(events); ++mark) {
        const event_range range = range_of(mark, events);
        std::uint64_t sum = 0;
        bool all_run = true;
        for (std::size_t id = range.first; id <= range.last; ++id) {
            all_run = all_run && run.views[id].done;
            if (run.views[id].done) sum = sum * 31 + summary((*run.graph)[static_cast<event_id>(id)], objects);
        }
        marks += all_run ? alphabet[sum % alphabet.size()] : not_run;
    }
    return marks;
}

}  // namespace

fingerprinted_choices split_fingerprint(std::string_view text) noexcept {
    const auto end = text.find(separator);
    if (end == std::string_view::npos) return {text, {}};
    return {text.substr(0, end), text.substr(end + 1)};
}

std::string with_fingerprint(std::string_view text, const execution_state& run) {
    const std::string marks = marks_after(run);
    const std::string graph(split_fingerprint(text).graph);
    return marks.empty() ? graph : graph + separator + marks;
}

std::optional<event_range> first_change(std::string_view fingerprint, const execution_state& run) {
    const std::string now = marks_after(run);
    if (fingerprint.size() != now.size()) return std::nullopt;  // an older token has none
    for (std::size_t mark = 0; mark < now.size(); ++mark) {
        const bool comparable = fingerprint[mark] != not_run && now[mark] != not_run;
        if (comparable && fingerprint[mark] != now[mark]) return range_of(mark, run.given);
    }
    return std::nullopt;
}

}  // namespace ordeal::detail::graph
