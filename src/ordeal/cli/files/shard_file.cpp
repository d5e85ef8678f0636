// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/files/files.hpp"

#include "ordeal/cli/command_parts.hpp"
#include "ordeal/engine/limit.hpp"
#include "ordeal/engine/persistence/json_fields.hpp"
#include "ordeal/engine/persistence/output_file.hpp"
#include "ordeal/engine/persistence/resumable_file.hpp"
#include "ordeal/engine/persistence/search_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace ordeal::detail {

namespace {

using nlohmann::json;

constexpr sealed_kind shard_kind{.name = "shard", .version = "7", .lines = 2};

std::string contents_of(const std::string& path) {
    std::error_code error;
    std::ifstream file;
    if (std::filesystem::is_regular_file(path, error)) file.open(path, std::ios::binary);
    if (!file.is_open()) throw std::runtime_error("the shard '" + path + "' cannot be read");
    return {std::istreambuf_iterator<char>(file), {}};
}

// What all shards of one check have in common.
std::string whole_of(const shard_file& of) {
    search_options how = of.how;
    how.shard.index = 0;
    return json_text({description_of(how), of.engine, of.scenarios});
}

environment_values environment_of(const shard_file& of) {
    environment_values all;
    for (const auto& each : of.results) {
        if (each) all.merge(values_in_environment(each->environment));
    }
    return all;
}

std::string words_for(const std::string& variable) {
    return variable == "*" ? "the environment" : fmt::format("the variable {} of the environment", variable);
}

[[noreturn]] void refuse_shards(std::string words) { throw command_error(exit_code::usage, std::move(words)); }

}  // namespace

shard_file shard_file::read(const std::string& path) {
    const std::vector<std::string> lines = unseal(shard_kind, path, contents_of(path));
    try {
        const json head = parse_json(lines[0]);
        if (head.at("build") != build_identity()) {
            throw std::runtime_error(
                "the shard '" + path +
                "' is of another build: of another program, or this one or a library that it uses has "
                "changed since");
        }
        shard_file result;
        const auto how = parse_description(head.at("search").get<std::string>());
        if (!how) throw std::runtime_error("the shard '" + path + "' is damaged: its options are missing");
        result.how = *how;
        head.at("engine").get_to(result.engine);
        head.at("scenarios").get_to(result.scenarios);
        head.at("environment").get_to(result.environment);
        for (const json& each : parse_json(lines[1])) {
            result.results.push_back(each.is_null() ? std::nullopt : deserialise(each.get<std::string>()));
        }
        result.results.resize(result.scenarios.size());
        return result;
    } catch (const json::exception&) {
        throw std::runtime_error("the shard '" + path + "' is damaged: a part of it is missing");
    }
}

void shard_file::write(const std::string& path) const {
    json all = json::array();
    for (const auto& each : results) all.push_back(each ? json(serialise(*each)) : json(nullptr));
    const std::array<std::string, 2> lines{json_text({{"search", description_of(how)},
                                                      {"build", build_identity()},
                                                      {"engine", engine},
                                                      {"scenarios", scenarios},
                                                      {"environment", environment_of(*this)}}),
                                           json_text(all)};
    if (const auto why = output_file(path).write(seal(shard_kind, lines))) {
        throw std::runtime_error("the shard '" + path + "' cannot be written: " + *why);
    }
}

std::vector<shard_file> all_shards(const std::vector<std::string>& paths) {
    std::vector<shard_file> result;
    std::vector<const std::string*> path_of;
    std::string whole;
    for (const std::string& path : paths) {
        shard_file read;
        try {
            read = shard_file::read(path);
        } catch (const std::runtime_error& error) {
            refuse_shards(error.what());
        }
        if (result.empty()) {
            result.resize(read.how.shard.count);
            path_of.resize(read.how.shard.count);
            whole = whole_of(read);
        }
        if (whole != whole_of(read)) {
            refuse_shards(fmt::format(
                "the shards '{}' and '{}' are of different checks: the options, the scenarios or the number "
                "of shards differ",
                paths.front(), path));
        }
        if (const std::string other = changed_variable(read.environment); !other.empty()) {
            refuse_shards(
                fmt::format("the shard '{}' was made with another value of {}, which the code on trial reads, than "
                            "this process has",
                            path, words_for(other)));
        }
        const std::size_t index = read.how.shard.index - 1;
        if (path_of.at(index) != nullptr) {
            refuse_shards(fmt::format("'{}' and '{}' are both shard {} of {}", *path_of[index], path,
                                      read.how.shard.index, read.how.shard.count));
        }
        path_of[index] = &path;
        result[index] = std::move(read);
    }
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < path_of.size(); ++i) {
        if (path_of[i] == nullptr) missing.push_back(i + 1);
    }
    if (!missing.empty()) {
        refuse_shards(fmt::format("shard {} of {} {} missing", listed_numbers(missing), path_of.size(),
                                  missing.size() == 1 ? "is" : "are"));
    }
    return result;
}

}  // namespace ordeal::detail
