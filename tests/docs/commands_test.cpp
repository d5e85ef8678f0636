// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_tables.hpp"
#include "document.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace ordeal::docs {

namespace {

constexpr const char* page = "docs/reference/command-line.md";

}  // namespace

TEST_CASE("the page about the command line has a table of the options of every command") {
    const document in = load(page);
    const auto has = [&](const std::string& argument) {
        return std::ranges::any_of(
            in.directives, [&](const directive& each) { return each.kind == "table" && each.argument == argument; });
    };
    CHECK(has("commands"));
    CHECK(has("exit-codes"));
    CHECK(command_names().size() >= 8);
    for (const std::string& name : command_names()) {
        INFO(name);
        CHECK(has("options " + name));
    }
}

TEST_CASE("every option that takes a value has its default, or says what happens without it") {
    for (const std::string& name : command_names()) {
        const directive of{
            .kind = "table", .argument = "options " + name, .options = {}, .first = 0, .last = 0, .visible = {}};
        for (const std::string& row : command_table(of)) {
            // "| `--engine NAME` | `graph` | ... |"; what names a file or a violation does nothing when it is not given.
            const std::string option = row.substr(0, row.find("` |"));
            const bool takes_number = option.ends_with(" N") || option.ends_with(" S") || option.ends_with(" NAME") ||
                                      option.ends_with(" HOW") || option.ends_with(" WHEN") ||
                                      option.ends_with(" MODEL");
            if (!takes_number) continue;
            INFO(row);
            const bool shows_one = row.find("N-th") != std::string::npos;
            const bool has_default = row.find("` | | ") == std::string::npos;
            const bool stated = has_default || row.find("if not given") != std::string::npos;
            CHECK((stated || shows_one));
        }
    }
}

}  // namespace ordeal::docs
