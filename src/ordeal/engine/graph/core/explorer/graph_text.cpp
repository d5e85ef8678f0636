// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/explorer/graph_text.hpp"

#include "ordeal/engine/graph/core/state/freed_blocks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

namespace ordeal::detail::graph {

namespace {

constexpr char variant_mark = 'z';
constexpr unsigned most_variants = 255;
constexpr char repetition_mark = 'y';
constexpr char value_mark = 'v';  // of a future read, which is run before the write that it reads from
constexpr char next_mark = '_';
constexpr char late_timeouts_mark = '+';  // the first of the text
constexpr char mixed_sizes_mark = '%';    // the next

char letter_of(const event& each) {
    switch (each.kind()) {
        case event_kind::read: break;
        case event_kind::write: return each.write().rmw ? 'x' : 'w';
        case event_kind::fence: return each.fence().spurious ? 'e' : 'f';
        case event_kind::creation: return 'c';
        case event_kind::allocation: return 'm';
        case event_kind::arrival: return 'b';
        case event_kind::beginning: return 'n';
    }
    const read_data& read = each.read();
    if (read.future) return 'l';
    return read.spurious ? 's' : read.spurious_matters ? 'u' : 'r';
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
bool take_variant(std::string_view& text, read_data& read) {
    if (text.empty() || text.front() != variant_mark) return true;
    text.remove_prefix(1);
    const auto variant = take_number(text);
    if (!variant || *variant == 0 || *variant > most_variants) return false;
    read.variant = static_cast<std::uint8_t>(*variant);
    return true;
}

// What an allocation takes: nothing, which is "0", or the letter of a thread and which of the blocks that it freed.
bool take_block(std::string_view& text, allocation_data& allocation) {
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
    allocation.block = free_name{*freer, *ordinal}.word();
    return true;
}

// An event from the beginning of `text`, and of a future read the value that it reads.
struct taken_event {
    event made;
    std::uint64_t future_value = 0;
};

// Of an event with this letter, from the beginning of `text`, which it is taken from; sources are counted from 1.
std::optional<event_data> take_data(char letter, std::string_view& text, std::uint64_t& future_value) {
    switch (letter) {
        case 'f':
        case 'e': return fence_data{.spurious = letter == 'e'};
        case 'b': return arrival_data{};
        case 'n': return beginning_data{};
        case 'm': {
            allocation_data result;
            return take_block(text, result) ? std::optional<event_data>(result) : std::nullopt;
        }
        default: break;
    }
    const auto number = take_number(text);
    if (!number) return std::nullopt;
    if (letter == 'c') return creation_data{.created = *number};
    if (letter == 'w' || letter == 'x') {
        if (*number == 0) return std::nullopt;
        return write_data{.co = *number, .rmw = letter == 'x'};
    }
    if (letter != 'r' && letter != 's' && letter != 'u' && letter != 'l') return std::nullopt;
    read_data result{.rf = *number == 0 ? initial_write : static_cast<event_id>(*number - 1),
                     .spurious = letter == 's',
                     .spurious_matters = letter == 's' || letter == 'u',
                     .future = letter == 'l'};
    if (!take_variant(text, result)) return std::nullopt;
    if (!result.future) return result;
    if (text.empty() || text.front() != value_mark) return std::nullopt;
    text.remove_prefix(1);
    const auto value = take_number<std::uint64_t>(text);
    if (!value) return std::nullopt;
    future_value = *value;
    return result;
}

std::optional<taken_event> take_event(std::string_view& text) {
    const auto by = take_thread(text);
    if (!by || text.empty()) return std::nullopt;
    taken_event result;
    result.made.thread_id = *by;
    const char letter = text.front();
    text.remove_prefix(1);
    const auto data = take_data(letter, text, result.future_value);
    if (!data) return std::nullopt;
    result.made.data = *data;
    return result;
}

std::string to_text(const event& of, const execution_graph& in) {
    std::string text = letters_of_thread(of.thread_id) + letter_of(of);
    if (of.is_write()) text += std::to_string(of.write().co);
    if (of.kind() == event_kind::creation) text += std::to_string(of.creation().created);
    if (of.kind() == event_kind::allocation) {
        const free_name taken = free_name::of(of.allocation().block);
        if (of.takes_freed_block()) text += letters_of_thread(taken.thread_id);
        text += std::to_string(taken.ordinal);
    }
    if (of.is_read()) {
        const read_data& read = of.read();
        text += std::to_string(read.rf == initial_write ? 0 : read.rf + 1);
        if (read.variant != 0) text += variant_mark + std::to_string(read.variant);
        if (read.future) text += value_mark + std::to_string(in[read.rf].write().value);
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
        if (!each.reads_event()) continue;
        if (each.read().rf >= graph.size() || !graph[each.read().rf].is_write()) return false;
    }
    return true;
}

}  // namespace

std::string to_text(const execution_graph& graph) {
    std::string text(graph.late_timeouts ? 1 : 0, late_timeouts_mark);
    if (graph.mixed_sizes) text += mixed_sizes_mark;
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
    result.known_consistent = false;
    std::array<event_index, max_thread_ids> sizes{};
    std::vector<std::pair<event_id, std::uint64_t>> future_values;
    if (text.starts_with(late_timeouts_mark)) {
        result.late_timeouts = true;
        text.remove_prefix(1);
    }
    if (text.starts_with(mixed_sizes_mark)) {
        result.mixed_sizes = true;
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
            next->made.index = sizes[next->made.thread_id]++;
            const event_id id = result.add(next->made);
            if (next->made.is_future_read()) future_values.emplace_back(id, next->future_value);
        }
    }
    result.arrivals_are_events =
        std::ranges::any_of(result.events(), [](const event& each) { return each.kind() == event_kind::arrival; });
    if (!rf_are_writes(result)) return std::nullopt;
    for (const auto& [read, value] : future_values) {
        const event_id rf = result[read].read().rf;
        if (rf == initial_write) return std::nullopt;
        result[rf].write().value = value;
        result.future_reads = true;
        result.unrevisitable_prefix = result.size();
    }
    return result;
}

}  // namespace ordeal::detail::graph
