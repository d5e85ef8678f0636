// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/search/distinct_graphs.hpp"

#include "ordeal/runtime/state/hash.hpp"

#include <cmath>
#include <cstddef>

namespace ordeal::detail::graph {

namespace {

constexpr unsigned index_bits = 22;  // half a megabyte
constexpr std::size_t places = std::size_t{1} << index_bits;

// An event by its thread and index.
std::uint64_t name_of(const execution_graph& graph, event_id id) noexcept {
    if (id == initial_write) return ~std::uint64_t{0};
    return (std::uint64_t{graph[id].thread_id} << 16U) | graph[id].index;
}

std::uint64_t details_of(const execution_graph& graph, const event& each) noexcept {
    switch (each.kind) {
        case event_kind::read: return name_of(graph, each.rf);
        case event_kind::write: return each.co;
        case event_kind::fence: return 0;
        case event_kind::creation:
        case event_kind::allocation: return each.value;
    }
    return 0;
}

}  // namespace

std::uint64_t graph_fingerprint(const execution_graph& graph) noexcept {
    std::uint64_t sum = 0;
    for (std::size_t id = 0; id < graph.size(); ++id) {
        const event& each = graph[static_cast<event_id>(id)];
        std::uint64_t hash = mixed_bits(name_of(graph, static_cast<event_id>(id)) + 1);
        hash = mixed_bits(hash + static_cast<std::uint64_t>(each.kind) + (each.spurious ? 16U : 0U) +
                          (std::uint64_t{each.variant} << 8U));
        sum += mixed_bits(hash + details_of(graph, each));
    }
    return sum;
}

void distinct_graphs::add(const execution_graph& graph) {
    if (bits_.empty()) bits_.resize(places / 64);
    const std::uint64_t place = mixed_bits(graph_fingerprint(graph)) >> (64U - index_bits);
    std::uint64_t& word = bits_[place / 64];
    const std::uint64_t bit = std::uint64_t{1} << (place % 64);
    set_ += (word & bit) == 0 ? 1 : 0;
    word |= bit;
}

std::uint64_t distinct_graphs::count() const noexcept {
    const auto all = static_cast<double>(places);
    const double left = set_ < places ? static_cast<double>(places - set_) : 1;
    return static_cast<std::uint64_t>(std::llround(-all * std::log(left / all)));
}

}  // namespace ordeal::detail::graph
