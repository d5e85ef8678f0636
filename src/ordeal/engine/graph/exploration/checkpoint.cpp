// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/exploration/checkpoint.hpp"

#include "ordeal/engine/build_identity.hpp"
#include "ordeal/engine/output_file.hpp"
#include "ordeal/model/fingerprint.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace ordeal::graph {

namespace {

using nlohmann::json;

constexpr std::string_view first_words = "ordeal checkpoint ";
constexpr std::string_view version = "5";

// A search goes on only where it is the same search, of the same code: its name, its mutant, its bounds.
json description(const scenario& what, const search_options& how) {
    json overrides = json::array();
    for (const order_override& each : how.overrides) overrides.push_back(to_string(each));
    json accept = json::array();
    for (const acceptance& each : how.accept) accept.push_back(to_string(each));
    return {{"scenario", what.name},       {"overrides", std::move(overrides)},
            {"accept", std::move(accept)}, {"mode", static_cast<int>(how.mode)},
            {"bound", how.bound},          {"spurious", how.spurious},
            {"reuse", how.reuse},          {"model", to_string(how.model)},
            {"examples", how.examples},    {"words", how.words},
            {"symmetry", how.symmetry}};
}

std::string last_line(std::string_view before) {
    const std::uint64_t hash = hash_of_bytes(reinterpret_cast<std::uintptr_t>(before.data()), before.size(), 0);
    return fmt::format("checksum {:016x}\n", hash);
}

// Takes the first line out, without its end.
std::string_view take_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    return line;
}

// Nothing when there is no such file.
std::optional<std::string> contents_of(const std::string& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) return std::nullopt;
    std::ifstream file;
    if (std::filesystem::is_regular_file(status)) file.open(path, std::ios::binary);
    if (!file.is_open()) throw std::runtime_error("the checkpoint '" + path + "' cannot be read");
    return std::string{std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::optional<part_of_search> checkpoint::load() const {
    const std::string& path = how_.checkpoint;
    (void)build_identity();  // as it is now: a file may be replaced while the search runs
    const auto contents = contents_of(path);
    if (!contents) return std::nullopt;
    std::string_view left = *contents;
    const std::string_view first = take_line(left);
    if (!first.starts_with(first_words)) throw std::runtime_error("'" + path + "' is not a checkpoint");
    if (first.substr(first_words.size()) != version) {
        throw std::runtime_error("the checkpoint '" + path + "' is of another version of ordeal");
    }
    const json made_by = json::parse(take_line(left), nullptr, false);
    const std::string_view text = take_line(left);
    const std::size_t counted = contents->size() - left.size();
    if (left != last_line(std::string_view(*contents).substr(0, counted))) {
        throw std::runtime_error("the checkpoint '" + path + "' is damaged: its checksum is that of another content");
    }
    const auto made_by_same = [&](const char* what, const json& mine) {
        return made_by.is_object() && made_by.contains(what) && made_by[what] == mine;
    };
    if (!made_by_same("search", description(what_, how_))) {
        throw std::runtime_error("the checkpoint '" + path +
                                 "' is of another search: the scenario, its orders or the bounds differ");
    }
    if (!made_by_same("build", build_identity())) {
        throw std::runtime_error("the checkpoint '" + path +
                                 "' is of another build: this program, or a library that it uses, has changed since");
    }
    auto part = parse_part(text);
    if (!part) throw std::runtime_error("the checkpoint '" + path + "' is damaged: a part of the search is missing");
    return part;
}

void checkpoint::save(const part_of_search& part) const {
    std::string text(first_words);
    text.append(version) += '\n';
    text += json{{"search", description(what_, how_)}, {"build", build_identity()}}.dump() + '\n';
    text += serialise(part) + '\n';
    text += last_line(text);
    if (const auto why = output_file(how_.checkpoint).write(text)) {
        throw std::runtime_error("the checkpoint '" + how_.checkpoint + "' cannot be written: " + *why);
    }
}

void checkpoint::remove() const { std::remove(output_file(how_.checkpoint).target().c_str()); }

}  // namespace ordeal::graph
