// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schema_tables.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace ordeal::docs {

TEST_CASE("the page about the reports in JSON has a table of every report and of every part of one") {
    const document page = load("reference-data/json.md");
    const auto has = [&](const std::string& report, const std::string& part) {
        return std::ranges::any_of(page.directives, [&](const directive& each) {
            const lines words = words_of(each.argument);
            if (each.kind != "table" || words.size() < 2 || words[0] != "schema") return false;
            return part.empty() ? words.size() == 2 && words[1] == report : words.size() == 3 && words[2] == part;
        });
    };
    CHECK(schema_names() == lines{"audit", "check", "list", "replay", "stress"});
    for (const std::string& report : schema_names()) {
        INFO(report);
        CHECK(has(report, {}));
        for (const std::string& part : schema_parts(report)) {
            INFO(part);
            CHECK(has(report, part));
        }
    }
}

}  // namespace ordeal::docs
