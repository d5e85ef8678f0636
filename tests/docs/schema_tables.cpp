// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schema_tables.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace ordeal::docs {

namespace {

using nlohmann::ordered_json;

constexpr std::string_view suffix = ".schema.json";

ordered_json schema_of(const std::string& name) {
    return ordered_json::parse(content(std::string(schema_folder) + "/" + name + std::string(suffix)));
}

std::string name_of_reference(const ordered_json& of) {
    const std::string target = of.at("$ref");
    return target.substr(target.rfind('/') + 1);
}

std::string type_of(const ordered_json& of);

std::string plain_type(const std::string& type, const ordered_json& of) {
    if (type == "array") return "list of " + type_of(of.value("items", ordered_json::object()));
    if (type != "object") return type;
    if (const auto values = of.find("additionalProperties"); values != of.end()) return "map to " + type_of(*values);
    std::string keys;
    const ordered_json properties = of.value("properties", ordered_json::object());
    for (const auto& [key, value] : properties.items()) {
        keys += (keys.empty() ? "" : ", ") + ("`" + key + "`");
    }
    return keys.empty() ? type : "object (" + keys + ")";
}

std::string type_of(const ordered_json& of) {
    if (of.contains("$ref")) return name_of_reference(of);
    if (of.contains("anyOf")) return type_of(of.at("anyOf").at(0)) + " or null";
    if (of.contains("const")) return of.at("const").dump();
    const auto type = of.find("type");
    if (type == of.end()) return "anything";
    if (type->is_string()) return plain_type(*type, of);
    std::string result;
    for (const ordered_json& each : *type) result += (result.empty() ? "" : " or ") + plain_type(each, of);
    return result;
}

std::string meaning_of(const ordered_json& of) {
    std::string result = of.value("description", "");
    if (!of.contains("enum")) return result;
    std::string values;
    for (const ordered_json& each : of.at("enum")) {
        if (!each.is_null()) values += (values.empty() ? "" : ", ") + ("`" + each.get<std::string>() + "`");
    }
    return result + ": " + values;
}

lines rows_of(const ordered_json& object) {
    lines result{"| key | type | meaning |", "|---|---|---|"};
    const ordered_json required = object.value("required", ordered_json::array());
    for (const auto& [key, value] : object.at("properties").items()) {
        const bool always = std::ranges::find(required, ordered_json(key)) != required.end();
        result.push_back("| `" + key + "` | " + type_of(value) + (always ? "" : ", may be absent") + " | " +
                         meaning_of(value) + " |");
    }
    return result;
}

}  // namespace

lines schema_table(const lines& words) {
    if (words.empty() || words.size() > 2) throw std::runtime_error("which schema?");
    const ordered_json schema = schema_of(words[0]);
    const ordered_json& part = words.size() == 1 ? schema : schema.at("$defs").at(words[1]);
    if (part.contains("properties")) return rows_of(part);
    return {"| type | meaning |", "|---|---|", "| " + type_of(part) + " | " + meaning_of(part) + " |"};
}

lines schema_names() {
    lines result;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(ORDEAL_SOURCE_ROOT "/") + schema_folder)) {
        std::string name = entry.path().filename().string();
        if (name.ends_with(suffix)) result.push_back(name.substr(0, name.size() - suffix.size()));
    }
    std::ranges::sort(result);
    return result;
}

lines schema_parts(const std::string& name) {
    lines result;
    const ordered_json parts = schema_of(name).value("$defs", ordered_json::object());
    for (const auto& [part, description] : parts.items()) {
        result.push_back(part);
    }
    return result;
}

}  // namespace ordeal::docs
