// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/search/checkpoint.hpp"

#include "ordeal/engine/persistence/json_fields.hpp"
#include "ordeal/engine/persistence/output_file.hpp"
#include "ordeal/engine/persistence/resumable_file.hpp"
#include "ordeal/engine/persistence/search_json.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace ordeal::detail::graph {

namespace {

using nlohmann::json;

constexpr sealed_kind checkpoint_file{.name = "checkpoint", .version = "12", .lines = 2};

// A checkpoint is resumed only by the same search of the same code: its name, its mutant, its bounds.
json description(const scenario& what, const search_options& options) {
    json result = parse_json(description_of(options));
    result["scenario"] = what.name;
    return result;
}

// Nothing if there is no such file.
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

std::optional<part_of_search> checkpoint::load() {
    const std::string& path = options_.checkpoint.file;
    (void)build_identity();  // computed now: a file may be replaced while the search runs
    keep_environment();      // and code on trial may change that
    const auto contents = contents_of(path);
    if (!contents) return std::nullopt;
    const std::vector<std::string> lines = unseal(checkpoint_file, path, *contents);
    const json made_by = parsed_or_discarded(lines[0]);
    const auto made_by_same = [&](const char* what, const json& mine) {
        return made_by.is_object() && made_by.contains(what) && made_by[what] == mine;
    };
    if (!made_by_same("search", description(what_, options_))) {
        throw std::runtime_error("the checkpoint '" + path +
                                 "' is of another search: the scenario, its orders or the bounds differ");
    }
    if (!made_by_same("build", build_identity())) {
        throw std::runtime_error("the checkpoint '" + path +
                                 "' is of another build: this program, or a library that it uses, has changed since");
    }
    read_before_ = made_by.value("environment", environment_values{});
    if (const std::string other = changed_variable(read_before_); !other.empty()) {
        throw std::runtime_error("the checkpoint '" + path + "' is of another search: the variable " + other +
                                 " of the environment, which the code on trial reads, has another value");
    }
    auto part = parse_part(lines[1]);
    if (!part) throw std::runtime_error("the checkpoint '" + path + "' is damaged: a part of the search is missing");
    return part;
}

void checkpoint::save(const part_of_search& part) const {
    environment_values read = values_in_environment(instrumented().environment_reads());
    read.insert(read_before_.begin(), read_before_.end());
    const std::array<std::string, 2> lines{
        json_text({{"search", description(what_, options_)}, {"build", build_identity()}, {"environment", read}}),
        serialise(part)};
    if (const auto why = output_file(options_.checkpoint.file).write(seal(checkpoint_file, lines))) {
        throw std::runtime_error("the checkpoint '" + options_.checkpoint.file + "' cannot be written: " + *why);
    }
}

void checkpoint::remove() const { std::remove(output_file(options_.checkpoint.file).target().c_str()); }

}  // namespace ordeal::detail::graph
