// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "state_charts.hpp"
#include "document.hpp"

#include <catch2/catch.hpp>

using Catch::Matchers::Contains;

namespace ordeal::docs {

TEST_CASE("the state charts of the production code are those of its searches") {
    const std::string text = state_charts_as_markdown();
    CHECK(text == content(state_charts_markdown));
    // The names are those that the sources give.
    CHECK_THAT(text, Contains("idle") && Contains("queued(2)") && Contains("| **awaiting** |"));
    CHECK_THAT(text, !Contains("Not every search"));
}

}  // namespace ordeal::docs
