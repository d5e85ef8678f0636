// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/persistence/environment.hpp"

#include "ordeal/runtime/state/hash.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ordeal::detail {

namespace {

std::string told_apart(std::string_view value) {
    return fmt::format("{:016x}", hash_of_bytes(reinterpret_cast<std::uintptr_t>(value.data()), value.size(), 0));
}

std::map<std::string, std::string, std::less<>> environment_now() {
    std::map<std::string, std::string, std::less<>> result;
    for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
        const std::string_view text = *each;
        const std::size_t end = text.find('=');
        if (end != std::string_view::npos) result.emplace(text.substr(0, end), text.substr(end + 1));
    }
    return result;
}

auto& kept() {
    static std::optional<std::map<std::string, std::string, std::less<>>> instance;
    return instance;
}

}  // namespace

void keep_environment() { kept() = environment_now(); }

environment_values values_in_environment(std::span<const std::string> names) {
    const auto now = kept() ? *kept() : environment_now();
    environment_values result;
    for (const std::string& name : names) {
        const auto found = now.find(name);
        if (name == "*") {
            std::string all;
            for (const auto& [each, value] : now) all.append(each).append(1, '=').append(value).append(1, '\0');
            result[name] = told_apart(all);
        } else {
            result[name] = found == now.end() ? "unset" : told_apart(found->second);
        }
    }
    return result;
}

std::string changed_variable(const environment_values& recorded) {
    std::vector<std::string> names;
    for (const auto& [name, value] : recorded) names.push_back(name);
    for (const auto& [name, value] : values_in_environment(names)) {
        if (recorded.at(name) != value) return name;
    }
    return {};
}

}  // namespace ordeal::detail
