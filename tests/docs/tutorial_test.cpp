// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tutorial.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace ordeal::docs {

TEST_CASE(
    "every block of an executed page is a file that is written or a command that is run, from the first to the last") {
    static constexpr std::array executed{"file", "shell", "step"};
    const std::string page = GENERATE(tutorial_page, queue_page, existing_tests_page, clients_page);
    const document in = load(page);
    bool inside = false;
    std::size_t blocks = 0;
    for (std::size_t i = 0; i < in.text.size(); ++i) {
        if (!in.text[i].starts_with("```")) continue;
        inside = !inside;
        if (!inside) continue;
        ++blocks;
        INFO(page << ":" << i + 1);
        CHECK(std::ranges::any_of(in.directives, [&](const directive& each) {
            return each.last + 1 == i && std::ranges::find(executed, std::string_view(each.kind)) != executed.end();
        }));
    }
    CHECK(blocks >= 6);
}

TEST_CASE("the tutorial, executed, finds a violation, repairs it and ends with nothing left to weaken") {
    const document in = load(tutorial_page);
    std::string all;
    for (const directive& each : in.directives) {
        if (each.kind != "step") continue;
        for (const std::string& line : tutorial_output(each)) all += line + '\n';
    }
    const std::size_t violated = all.find("violated: deadlock");
    REQUIRE(violated != std::string::npos);
    const std::size_t held = all.find("held     as expected", violated);
    REQUIRE(held != std::string::npos);
    CHECK(all.find("stronger than needed", held) != std::string::npos);
    CHECK(all.find("Taken together the orders are minimal as written", held) != std::string::npos);
}

}  // namespace ordeal::docs
