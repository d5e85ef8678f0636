// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_orders.hpp"
#include "document.hpp"
#include "program_run.hpp"

#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <array>
#include <cstdio>

using Catch::Matchers::Contains;

namespace ordeal::docs {

namespace {

struct audit_result {
    int code = -1;
    std::string text;
};

audit_result compare_with_kept(const std::string& program, const std::string& subjects) {
    const std::string command = "cd '" ORDEAL_SOURCE_ROOT "' && '" + program + "' audit " + subjects +
                                " --quiet --baseline " + memory_orders_json + " </dev/null 2>&1";
    audit_result result;
    std::FILE* const pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 4096> buffer{};
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
        result.text.append(buffer.data(), n);
    }
    const int status = pclose(pipe);
    if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
    return result;
}

}  // namespace

TEST_CASE("an audit of the production code is as in reference-data/memory_orders.json") {
    const audit_result found = compare_with_kept(ORDEAL_BINARY, "");
    INFO(found.text);
    INFO("The target update_docs writes the file anew.");
    CHECK(found.code == 0);
    CHECK_THAT(found.text, Contains("\nas in reference-data/memory_orders.json\n"));
}

TEST_CASE("reference-data/memory_orders.md is what an audit of the production code says") {
    INFO("The target update_docs writes the file anew.");
    CHECK(content(memory_orders_markdown) == memory_orders_as_markdown());
}

// A copy of the production code in which wait() of sync_wait.hpp loads relaxed what it must acquire.
TEST_CASE(
    "an audit of the production code with a required order weakened differs from reference-data/memory_orders.json, in "
    "words") {
    const audit_result found = compare_with_kept(ORDEAL_WEAKENED_BINARY, "sync_wait");
    INFO(found.text);
    CHECK(found.code == 1);
    CHECK_THAT(found.text, Contains("sync_wait: was held; is violated: data race"));
    CHECK_THAT(found.text, Contains(" wait() load: was acquire, minimal; is relaxed, too weak, needs acquire"));
    CHECK_THAT(found.text, Contains("new: repair: acquire at sync_wait.hpp:"));
}

}  // namespace ordeal::docs
