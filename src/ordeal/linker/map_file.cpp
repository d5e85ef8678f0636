// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/linker/map_file.hpp"

#include <istream>
#include <optional>
#include <string_view>

namespace ordeal::linker {

namespace {

bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }

void skip_blanks(std::string_view& text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

std::string_view take_word(std::string_view& text) {
    skip_blanks(text);
    std::size_t size = 0;
    while (size < text.size() && !is_blank(text[size])) ++size;
    const std::string_view word = text.substr(0, size);
    text.remove_prefix(size);
    return word;
}

bool is_number(std::string_view word) noexcept {
    return !word.empty() && word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_0x(std::string_view word) noexcept { return word.starts_with("0x") && is_number(word.substr(2)); }

bool is_zero(std::string_view word) noexcept { return word.find_first_not_of("0x") == std::string_view::npos; }

// Of GNU ld and gold: " NAME 0xADDRESS 0xSIZE INPUT", where the rest of a long name's line is on the next line.
class gnu_lines {
public:
    std::optional<linked_section> take(std::string_view line) {
        if (line == "Discarded input sections") discarded_ = true;
        if (line == "Memory Configuration" || line == "Linker script and memory map" || line == "Memory map") {
            discarded_ = false;
        }
        std::string_view rest = line;
        std::string name(take_word(rest));
        if (is_0x(name)) {
            rest = line;
            name = std::move(name_before_);
        }
        name_before_.clear();
        if (!is_blank(line.empty() ? 'x' : line.front())) return std::nullopt;  // an output section
        if (rest.empty()) {
            name_before_ = std::move(name);
            return std::nullopt;
        }
        const std::string_view address = take_word(rest);
        const std::string_view size = take_word(rest);
        // One blank follows the size; an input's name may itself begin with a blank.
        if (discarded_ || name.empty() || !is_0x(address) || !is_0x(size) || is_zero(size) || rest.size() < 2) {
            return std::nullopt;
        }
        return linked_section{std::string(rest.substr(1)), std::move(name)};
    }

private:
    bool discarded_ = false;
    std::string name_before_;
};

// Of LLD and mold: "VMA [LMA] SIZE ALIGN INPUT:(NAME)", below a header line.
class column_lines {
public:
    std::optional<linked_section> take(std::string_view line) {
        std::string_view rest = line;
        if (rest.find(" VMA ") != std::string_view::npos && rest.ends_with(" Symbol")) {
            for (numbers_ = 0; take_word(rest) != "Out"; ++numbers_) {
                if (rest.empty()) return std::nullopt;
            }
        }
        if (numbers_ < 3) return std::nullopt;
        std::string_view size;
        for (std::size_t i = 0; i < numbers_; ++i) {
            const std::string_view word = take_word(rest);
            if (!is_number(word)) return std::nullopt;
            if (i + 2 == numbers_) size = word;
        }
        skip_blanks(rest);
        const std::size_t end = rest.rfind(":(");
        if (is_zero(size) || end == std::string_view::npos || !rest.ends_with(')')) return std::nullopt;
        return linked_section{std::string(rest.substr(0, end)),
                              std::string(rest.substr(end + 2, rest.size() - end - 3))};
    }

private:
    std::size_t numbers_ = 0;
};

}  // namespace

std::vector<linked_section> sections_in_map(std::istream& map) {
    std::vector<linked_section> result;
    gnu_lines gnu;
    column_lines others;
    for (std::string line; std::getline(map, line);) {
        std::optional<linked_section> found = gnu.take(line);
        if (!found) found = others.take(line);
        if (found && (result.empty() || result.back() != *found)) result.push_back(*std::move(found));
    }
    return result;
}

}  // namespace ordeal::linker
