// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/persistence/resumable_file.hpp"

#include "ordeal/runtime/state/hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace ordeal::detail {

namespace {

constexpr std::string_view program = "ordeal ";

std::string last_line(std::string_view before) {
    const std::uint64_t hash = hash_of_bytes(reinterpret_cast<std::uintptr_t>(before.data()), before.size(), 0);
    return fmt::format("checksum {:016x}\n", hash);
}

// Removes and returns the first line, without its newline.
std::string_view take_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    return line;
}

}  // namespace

std::string seal(const sealed_kind& kind, std::span<const std::string> lines) {
    std::string text = fmt::format("{}{} {}\n", program, kind.name, kind.version);
    for (const std::string& each : lines) text += each + '\n';
    return text + last_line(text);
}

std::vector<std::string> unseal(const sealed_kind& kind, const std::string& path, std::string_view text) {
    const std::string named = fmt::format("the {} '{}'", kind.name, path);
    const std::string begins = fmt::format("{}{} ", program, kind.name);
    std::string_view left = text;
    const std::string_view first = take_line(left);
    if (!first.starts_with(begins)) throw std::runtime_error(fmt::format("'{}' is not a {}", path, kind.name));
    if (first.substr(begins.size()) != kind.version) {
        throw std::runtime_error(named + " is of another version of ordeal");
    }
    std::vector<std::string> lines;
    while (lines.size() < kind.lines) lines.emplace_back(take_line(left));
    if (left != last_line(text.substr(0, text.size() - left.size()))) {
        throw std::runtime_error(named + " is damaged: its checksum is that of another content");
    }
    return lines;
}

}  // namespace ordeal::detail
