// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/search/shards.hpp"

#include "ordeal/engine/graph/core/explorer/graph_text.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace ordeal::detail::graph {

namespace {

// Every shard makes all of them. They learn loops, newest graphs first, as an undivided search does.
constexpr std::uint64_t runs_before_division = 5'000;
// Parts differ in size, so each shard takes many; few runs make many parts.
constexpr std::size_t parts_for_each = 64;
constexpr std::uint64_t runs_for_division = 5'000;

constexpr std::string_view not_divided = "over before it was divided";

std::string identity_of(const std::vector<execution_graph>& parts, std::uint64_t runs) {
    std::uint64_t hash = runs;
    for (const execution_graph& each : parts) {
        const std::string text = to_text(each);
        hash = hash_of_bytes(reinterpret_cast<std::uintptr_t>(text.data()), text.size(), hash);
    }
    return fmt::format("{:016x} of {}", hash, parts.size());
}

}  // namespace

std::string divide(explorer& mine, const search_options& options, explorer::clock::time_point until) {
    const auto drop_counts = [&] {
        if (options.shard.index != 1) mine.drop_counts();
    };
    mine.explore(runs_before_division, until);
    const bool one_part = mine.done() || mine.found();
    if (!one_part && mine.runs() == runs_before_division) {
        mine.divide(parts_for_each * options.shard.count, runs_for_division, until);
    }
    if (mine.done() || mine.found()) {
        drop_counts();
        if (options.shard.index != 1) mine.work().clear();
        return std::string(not_divided);
    }
    const bool enough = mine.work().size() >= parts_for_each * options.shard.count;
    if (!enough && mine.runs() != runs_before_division + runs_for_division) {
        drop_counts();
        return {};
    }
    const std::uint64_t runs = mine.runs();
    const std::vector<execution_graph> parts = mine.work().take_all();
    for (std::size_t i = options.shard.index - 1; i < parts.size(); i += options.shard.count)
        mine.work().emit(parts[i]);
    drop_counts();
    return identity_of(parts, runs);
}

merged_shards add_up(const std::vector<std::string>& parts) {
    merged_shards result;
    std::string division;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto part = parts[i].empty() ? std::optional<part_of_search>(std::in_place) : parse_part(parts[i]);
        if (!part) throw std::runtime_error(fmt::format("what shard {} counted cannot be read", i + 1));
        if (result.learned.empty()) result.learned = part->learned;
        if (!part->learned.empty() && part->learned != result.learned) {
            throw std::runtime_error(fmt::format(
                "shard {} has found other threads interchangeable than those before it: search all shards again "
                "with --reductions=-symmetry",
                i + 1));
        }
        if (division.empty()) division = part->division;
        if (!part->division.empty() && part->division != division) {
            throw std::runtime_error(
                fmt::format("shard {} divided the search in another way than those before it: the code is not "
                            "deterministic, or does "
                            "something else on another machine",
                            i + 1));
        }
        const bool cut_short = part->unfinished || part->division.empty();
        if (cut_short) result.unfinished.push_back(static_cast<unsigned>(i) + 1);
        result.counted.add(part->counted);
    }
    return result;
}

limit limit_of_shard(unsigned shard, unsigned shards) {
    return {"shard",
            fmt::format("shard {} of {}: the others have the rest of the search", shard, shards),
            limit_effect::bounds,
            {{"shard", std::to_string(shard)}, {"of", std::to_string(shards)}}};
}

limit limit_of_unfinished_shard(unsigned shard, std::size_t shards) {
    return {"shard",
            fmt::format("shard {} of {} did not come to its end", shard, shards),
            limit_effect::bounds,
            {{"shard", std::to_string(shard)}, {"of", std::to_string(shards)}}};
}

}  // namespace ordeal::detail::graph
