// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/search_description.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <utility>

namespace ordeal {

namespace {

using nlohmann::json;

template <class T>
T required(std::optional<T> parsed) {
    if (!parsed) throw std::invalid_argument("unknown name");
    return *std::move(parsed);
}

}  // namespace

std::string description_of(const search_options& how) {
    json overrides = json::array();
    for (const order_override& each : how.overrides) overrides.push_back(to_string(each));
    json accept = json::array();
    for (const acceptance& each : how.accept) accept.push_back(to_string(each));
    return json{{"overrides", std::move(overrides)},
                {"accept", std::move(accept)},
                {"mode", static_cast<int>(how.mode)},
                {"bound", how.bound},
                {"spurious", how.spurious},
                {"reuse", how.reuse},
                {"model", to_string(how.model)},
                {"examples", how.examples},
                {"words", how.words},
                {"handovers", how.handovers},
                {"symmetry", how.symmetry},
                {"cut_retries", how.cut_retries},
                {"shard", {how.shard, how.shards}}}
        .dump();
}

std::optional<search_options> parse_description(std::string_view text) {
    try {
        const json value = json::parse(text);
        search_options how;
        for (const json& each : value.at("overrides")) {
            how.overrides.push_back(required(parse_order_override(each.get<std::string>())));
        }
        for (const json& each : value.at("accept"))
            how.accept.push_back(required(parse_acceptance(each.get<std::string>())));
        const int mode = value.at("mode").get<int>();
        if (mode < 0 || mode > static_cast<int>(search_mode::pct)) return std::nullopt;
        how.mode = static_cast<search_mode>(mode);
        value.at("bound").get_to(how.bound);
        value.at("spurious").get_to(how.spurious);
        value.at("reuse").get_to(how.reuse);
        how.model = required(parse_memory_model(value.at("model").get<std::string>()));
        value.at("examples").get_to(how.examples);
        value.at("words").get_to(how.words);
        value.at("handovers").get_to(how.handovers);
        value.at("symmetry").get_to(how.symmetry);
        value.at("cut_retries").get_to(how.cut_retries);
        value.at("shard").at(0).get_to(how.shard);
        value.at("shard").at(1).get_to(how.shards);
        return how;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace ordeal
