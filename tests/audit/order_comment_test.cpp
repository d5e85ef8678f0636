// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/source/order_comment.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using ordeal::role;
using ordeal::detail::calls_atomic_operation;
using ordeal::detail::order_comment;
using ordeal::detail::source_cache;

TEST_CASE("the order comment above a site is joined to one paragraph") {
    const std::vector<std::string> lines = {
        "void set() {",
        "    // order: release -> is_set: what was written",
        "    //        before set().",
        "    //        acquire <- push: next_",
        "    auto old = state_.exchange(this, std::memory_order_acq_rel);",
    };
    CHECK(order_comment(lines, 5, role::exchange) ==
          "release -> is_set: what was written before set(). acquire <- push: next_");
}

TEST_CASE("success and failure have their own parts, found through the body of the loop") {
    const std::vector<std::string> lines = {
        "    // order: acquire <- set: the first look",
        "    void* seen = state_.load(std::memory_order_acquire);",
        "    do {",
        "        if (seen == this) return false;",
        "        // order: (success) release -> set: the waiter,",
        "        //        suspended",
        "        // order: (failure) acquire <- set",
        "        next_ = seen;",
        "    } while (!state_.compare_exchange_weak(seen, &w, std::memory_order_release, std::memory_order_acquire));",
    };
    CHECK(order_comment(lines, 2, role::load) == "acquire <- set: the first look");
    CHECK(order_comment(lines, 9, role::success) == "release -> set: the waiter, suspended");
    CHECK(order_comment(lines, 9, role::failure) == "acquire <- set");
    CHECK(order_comment(lines, 9, role::load).empty());
}

TEST_CASE("a part without a tag is for success and failure alike") {
    const std::vector<std::string> lines = {
        "// order: relaxed: the value is not used",
        "a.compare_exchange_strong(x, y, std::memory_order_relaxed, std::memory_order_relaxed);",
    };
    CHECK(order_comment(lines, 2, role::success) == "relaxed: the value is not used");
    CHECK(order_comment(lines, 2, role::failure) == "relaxed: the value is not used");
}

TEST_CASE("a call over several lines belongs to the comment above its first") {
    const std::vector<std::string> lines = {
        "// order: (success) release",           "// order: (failure) acquire",
        "while (!state_.compare_exchange_weak(", "    seen, &waiter, std::memory_order_release,",
        "    std::memory_order_acquire)) {",
    };
    for (const std::uint32_t line : {3U, 4U, 5U}) CHECK(order_comment(lines, line, role::failure) == "acquire");
}

TEST_CASE("a comment at the end of the line counts") {
    const std::vector<std::string> lines = {"x.store(1, std::memory_order_release);  // order: release -> y"};
    CHECK(order_comment(lines, 1, role::store) == "release -> y");
}

TEST_CASE("another operation's comment, another note and a comment beyond a blank line are not taken") {
    const std::vector<std::string> lines = {
        "// order: release -> reader",                 // 1
        "x.store(1, std::memory_order_release);",      // 2
        "y.store(1, std::memory_order_relaxed);",      // 3
        "",                                            // 4
        "// order: acquire <- writer",                 // 5
        "",                                            // 6
        "z.load(std::memory_order_acquire);",          // 7
        "// Lifetime: gone after this",                // 8
        "// order: relaxed: a count",                  // 9
        "// Lifetime: and gone again",                 // 10
        "n.fetch_add(1, std::memory_order_relaxed);",  // 11
        "// not a reason",                             // 12
        "n.fetch_sub(1, std::memory_order_relaxed);",  // 13
    };
    CHECK(order_comment(lines, 3, role::store).empty());
    CHECK(order_comment(lines, 7, role::load).empty());
    CHECK(order_comment(lines, 11, role::fetch) == "relaxed: a count");
    CHECK(order_comment(lines, 13, role::fetch).empty());
    CHECK(order_comment(lines, 0, role::load).empty());
    CHECK(order_comment(lines, 14, role::load).empty());
}

TEST_CASE("atomic operations are told from other calls and from comments") {
    CHECK(calls_atomic_operation("return state_.load(std::memory_order_acquire) == this;"));
    CHECK(calls_atomic_operation("P::acquire_fence(references_);"));
    CHECK(calls_atomic_operation("state_.wait(pending, std::memory_order_relaxed);"));
    CHECK(calls_atomic_operation("atomic->fetch_sub(1, std::memory_order_release);"));
    CHECK_FALSE(calls_atomic_operation("promise_.signal().wait();"));
    CHECK_FALSE(calls_atomic_operation("// state_.load(std::memory_order_acquire)"));
    CHECK_FALSE(calls_atomic_operation("return std::exchange(first_.write(), nullptr);"));
}

TEST_CASE("a file that cannot be read has no lines") {
    source_cache sources;
    CHECK(sources.lines("no/such/file.hpp").empty());
}

TEST_CASE("every atomic site of the production code bears an order comment, one for each role") {
    source_cache sources;
    std::size_t sites = 0;
    for (const std::string file : {"manual_reset_event", "awaitable_event", "task", "sync_wait"}) {
        const std::string path = "src/ordeal/coro/" + file + ".hpp";
        const auto lines = sources.lines(path);
        INFO(path << ": run from the source root, or build with ORDEAL_SOURCE_ROOT");
        REQUIRE_FALSE(lines.empty());
        for (std::uint32_t line = 1; line <= lines.size(); ++line) {
            const std::string& text = lines[line - 1];
            if (!calls_atomic_operation(text)) continue;
            ++sites;
            INFO(path << ":" << line << ": " << text);
            if (text.find(".compare_exchange_") == std::string::npos) {
                CHECK_FALSE(order_comment(lines, line, role::load).empty());
            } else {
                CHECK_FALSE(order_comment(lines, line, role::success).empty());
                CHECK_FALSE(order_comment(lines, line, role::failure).empty());
            }
        }
    }
    CHECK(sites >= 15);
}

TEST_CASE("a place that is passed its order may have a part for each") {
    const std::vector<std::string> lines = {
        "// order: (release) -> reader: the payload",
        "// order: (relaxed) nobody looks at what came before",
        "a.store(1, with);",
    };
    CHECK(order_comment(lines, 3, role::store, ordeal::order::release) == "-> reader: the payload");
    CHECK(order_comment(lines, 3, role::store, ordeal::order::relaxed) == "nobody looks at what came before");
    CHECK(order_comment(lines, 3, role::store, ordeal::order::seq_cst).empty());
}
