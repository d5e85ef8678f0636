// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/called_as.hpp"

#include "ordeal/version.hpp"

#include <algorithm>
#include <cctype>

namespace ordeal::detail {

namespace {

struct program_call {
    std::string file = "ordeal";
    std::string word = "ordeal";
};

program_call& call() {
    static program_call value;
    return value;
}

}  // namespace

std::string shell_word(std::string_view text) {
    const auto plain = [](char c) {
        constexpr std::string_view marks = "/._-+@%:,=";
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || marks.find(c) != std::string_view::npos;
    };
    if (!text.empty() && std::ranges::all_of(text, plain)) return std::string(text);
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + '\'';
}

void set_called_as(std::string_view program) {
    if (program.empty()) return;  // an exec without a name
    call() = {std::string(program), shell_word(program)};
}

const std::string& called_as() noexcept { return call().word; }

std::string program_name() { return call().file.substr(call().file.rfind('/') + 1); }

const char* program_version() noexcept { return ORDEAL_VERSION_STRING; }

}  // namespace ordeal::detail
