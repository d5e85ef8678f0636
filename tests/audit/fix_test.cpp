// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_engine.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

using namespace audit_test;
using Catch::Matchers::Contains;
using ordeal::order;
using ordeal::role;
using ordeal::detail::find_fix;

namespace {

const std::string file = "src/flags.hpp";
const std::string text =
    "a.store(1, std::memory_order_seq_cst);\n"
    "b.store(1, std::memory_order_release);\n"
    "c.store(1, std::memory_order_release);\n";

ordeal::site store_at(std::uint32_t line, order declared) {
    auto where = make_site(file, line, role::store, declared);
    where.key.column = 1;
    return where;
}
const auto a = store_at(1, order::seq_cst);
const auto b = store_at(2, order::release);
const auto c = store_at(3, order::release);

std::optional<std::string> read_flags(const std::string& name) {
    return name == file ? std::optional(text) : std::nullopt;
}

// Two groups of sites that have no effect on each other: three assignments, of which the first and the third only weaken.
ordeal::detail::audited_subject two_tables() {
    ordeal::detail::audited_subject subject;
    subject.name = "flags";
    subject.verdict = ordeal::detail::verdict::held;
    for (const auto& each : {a, b, c}) subject.sites.emplace_back().where = each;
    subject.sites[2].reason = "the author's";
    auto& first = subject.joint.emplace_back();
    first.sites = {a, b};
    first.complete = true;
    first.minimal = {{.orders = {order::release, order::release}, .limits = {}, .weaker = true},
                     {.orders = {order::relaxed, order::seq_cst}, .limits = {"some bound"}, .weaker = false}};
    auto& second = subject.joint.emplace_back();
    second.sites = {c};
    second.complete = true;
    second.minimal = {{.orders = {order::relaxed}, .limits = {}, .weaker = true}};
    return subject;
}

}  // namespace

TEST_CASE("the first fix is the first of each table that only weakens") {
    const auto subject = two_tables();
    CHECK(count_fixes(subject) == 3);
    const auto fix = find_fix(subject, 0, read_flags);
    CHECK(fix.nothing.empty());
    CHECK(fix.limits.empty());
    CHECK_FALSE(fix.repairs);
    REQUIRE(fix.changes.size() == 2);
    CHECK(fix.changes[0].where.key == a.key);
    CHECK(fix.changes[1].where.key == c.key);
    CHECK(fix.changes[1].reason == "the author's");
    REQUIRE(fix.patch.files.size() == 1);
    CHECK(fix.patch.files[0].after ==
          "a.store(1, std::memory_order_release);\n"
          "b.store(1, std::memory_order_release);\n"
          "c.store(1, std::memory_order_relaxed);\n");
}

TEST_CASE("fixes are counted through the tables, and each rests on limits of its own") {
    const auto subject = two_tables();
    const auto second = find_fix(subject, 2, read_flags);
    REQUIRE(second.changes.size() == 2);
    CHECK(second.changes[0].replacement == order::relaxed);
    CHECK(second.changes[1].replacement == order::seq_cst);
    REQUIRE(second.limits.size() == 1);
    const auto third = find_fix(subject, 3, read_flags);
    REQUIRE(third.changes.size() == 1);
    CHECK(third.changes[0].where.key == c.key);
    CHECK(third.limits.empty());
    CHECK_THAT(find_fix(subject, 4, read_flags).nothing, Contains("no such number"));
}

TEST_CASE("of a violated subject the repairs are counted, and a change is that of one site") {
    ordeal::detail::audited_subject subject;
    subject.verdict = ordeal::detail::verdict::violated;
    auto twice = b;
    twice.declared = order::relaxed;  // another order at the same place
    for (const auto& each : {a, b, twice}) subject.sites.emplace_back().where = each;
    CHECK_THAT(find_fix(subject, 0, read_flags).nothing, Contains("no repair is known"));
    subject.repairs = {{.changes = {{b.key, order::seq_cst, order::release}}, .limits = {}}};
    const auto fix = find_fix(subject, 0, read_flags);
    CHECK(fix.repairs);
    CHECK(fix.number == 1);
    REQUIRE(fix.changes.size() == 1);
    CHECK(fix.changes[0].where.declared == order::release);
    // The text cannot be both.
    CHECK(fix.patch.files.empty());
    CHECK(fix.patch.refusals.size() == 1);
    CHECK_FALSE(fix.done());
}

TEST_CASE("the first repair without a fence is the first fix, and a fence is left to a hand") {
    ordeal::detail::audited_subject subject;
    subject.verdict = ordeal::detail::verdict::violated;
    for (const auto& each : {a, b}) subject.sites.emplace_back().where = each;
    ordeal::order_override fence{b.key, order::seq_cst};
    fence.position = ordeal::override_position::before;
    subject.repairs = {{.changes = {fence}, .limits = {}}, {.changes = {{b.key, order::seq_cst}}, .limits = {}}};
    CHECK(find_fix(subject, 0, read_flags).number == 2);
    const auto fix = find_fix(subject, 1, read_flags);
    CHECK(fix.patch.files.empty());
    REQUIRE(fix.patch.refusals.size() == 1);
    CHECK_THAT(fix.patch.refusals[0], Contains("a seq_cst fence is wanted before this operation"));
    CHECK_FALSE(fix.done());
}

TEST_CASE("of a repair with a fence the other changes are made") {
    ordeal::detail::audited_subject subject;
    subject.verdict = ordeal::detail::verdict::violated;
    for (const auto& each : {a, b}) subject.sites.emplace_back().where = each;
    ordeal::order_override fence{a.key, order::seq_cst};
    fence.position = ordeal::override_position::before;
    subject.repairs = {{.changes = {fence, {b.key, order::seq_cst}}, .limits = {}}};
    const auto fix = find_fix(subject, 1, read_flags);
    CHECK(fix.patch.files.size() == 1);
    CHECK(fix.patch.refusals.size() == 1);
    CHECK_FALSE(fix.done());
}

TEST_CASE("nothing is fixed of what was not decided, and of a table that is perhaps not whole it is said") {
    auto subject = two_tables();
    subject.verdict = ordeal::detail::verdict::inconclusive;
    CHECK(find_fix(subject, 0, read_flags).nothing == "what is written was not decided");
    subject.verdict = ordeal::detail::verdict::held;
    for (auto& table : subject.joint) table.minimal.clear();
    subject.joint[0].minimal = {{.orders = {order::seq_cst, order::release}, .limits = {}, .weaker = false}};
    CHECK_THAT(find_fix(subject, 0, read_flags).nothing, Contains("minimal as written"));
    subject.joint[0].complete = false;
    CHECK_THAT(find_fix(subject, 0, read_flags).nothing, Contains("perhaps not all were"));
}

TEST_CASE("a file outside the project is not written") {
    for (const std::string outside : {"/usr/include/flags.hpp", "../flags.hpp"}) {
        ordeal::detail::source_fix fix;
        fix.patch.files.push_back({.file = outside, .before = "a", .after = "b", .edits = {}});
        write_fix(fix);
        CHECK(fix.written.empty());
        CHECK_THAT(fix.trouble, Contains("under no source root"));
        CHECK_FALSE(fix.done());
    }
}

TEST_CASE("a file that something else has just changed is not written") {
    std::string name = (std::filesystem::temp_directory_path() / "ordeal_fix.XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(name);
    std::ofstream("flags.hpp") << "something else";
    ordeal::detail::source_fix fix;
    fix.patch.files.push_back({.file = "flags.hpp", .before = "a", .after = "b", .edits = {}});
    write_fix(fix);
    CHECK(ordeal::detail::read_source("flags.hpp") == "something else");
    CHECK(fix.written.empty());
    CHECK_THAT(fix.trouble, Contains("has just been changed"));

    fix.trouble.clear();
    fix.patch.files[0].before = "something else";
    write_fix(fix);
    CHECK(ordeal::detail::read_source("flags.hpp") == "b");
    CHECK(fix.written == std::vector<std::string>{"flags.hpp"});
    std::filesystem::current_path(before);
    std::filesystem::remove_all(name);
}
