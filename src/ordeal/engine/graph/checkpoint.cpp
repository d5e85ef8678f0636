// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/checkpoint.hpp"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace ordeal::graph {

namespace {

using nlohmann::json;

// A search goes on only where it is the same search: its name, its mutant, its bounds.
json description(const scenario& what, const search_options& how) {
    json overrides = json::array();
    for (const order_override& each : how.overrides) overrides.push_back(to_string(each));
    return {{"schema", 1},
            {"scenario", what.name},
            {"overrides", std::move(overrides)},
            {"mode", static_cast<int>(how.mode)},
            {"bound", how.bound},
            {"spurious", how.spurious},
            {"reuse", how.reuse}};
}

}  // namespace

std::optional<part_of_search> checkpoint::load() const {
    std::ifstream file(how_.checkpoint, std::ios::binary);
    std::error_code error;
    if (!file || std::filesystem::is_directory(how_.checkpoint, error)) {
        if (!std::filesystem::exists(how_.checkpoint, error) && !error) return std::nullopt;
        throw std::runtime_error("the checkpoint '" + how_.checkpoint + "' cannot be read");
    }
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const json whole = json::parse(text, nullptr, false);
    if (!whole.is_object() || !whole.contains("search") || !whole.contains("part") || !whole["part"].is_string()) {
        throw std::runtime_error("'" + how_.checkpoint + "' is not a checkpoint");
    }
    if (whole["search"] != description(what_, how_)) {
        throw std::runtime_error("the checkpoint '" + how_.checkpoint +
                                 "' is of another search: the scenario, its orders or the bounds differ");
    }
    auto part = parse_part(whole["part"].get<std::string>());
    if (!part) throw std::runtime_error("the checkpoint '" + how_.checkpoint + "' is damaged");
    return part;
}

void checkpoint::save(const part_of_search& part) const {
    const std::string beside = how_.checkpoint + ".new";
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    file << json{{"search", description(what_, how_)}, {"part", serialise(part)}}.dump() << '\n';
    file.close();
    if (file.fail() || std::rename(beside.c_str(), how_.checkpoint.c_str()) != 0) {
        const std::string why = std::strerror(errno);
        std::remove(beside.c_str());
        throw std::runtime_error("the checkpoint '" + how_.checkpoint + "' cannot be written: " + why);
    }
}

void checkpoint::remove() const noexcept { std::remove(how_.checkpoint.c_str()); }

}  // namespace ordeal::graph
