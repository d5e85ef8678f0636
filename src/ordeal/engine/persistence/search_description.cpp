// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/persistence/search_description.hpp"

#include "ordeal/engine/persistence/json_fields.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <exception>
#include <utility>

namespace ordeal::detail {

namespace {

using nlohmann::json;

// What a search counts does not depend on snapshots.
search_reductions counted_reductions(const search_options& how) {
    search_reductions result = how.reductions;
    result.snapshots = true;
    return result;
}

}  // namespace

std::string description_of(const search_options& how) {
    json overrides = json::array();
    for (const order_override& each : how.mutant.overrides) overrides.push_back(to_string(each));
    json accept = json::array();
    for (const acceptance& each : how.accept) accept.push_back(to_string(each));
    return json_text({{"overrides", std::move(overrides)},
                      {"accept", std::move(accept)},
                      {"mode", static_cast<int>(how.strategy.mode)},
                      {"bound", how.strategy.bound},
                      {"spurious", how.bounds.spurious},
                      {"reuse", how.bounds.reuse},
                      {"model", to_string(how.model)},
                      {"examples", how.wanted.examples},
                      {"words", how.wanted.atomic_states},
                      {"handovers", how.wanted.used_orders},
                      {"reductions", to_string(counted_reductions(how))},
                      {"shard", {how.shard.index, how.shard.count}}});
}

std::optional<search_options> parse_description(std::string_view text) {
    try {
        const json value = parse_json(text);
        search_options how;
        for (const json& each : value.at("overrides")) {
            how.mutant.overrides.push_back(required(parse_order_override(each.get<std::string>())));
        }
        for (const json& each : value.at("accept"))
            how.accept.push_back(required(parse_acceptance(each.get<std::string>())));
        const int mode = value.at("mode").get<int>();
        if (mode < 0 || mode > static_cast<int>(search_mode::pct)) return std::nullopt;
        how.strategy.mode = static_cast<search_mode>(mode);
        value.at("bound").get_to(how.strategy.bound);
        value.at("spurious").get_to(how.bounds.spurious);
        value.at("reuse").get_to(how.bounds.reuse);
        how.model = required(parse_memory_model(value.at("model").get<std::string>()));
        value.at("examples").get_to(how.wanted.examples);
        value.at("words").get_to(how.wanted.atomic_states);
        value.at("handovers").get_to(how.wanted.used_orders);
        how.reductions = required(parse_reductions(value.at("reductions").get<std::string>()));
        value.at("shard").at(0).get_to(how.shard.index);
        value.at("shard").at(1).get_to(how.shard.count);
        return how;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace ordeal::detail
