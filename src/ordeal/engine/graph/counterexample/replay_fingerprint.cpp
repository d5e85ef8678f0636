// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/counterexample/replay_fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ordeal::detail::graph {

namespace {

constexpr char mark_separator = '~';
constexpr char not_run = '_';
constexpr std::size_t most_marks = 16;
constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.";

std::size_t marks_of(std::size_t events) { return std::min(events, most_marks); }

// Events of a graph, the last one included.
struct event_range {
    event_id first = 0;
    event_id last = 0;
};

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
    mix(static_cast<std::uint64_t>(of.kind()));
    mix(of.is_read() ? static_cast<std::uint64_t>(of.read().form) + 1 : 0);
    mix(of.is_rmw() ? 1 : 0);
    mix(of.accesses_memory() ? objects.of(of.where) + 1 : 0);
    const bool has_order = of.accesses_memory() || of.kind() == event_kind::fence;
    return (hash >> 29U) + (has_order ? static_cast<std::uint64_t>(of.using_order) : 0);
}

std::string marks_after(const run_state& run) {
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
    const auto end = text.find(mark_separator);
    if (end == std::string_view::npos) return {text, {}};
    return {text.substr(0, end), text.substr(end + 1)};
}

std::string with_fingerprint(std::string_view text, const run_state& run) {
    const std::string marks = marks_after(run);
    const std::string graph(split_fingerprint(text).graph);
    return marks.empty() ? graph : graph + mark_separator + marks;
}

namespace {

// The first events that differ from the fingerprint; events not run, then or now, are not compared.
std::optional<event_range> first_change(std::string_view fingerprint, const run_state& run) {
    const std::string now = marks_after(run);
    if (fingerprint.size() != now.size()) return std::nullopt;  // an older token has none
    for (std::size_t mark = 0; mark < now.size(); ++mark) {
        const bool comparable = fingerprint[mark] != not_run && now[mark] != not_run;
        if (comparable && fingerprint[mark] != now[mark]) return range_of(mark, run.given);
    }
    return std::nullopt;
}

constexpr std::string_view words_for_early_end = "a thread ended earlier";  // created_threads

std::string ordinal(std::size_t number) {
    constexpr std::array<const char*, 10> names{"first", "second",  "third",  "fourth", "fifth",
                                                "sixth", "seventh", "eighth", "ninth",  "tenth"};
    if (number >= 1 && number <= names.size()) return names[number - 1];
    constexpr std::array<const char*, 4> endings{"th", "st", "nd", "rd"};
    const bool teen = number % 100 >= 11 && number % 100 <= 13;
    return fmt::format("{}{}", number, teen || number % 10 > 3 ? "th" : endings[number % 10]);
}

// "a load", "an exchange"; "create thread"
std::string with_article(const std::string& operation) {
    if (operation.empty() || operation.find(' ') != std::string::npos) return operation;
    const bool vowel = std::string_view("aeiou").find(operation.front()) != std::string_view::npos;
    return (vowel ? "an " : "a ") + operation;
}

std::string place_of(const site& where) {
    return where.key.line == 0 ? "" : fmt::format(" at {}:{}", where.key.file, where.key.line);
}

class divergence {
public:
    divergence(const scenario& what, const run_state& run) : what_(what), run_(run) {}

    [[nodiscard]] std::string words(const trace& steps, std::string_view fingerprint) const {
        const bool stopped_at_step = !steps.empty() && steps.back().is_violation() && steps.back().thread >= 0;
        std::string where = stopped_at_step ? describe_other_operation(steps.back()) : "";
        if (where.empty() && run_.executed < run_.given) where = describe_missing();
        if (where.empty()) where = describe_other_object();
        if (where.empty())
            where = "its operations are there, but the memory model does not allow what they read and write";
        const std::string change = description_of_change(fingerprint);
        return fmt::format("the execution does not fit this program: {}; {}", where,
                           change.empty() ? "the code has changed, or is not deterministic" : change);
    }

    [[nodiscard]] std::string description_of_change(std::string_view fingerprint) const {
        const auto range = first_change(fingerprint, run_);
        if (!range) return {};
        const std::string first = fmt::format("{}, {}", ordinal_of(range->first), operation_of(range->first));
        if (range->first == range->last) {
            return fmt::format("the code has changed since the token was printed: {}, was another one", first);
        }
        return fmt::format("the code has changed since the token was printed, somewhere from {}, to {}, {}", first,
                           ordinal_of(range->last), operation_of(range->last));
    }

private:
    [[nodiscard]] std::string name_of(int thread_id) const {
        const auto index = static_cast<std::size_t>(thread_id) - 1;
        return index < what_.threads.size() ? what_.threads[index] : fmt::format("thread {}", thread_id);
    }

    // A read-modify-write is one operation but two events.
    [[nodiscard]] std::string ordinal_of(event_id id) const {
        const event& of = (*run_.graph)[id];
        std::size_t number = 0;
        for (const event_id each : run_.of(of.thread_id).path) {
            if (!(*run_.graph)[each].is_rmw()) ++number;
            if (each == id) break;
        }
        return fmt::format("{}'s {} operation", name_of(of.thread_id), ordinal(number));
    }

    // The program's operation there: "exchange acq_rel at queue.hpp:12".
    [[nodiscard]] std::string operation_of(event_id id) const {
        const event& of = (*run_.graph)[id];
        const site& where = sites().at(run_.views[id].site);
        const bool has_order = of.accesses_memory() || of.kind() == event_kind::fence;
        return fmt::format("{}{}{}", where.operation.empty() ? "operation" : where.operation,
                           has_order && where.atomic ? fmt::format(" {}", to_string(of.using_order)) : "",
                           place_of(where));
    }

    [[nodiscard]] std::string kind_in_token(event_id id) const {
        const event& of = (*run_.graph)[id];
        switch (of.kind()) {
            case event_kind::write: return of.is_rmw() ? "a read-modify-write" : "a write";
            case event_kind::fence: return "a fence";
            case event_kind::creation: return "the creation of a thread";
            case event_kind::beginning: return "the beginning of a thread";
            case event_kind::allocation: return "an allocation that could take freed memory";
            case event_kind::arrival: return "an arrival at a barrier or a latch";
            case event_kind::read: break;
        }
        return run_.graph->rmw_write_of(of) != initial_write ? "a read-modify-write" : "a read";
    }

    [[nodiscard]] std::string describe_other_operation(const trace_step& met) const {
        const thread_state& self = run_.of(run_.id_of_number(met.thread + 1));
        if (run_.at_end(self)) return {};
        const event_id id = self.path[self.next];
        const std::string met_here = with_article(met.where.operation) + place_of(met.where);
        if (met_here.empty()) return met.note.find(words_for_early_end) == std::string::npos ? "" : describe_end(id);
        if ((*run_.graph)[id].is_rmw()) {
            return fmt::format("{} only reads, and {} is next; in the token it is a read-modify-write", ordinal_of(id),
                               met_here);
        }
        return fmt::format("{} is {}, the token has {} there", ordinal_of(id), met_here, kind_in_token(id));
    }

    [[nodiscard]] std::string describe_end(event_id id) const {
        const std::string name = name_of((*run_.graph)[id].thread_id);
        return fmt::format("{} ends before its {}, the token has {} there", name,
                           ordinal_of(id).substr(name.size() + 3), kind_in_token(id));
    }

    // Events that were not run, because some thread does not reach them.
    [[nodiscard]] std::string describe_missing() const {
        for (std::size_t i = 0; i < run_.given; ++i) {
            if (run_.views[i].done) continue;
            const auto id = static_cast<event_id>(i);
            const int thread_id = (*run_.graph)[id].thread_id;
            const thread_status status = run_.of(thread_id).status;
            if (status == thread_status::absent) {
                return fmt::format("{} is not created, and the token has operations of it", name_of(thread_id));
            }
            if (status == thread_status::finished) return describe_end(id);
            if (status == thread_status::blocked) {
                return fmt::format("{} waits and does not come to its {}, which in the token is {}", name_of(thread_id),
                                   ordinal_of(id).substr(name_of(thread_id).size() + 3), kind_in_token(id));
            }
        }
        return "a thread waits for a write of the token that is not made";
    }

    [[nodiscard]] std::string describe_other_object() const {
        for (std::size_t i = 0; i < run_.given; ++i) {
            const auto id = static_cast<event_id>(i);
            const event& each = (*run_.graph)[id];
            if (!each.reads_event() || !run_.views[i].done) continue;
            if (!run_.views[each.read().rf].done || (*run_.graph)[each.read().rf].where == each.where) continue;
            return fmt::format("{}, {}, and {}, {}, are about different objects, in the token about the same",
                               ordinal_of(id), operation_of(id), ordinal_of(each.read().rf),
                               operation_of(each.read().rf));
        }
        return {};
    }

    const scenario& what_;
    const run_state& run_;
};

}  // namespace

std::string words_for_divergence(const scenario& what, const run_state& run, const trace& steps,
                                 std::string_view fingerprint) {
    return divergence(what, run).words(steps, fingerprint);
}

std::string description_of_change(const scenario& what, const run_state& run, std::string_view fingerprint) {
    return divergence(what, run).description_of_change(fingerprint);
}

}  // namespace ordeal::detail::graph
