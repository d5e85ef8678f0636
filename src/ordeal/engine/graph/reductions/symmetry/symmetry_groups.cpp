// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/symmetry/symmetry_groups.hpp"

#include "ordeal/engine/graph/core/explorer/graph_reduction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <stdexcept>
#include <system_error>

namespace ordeal::detail::graph {

namespace {

constexpr std::string_view none = graph_reduction::nothing;
constexpr char has_own_blocks = '*';

[[noreturn]] void refuse() { throw std::runtime_error("what a search has found of its threads cannot be read"); }

// Up to the separator, which goes as well.
std::string_view take(std::string_view& text, char separator) {
    const std::string_view part = text.substr(0, text.find(separator));
    text.remove_prefix(part.size() == text.size() ? part.size() : part.size() + 1);
    return part;
}

unsigned number_of(std::string_view text) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) refuse();
    return value;
}

std::uint8_t thread_of(std::string_view text, thread_tree& threads) {
    std::vector<unsigned> path;
    while (!text.empty()) path.push_back(number_of(take(text, '.')));
    const int thread_id = threads.at(path);
    if (thread_id == 0) refuse();
    return static_cast<std::uint8_t>(thread_id);
}

}  // namespace

// "*1.0,1.1": the first two threads that thread 1 creates, with blocks of their own.
std::string symmetry_groups::text(const thread_tree& threads) const {
    if (!known_) return {};
    if (all_.empty()) return std::string(none);
    std::string result;
    for (const symmetry_group& group : all_) {
        if (!result.empty()) result += ';';
        if (group.own_blocks) result += has_own_blocks;
        for (const std::uint8_t member : group.members) {
            if (member != group.members.front()) result += ',';
            result += fmt::format("{}", fmt::join(threads.path_of(member), "."));
        }
    }
    return result;
}

void symmetry_groups::set(std::string_view text, thread_tree& threads) {
    if (text.empty()) return;
    known_ = true;
    all_.clear();
    if (text == none) return;
    while (!text.empty()) {
        std::string_view rest = take(text, ';');
        symmetry_group group;
        group.own_blocks = rest.starts_with(has_own_blocks);
        if (group.own_blocks) rest.remove_prefix(1);
        while (!rest.empty()) group.members.push_back(thread_of(take(rest, ','), threads));
        if (group.members.size() < 2) refuse();
        all_.push_back(std::move(group));
    }
}

}  // namespace ordeal::detail::graph
