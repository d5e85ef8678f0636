// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/explorer/graph_text.hpp"

#include "ordeal/engine/graph/core/state/freed_blocks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace ordeal::detail::graph {

namespace {

constexpr char variant_mark = 'z';
constexpr unsigned most_variants = 255;
constexpr char repetition_mark = 'y';
constexpr char value_mark = 'v';  // of a late read, which is run before the write that it reads from
constexpr char next_mark = '_';
constexpr char late_timeouts_mark = '+';  // the first of the text

char letter_of(const event& each) {
    if (each.kind == event_kind::fence) return each.spurious ? 'e' : 'f';
    if (each.kind == event_kind::creation) return 'c';
    if (each.kind == event_kind::allocation) return 'm';
    if (each.kind == event_kind::arrival) return 'b';
    if (each.kind == event_kind::beginning) return 'n';
    if (each.kind == event_kind::write) return each.rmw ? 'x' : 'w';
    if (each.late) return 'l';
    return each.spurious ? 's' : each.spurious_matters ? 'u' : 'r';
}

// Of construction, which frees memory and has no events; after those of the first threads.
constexpr char main_letter = 'p';
constexpr std::string_view thread_letters = "abcdefghijklmnoABCDEFGHIJKLMNOP";
// The first is of the next threads, as many as there are letters: "qa" comes after "P". And so on.
constexpr std::string_view prefixes = "qr";
static_assert((1 + prefixes.size()) * thread_letters.size() >= most_threads);

std::string letters_of_thread(int thread_id) {
    if (thread_id == main_thread_id) return {main_letter};
    const auto number = static_cast<std::size_t>(thread_id) - 1;
    const std::size_t before = number / thread_letters.size();
    std::string result;
    if (before != 0) result += prefixes[before - 1];
    return result += thread_letters[number % thread_letters.size()];
}

// A thread from the beginning of `text`, which it is taken from.
std::optional<std::uint8_t> take_thread(std::string_view& text) {
    if (text.empty()) return std::nullopt;
    std::size_t first = 0;
    if (const auto prefix = prefixes.find(text.front()); prefix != std::string_view::npos) {
        first = (prefix + 1) * thread_letters.size();
        text.remove_prefix(1);
        if (text.empty()) return std::nullopt;
    }
    const auto place = thread_letters.find(text.front());
    if (place == std::string_view::npos || first + place >= most_threads) return std::nullopt;
    text.remove_prefix(1);
    return static_cast<std::uint8_t>(first + place + 1);
}

// A number from the beginning of `text`, which it is taken from.
template <class Number = std::uint32_t>
std::optional<Number> take_number(std::string_view& text) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

// The variant of a read, where it is not the first.
bool take_variant(std::string_view& text, event& read) {
    if (text.empty() || text.front() != variant_mark) return true;
    text.remove_prefix(1);
    const auto variant = take_number(text);
    if (!variant || *variant == 0 || *variant > most_variants) return false;
    read.variant = static_cast<std::uint8_t>(*variant);
    return true;
}

// What an allocation takes: nothing, which is "0", or the letter of a thread and which of the blocks that it freed.
bool take_block(std::string_view& text, event& allocation) {
    if (text.empty()) return false;
    if (text.front() == '0') {
        text.remove_prefix(1);
        return true;
    }
    std::optional<std::uint8_t> freer = main_thread_id;
    if (text.front() == main_letter) {
        text.remove_prefix(1);
    } else {
        freer = take_thread(text);
    }
    if (!freer) return false;
    const auto ordinal = take_number(text);
    if (!ordinal || *ordinal == 0) return false;
    allocation.value = free_name{*freer, *ordinal}.word();
    return true;
}

// An event from the beginning of `text`, which it is taken from; sources are counted from 1.
std::optional<event> take_event(std::string_view& text) {
    const auto by = take_thread(text);
    if (!by || text.empty()) return std::nullopt;
    event result;
    result.thread_id = *by;
    const char kind = text.front();
    text.remove_prefix(1);
    if (kind == 'f' || kind == 'e') {
        result.kind = event_kind::fence;
        result.spurious = kind == 'e';
        return result;
    }
    if (kind == 'b' || kind == 'n') {
        result.kind = kind == 'b' ? event_kind::arrival : event_kind::beginning;
        return result;
    }
    if (kind == 'm') {
        result.kind = event_kind::allocation;
        return take_block(text, result) ? std::optional(result) : std::nullopt;
    }
    const auto found = take_number(text);
    if (!found) return std::nullopt;
    const std::uint32_t number = *found;
    if (kind == 'c') {
        result.kind = event_kind::creation;
        result.value = number;
        return result;
    }
    if (kind == 'w' || kind == 'x') {
        result.kind = event_kind::write;
        result.rmw = kind == 'x';
        result.co = number;
        return number == 0 ? std::nullopt : std::optional(result);
    }
    if (kind != 'r' && kind != 's' && kind != 'u' && kind != 'l') return std::nullopt;
    result.late = kind == 'l';
    result.spurious = kind == 's';
    result.spurious_matters = result.spurious || kind == 'u';
    result.rf = number == 0 ? initial_write : static_cast<event_id>(number - 1);
    if (!take_variant(text, result)) return std::nullopt;
    if (!result.late) return result;
    if (text.empty() || text.front() != value_mark) return std::nullopt;
    text.remove_prefix(1);
    const auto value = take_number<std::uint64_t>(text);
    if (!value) return std::nullopt;
    result.value = *value;
    return result;
}

std::string to_text(const event& of, const execution_graph& in) {
    std::string text = letters_of_thread(of.thread_id) + letter_of(of);
    if (of.kind == event_kind::write) text += std::to_string(of.co);
    if (of.kind == event_kind::creation) text += std::to_string(of.value);
    if (of.kind == event_kind::allocation) {
        const free_name taken = free_name::of(of.value);
        if (of.takes_freed_block()) text += letters_of_thread(taken.thread_id);
        text += std::to_string(taken.ordinal);
    }
    if (of.kind == event_kind::read) {
        text += std::to_string(of.rf == initial_write ? 0 : of.rf + 1);
        if (of.variant != 0) text += variant_mark + std::to_string(of.variant);
        if (of.late) text += value_mark + std::to_string(in[of.rf].value);
    }
    return text;
}

// How often the event comes that was just taken.
std::optional<std::uint32_t> take_times(std::string_view& text) {
    if (text.empty() || text.front() != repetition_mark) return std::uint32_t{1};
    text.remove_prefix(1);
    const auto times = take_number(text);
    return times && *times > 1 ? times : std::nullopt;
}

bool rf_are_writes(const execution_graph& graph) {
    for (const event& each : graph.events()) {
        if (each.kind != event_kind::read || each.rf == initial_write) continue;
        if (each.rf >= graph.size() || graph[each.rf].kind != event_kind::write) return false;
    }
    return true;
}

}  // namespace

std::string to_text(const execution_graph& graph) {
    std::string text(graph.late_timeouts ? 1 : 0, late_timeouts_mark);
    std::string last;
    unsigned times = 0;
    const auto end_repetition = [&] {
        if (times > 1) text += repetition_mark + std::to_string(times);
    };
    for (const event& each : graph.events()) {
        std::string next = to_text(each, graph);
        if (next == last) {
            ++times;
            continue;
        }
        end_repetition();
        text += next;
        last = std::move(next);
        times = 1;
    }
    end_repetition();
    if (graph.spurious_matters_next != 0) text += next_mark + letters_of_thread(graph.spurious_matters_next);
    return text;
}

std::optional<execution_graph> parse_graph(std::string_view text) {
    execution_graph result;
    result.checked = false;
    std::array<event_index, max_thread_ids> sizes{};
    if (text.starts_with(late_timeouts_mark)) {
        result.late_timeouts = true;
        text.remove_prefix(1);
    }
    if (const auto mark = text.find(next_mark); mark != std::string_view::npos) {
        std::string_view letters = text.substr(mark + 1);
        const auto next = take_thread(letters);
        if (!next || !letters.empty()) return std::nullopt;
        result.spurious_matters_next = *next;
        text.remove_suffix(text.size() - mark);
    }
    while (!text.empty()) {
        auto next = take_event(text);
        const auto times = next ? take_times(text) : std::nullopt;
        if (!times || result.size() + *times > max_events) return std::nullopt;
        for (unsigned i = 0; i < *times; ++i) {
            next->index = sizes[next->thread_id]++;
            result.add(*next);
        }
    }
    result.arrivals_are_events =
        std::ranges::any_of(result.events(), [](const event& each) { return each.kind == event_kind::arrival; });
    if (!rf_are_writes(result)) return std::nullopt;
    for (std::size_t i = 0; i < result.size(); ++i) {
        event& each = result[static_cast<event_id>(i)];
        if (!each.late) continue;
        if (each.rf == initial_write) return std::nullopt;
        result[each.rf].value = std::exchange(each.value, 0);
        result.late_reads = true;
        result.fixed = result.size();
    }
    return result;
}

}  // namespace ordeal::detail::graph
