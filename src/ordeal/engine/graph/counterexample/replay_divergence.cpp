// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/counterexample/replay_divergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ordeal::detail::graph {

namespace {

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

}  // namespace

std::string replay_divergence::name_of(int thread_id) const {
    const auto index = static_cast<std::size_t>(thread_id) - 1;
    return index < what_.threads.size() ? what_.threads[index] : fmt::format("thread {}", thread_id);
}

// A read-modify-write is one operation but two events.
std::string replay_divergence::ordinal_of(event_id id) const {
    const event& of = (*run_.graph)[id];
    std::size_t number = 0;
    for (const event_id each : run_.of(of.thread_id).path) {
        if (!(*run_.graph)[each].rmw) ++number;
        if (each == id) break;
    }
    return fmt::format("{}'s {} operation", name_of(of.thread_id), ordinal(number));
}

// The program's operation there: "exchange acq_rel at queue.hpp:12".
std::string replay_divergence::operation_of(event_id id) const {
    const event& of = (*run_.graph)[id];
    const site& where = sites().at(run_.views[id].site);
    const bool has_order = of.accesses_memory() || of.kind == event_kind::fence;
    return fmt::format("{}{}{}", where.operation.empty() ? "operation" : where.operation,
                       has_order && where.atomic ? fmt::format(" {}", to_string(of.using_order)) : "", place_of(where));
}

std::string replay_divergence::kind_in_token(event_id id) const {
    const event& of = (*run_.graph)[id];
    switch (of.kind) {
        case event_kind::write: return of.rmw ? "a read-modify-write" : "a write";
        case event_kind::fence: return "a fence";
        case event_kind::creation: return "the creation of a thread";
        case event_kind::allocation: return "an allocation that could take freed memory";
        case event_kind::read: break;
    }
    const auto& path = run_.of(of.thread_id).path;
    const auto next = std::ranges::upper_bound(path, id);
    return next != path.end() && (*run_.graph)[*next].rmw ? "a read-modify-write" : "a read";
}

std::string replay_divergence::describe_other_operation(const trace_step& met) const {
    const thread_state& self = run_.of(met.thread + 1);
    if (run_.at_end(self)) return {};
    const event_id id = self.path[self.next];
    const std::string met_here = with_article(met.where.operation) + place_of(met.where);
    if (met_here.empty()) return met.note.find(words_for_early_end) == std::string::npos ? "" : describe_end(id);
    if ((*run_.graph)[id].rmw) {
        return fmt::format("{} only reads, and {} is next; in the token it is a read-modify-write", ordinal_of(id),
                           met_here);
    }
    return fmt::format("{} is {}, the token has {} there", ordinal_of(id), met_here, kind_in_token(id));
}

std::string replay_divergence::describe_end(event_id id) const {
    const std::string name = name_of((*run_.graph)[id].thread_id);
    return fmt::format("{} ends before its {}, the token has {} there", name, ordinal_of(id).substr(name.size() + 3),
                       kind_in_token(id));
}

// Events that were not run, because some thread does not reach them.
std::string replay_divergence::describe_missing() const {
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

std::string replay_divergence::describe_other_object() const {
    for (std::size_t i = 0; i < run_.given; ++i) {
        const auto id = static_cast<event_id>(i);
        const event& each = (*run_.graph)[id];
        if (each.kind != event_kind::read || each.rf == initial_write || !run_.views[i].done) continue;
        if (!run_.views[each.rf].done || (*run_.graph)[each.rf].where == each.where) continue;
        return fmt::format("{}, {}, and {}, {}, are about different objects, in the token about the same",
                           ordinal_of(id), operation_of(id), ordinal_of(each.rf), operation_of(each.rf));
    }
    return {};
}

std::string replay_divergence::words(const trace& steps, std::string_view fingerprint) const {
    const bool stopped_at_step = !steps.empty() && steps.back().operation == "violation" && steps.back().thread >= 0;
    std::string where = stopped_at_step ? describe_other_operation(steps.back()) : "";
    if (where.empty() && run_.executed < run_.given) where = describe_missing();
    if (where.empty()) where = describe_other_object();
    if (where.empty()) where = "its operations are there, but the memory model does not allow what they read and write";
    const std::string change = description_of_change(fingerprint);
    return fmt::format("the execution does not fit this program: {}; {}", where,
                       change.empty() ? "the code has changed, or is not deterministic" : change);
}

std::string replay_divergence::description_of_change(std::string_view fingerprint) const {
    const auto range = first_change(fingerprint, run_);
    if (!range) return {};
    const std::string first = fmt::format("{}, {}", ordinal_of(range->first), operation_of(range->first));
    if (range->first == range->last) {
        return fmt::format("the code has changed since the token was printed: {}, was another one", first);
    }
    return fmt::format("the code has changed since the token was printed, somewhere from {}, to {}, {}", first,
                       ordinal_of(range->last), operation_of(range->last));
}

}  // namespace ordeal::detail::graph
