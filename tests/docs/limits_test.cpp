// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "document.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <regex>
#include <set>
#include <string>

namespace ordeal::docs {

namespace {

// Where limits are made.
constexpr std::array sources{
    "src/ordeal/audit/judge.cpp",
    "src/ordeal/audit/weaken.cpp",
    "src/ordeal/engine/graph/core/facts/exploration_bounds.cpp",
    "src/ordeal/engine/graph/reductions/symmetry/symmetric_search.cpp",
    "src/ordeal/engine/graph/search/search_limits.cpp",
    "src/ordeal/engine/graph/search/shards.cpp",
    "src/ordeal/engine/graph/counterexample/shown_execution.cpp",
    "src/ordeal/engine/limit.cpp",
    "src/ordeal/engine/relacy/limits.cpp",
    "src/ordeal/engine/relacy/relacy_engine.cpp",
    "src/ordeal/engine/search_report.cpp",
    "src/ordeal/engine/threads/thread_engine.cpp",
    "src/ordeal/engine/unchecked_code.cpp",
};

// Written like an identifier, and none: what the sentence of a limit says in numbers and names, and the first of the effects.
const std::set<std::string> others{"assumes", "executions", "kind",   "model",   "most", "of",
                                   "seconds", "seed",       "target", "threads", "what", "where"};

std::set<std::string> identifiers_in_sources() {
    static const std::regex made(
        R"re((?:\{|emplace_back\(|hides\(\s*|adds\(\s*|limit result\{|bound_of\([^"]*)"([a-z][a-z-]+)",)re");
    std::set<std::string> result;
    for (const char* path : sources) {
        const std::string text = content(path);
        for (std::sregex_iterator each(text.begin(), text.end(), made), end; each != end; ++each) {
            if (!others.contains((*each)[1])) result.insert((*each)[1]);
        }
    }
    return result;
}

// The first cells of the tables behind that of the effects.
std::set<std::string> identifiers_on_page() {
    std::set<std::string> result;
    bool begun = false;
    for (const std::string& line : load("docs/reference/limits.md").text) {
        begun = begun || line == "## Asked for";
        if (begun && line.starts_with("| `")) result.insert(line.substr(3, line.find('`', 3) - 3));
    }
    return result;
}

}  // namespace

TEST_CASE("the page about limits has every identifier of the sources, and no other") {
    CHECK(identifiers_in_sources().size() > 30);
    CHECK(identifiers_on_page() == identifiers_in_sources());
}

}  // namespace ordeal::docs
