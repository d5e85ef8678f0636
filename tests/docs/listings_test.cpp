// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "listing.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace ordeal::docs {

namespace {

std::string joined(const lines& text) {
    std::string result;
    for (const std::string& line : text) result += line + '\n';
    return result;
}

}  // namespace

TEST_CASE("every listing and table of the documents is what the program prints and the sources say") {
    std::size_t listings = 0;
    for (const std::string& path : document_paths()) {
        const document in = load(path);
        for (const directive& each : in.directives) {
            if (!generates(each)) continue;
            INFO(path << ":" << each.first + 1 << ": " << each.kind << ": " << each.argument);
            INFO("The target update_docs writes the documents anew.");
            ++listings;
            CHECK(joined(present(in, each)) == joined(generated(each)));
        }
    }
    CHECK(listings > 0);
}

TEST_CASE("every fenced block of the README and the findings that shows a run has a comment that says which") {
    for (const auto* path : {"README.md", "docs/explanation/findings.md", "docs/reference/reading-a-trace.md"}) {
        const document in = load(path);
        for (std::size_t i = 1; i < in.text.size(); ++i) {
            if (!in.text[i].starts_with("```console")) continue;
            INFO(path << ":" << i + 1);
            const bool explained = std::ranges::any_of(
                in.directives, [&](const directive& each) { return generates(each) && each.last + 1 == i; });
            CHECK(explained);
        }
    }
}

TEST_CASE("a listing marks what it leaves out, and a step of a trace goes as a whole") {
    const directive of{.kind = "run",
                       .argument = "ordeal check exhibit/control/data_race --trace",
                       .options = {{"from", "step |"}, {"to", "violation"}, {"without", "(before)"}},
                       .first = 0,
                       .last = 0,
                       .visible = {}};
    const lines block = generated(of);
    REQUIRE(block.size() > 5);
    CHECK(block[0] == "```console");
    CHECK(block[1] == "$ " + of.argument);
    CHECK(block[2] == "...");
    CHECK(block.back() == "```");
    CHECK(joined(block).find("(before)") == std::string::npos);
    CHECK(joined(block).find("violation") != std::string::npos);
}

TEST_CASE("a listing whose first or last line is not to be found is an error") {
    directive of{.kind = "source",
                 .argument = "src/ordeal/main.cpp",
                 .options = {{"from", "no such text"}},
                 .first = 0,
                 .last = 0,
                 .visible = {}};
    CHECK_THROWS(generated(of));
    of.options = {{"from", "int main"}};
    CHECK(generated(of).size() == 3);
}

TEST_CASE("a table of an example goes to its end, which must be there, and its program must be known") {
    document in{.path = {},
                .text = {"<!-- audit: spin_lock -->", "one", "", "two", "<!-- end -->"},
                .code = {},
                .directives = {}};
    directive of{.kind = "audit", .argument = "spin_lock", .options = {}, .first = 0, .last = 0, .visible = {}};
    CHECK(present(in, of) == lines{"one", "", "two"});
    in.text.pop_back();
    CHECK_THROWS(present(in, of));
    of.argument = "no_such_example";
    CHECK_THROWS(generated(of));
    of.argument = "/bin/echo";
    CHECK_THROWS(generated(of));
}

}  // namespace ordeal::docs
