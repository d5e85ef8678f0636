// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page of what was found in published libraries: each bug of the corpus is on it, with the package that it was
// found in.
#include "document.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace ordeal::docs {

namespace {

namespace fs = std::filesystem;

// The cells of a row of a table, without blanks around them.
lines cells_of(const std::string& row) {
    lines result;
    std::string cell;
    for (const char c : row) {
        if (c != '|') {
            cell += c;
        } else {
            result.push_back(trimmed(std::exchange(cell, {})));
        }
    }
    return result;
}

// The row whose text has this, taken apart; empty where none has.
lines row_with(const document& in, const std::string& text) {
    const auto found = std::ranges::find_if(in.text, [&](const std::string& each) {
        return each.starts_with("|") && each.find(text) != std::string::npos;
    });
    return found == in.text.end() ? lines() : cells_of(*found);
}

}  // namespace

TEST_CASE("every bug that the corpus has found is on the page of what was found, with library and package") {
    const document page = load("docs/explanation/found.md");
    const document corpus = load("reference-data/corpus.md");
    std::size_t bugs = 0;
    for (const auto& folder : fs::directory_iterator(fs::path(ORDEAL_SOURCE_ROOT) / "corpus")) {
        if (!fs::exists(folder.path() / "library.json")) continue;
        const std::string name = folder.path().filename();
        const auto manifest = nlohmann::json::parse(content("corpus/" + name + "/library.json"));
        const std::string library = manifest.at("library");
        for (const auto& [trial, about] : manifest.at("trials").items()) {
            if (about.value("judged", "") != "bug") continue;
            ++bugs;
            INFO(name << '/' << trial);
            const lines row = row_with(page, "(../../corpus/" + name + '/' + trial + ".md)");
            REQUIRE(row.size() == 7);
            CHECK(row[1] == library);
            const lines checked = row_with(corpus, '[' + library + "](#");
            REQUIRE(checked.size() > 2);
            CHECK(row[2] == checked[2]);
        }
    }
    CHECK(bugs > 10);
    // One that is on the page alone would be no finding.
    const auto trials = std::ranges::count_if(page.text, [](const std::string& each) {
        return each.starts_with("|") && each.find("](../../corpus/") != std::string::npos;
    });
    CHECK(static_cast<std::size_t>(trials) == bugs);
}

}  // namespace ordeal::docs
