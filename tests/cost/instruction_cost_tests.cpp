// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/cost/instruction_cost.hpp"

#include "table_check.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace ordeal {

using namespace detail;

namespace {

using enum atomic_operation;

std::string text_of(target on, atomic_operation what, order using_order, order failure = order::relaxed) {
    const auto found = instructions_of(on, what, usual_width, using_order, failure);
    REQUIRE(found);
    return std::string(found->text);
}

bool same(target on, const table_entry& left, const table_entry& right) {
    const auto one = look_up(on, left);
    const auto other = look_up(on, right);
    REQUIRE(one);
    REQUIRE(other);
    return *one == *other;
}

bool present(target on) { return std::ranges::find(targets(), on) != targets().end(); }

// Runs the test only where the clang of this build has the target; says so where it does not.
bool runs_on(target on) {
    if (!present(on)) WARN(why_absent(on));
    return present(on);
}

}  // namespace

TEST_CASE("each target is there with its instructions, or absent with a reason") {
    REQUIRE(all_targets.size() == 5);
    std::set<std::string_view> names;
    for (const target each : all_targets) {
        names.insert(to_string(each));
        CHECK(parse_target(to_string(each)) == each);
        CHECK(present(each) == why_absent(each).empty());
    }
    CHECK(names == std::set<std::string_view>{"x86-64", "aarch64", "aarch64+lse", "riscv64", "ppc64le"});
    CHECK_FALSE(parse_target("pdp-11"));
    CHECK(targets().empty() == instruction_compiler().empty());
}

TEST_CASE("every operation has instructions with every order that it may have, and a stronger order never costs less") {
    CHECK(all_entries().size() == 4 * (3 + 3 + 5 + 5 * 5 + 2 * 15) + 5);
    for (const target each : targets()) {
        INFO(to_string(each));
        const auto problems = problems_of(each, look_up);
        for (const std::string& problem : problems) UNSCOPED_INFO(problem);
        CHECK(problems.empty());
    }
}

TEST_CASE("a table with an entry that is missing or wrong is seen to be wrong") {
    for (const target each : targets()) {
        INFO(to_string(each));
        const auto without_one = [](target on, const table_entry& entry) {
            return to_string(entry) == "compare_exchange_weak 4 acq_rel acquire" ? std::nullopt : look_up(on, entry);
        };
        CHECK(problems_of(each, without_one) ==
              std::vector<std::string>{"compare_exchange_weak 4 acq_rel acquire is missing"});
        const auto too_cheap = [](target on, const table_entry& entry) {
            auto found = look_up(on, entry);
            if (found && to_string(entry) == "store 8 seq_cst") found->cost = 0;
            return found;
        };
        CHECK(problems_of(each, too_cheap) ==
              std::vector<std::string>{"store 8 seq_cst costs less than store 8 relaxed",
                                       "store 8 seq_cst costs less than store 8 release"});
    }
}

TEST_CASE("what an operation cannot have has no instructions") {
    for (const target each : targets()) {
        CHECK_FALSE(instructions_of(each, load, 8, order::release));
        CHECK_FALSE(instructions_of(each, store, 8, order::acquire));
        CHECK_FALSE(instructions_of(each, compare_exchange_weak, 8, order::acq_rel, order::release));
        CHECK_FALSE(instructions_of(each, load, 16, order::relaxed));
        CHECK_FALSE(instructions_of(each, load, 3, order::relaxed));
        CHECK(instructions_of(each, fence, 16, order::acquire));
    }
}

TEST_CASE("x86-64 gives acquire and release for nothing, and only a seq_cst store or fence needs another instruction") {
    const target on = target::x86_64;
    if (!runs_on(on)) return;
    for (const std::size_t width : {1u, 2u, 4u, 8u}) {
        CHECK(same(on, {load, width, order::relaxed}, {load, width, order::acquire}));
        CHECK(same(on, {load, width, order::relaxed}, {load, width, order::seq_cst}));
        CHECK(same(on, {store, width, order::relaxed}, {store, width, order::release}));
        CHECK_FALSE(same(on, {store, width, order::release}, {store, width, order::seq_cst}));
    }
    CHECK(text_of(on, load, order::seq_cst) == "movq (r), r");
    CHECK(text_of(on, store, order::release) == "movq r, (r)");
    for (const table_entry& entry : all_entries()) {
        if (entry.what == load || entry.what == store || entry.what == fence) continue;
        INFO(to_string(entry));
        CHECK(same(on, entry, {entry.what, entry.width, order::seq_cst, order::seq_cst}));
    }
    for (const order each : {order::relaxed, order::acquire, order::release, order::acq_rel}) {
        const auto found = instructions_of(on, fence, usual_width, each);
        REQUIRE(found);
        CHECK(to_string(*found) == "no instruction");
        CHECK(found->cost == 0);
    }
    CHECK_FALSE(text_of(on, fence, order::seq_cst).empty());
}

TEST_CASE("AArch64 has acquire and release in its instructions") {
    for (const target on : {target::aarch64, target::aarch64_lse}) {
        if (!runs_on(on)) continue;
        const std::string acquire = text_of(on, load, order::acquire);
        CHECK((acquire.starts_with("ldar ") || acquire.starts_with("ldapr ")));
        CHECK(text_of(on, load, order::seq_cst).starts_with("ldar "));
        CHECK(text_of(on, store, order::release).starts_with("stlr "));
        CHECK(text_of(on, fence, order::acquire) == "dmb ishld");
        CHECK(text_of(on, fence, order::release) == "dmb ish");
    }
    if (runs_on(target::aarch64)) {
        CHECK(text_of(target::aarch64, exchange, order::release).starts_with("ldxr x, [x]; stlxr "));
    }
    if (runs_on(target::aarch64_lse)) {
        CHECK(text_of(target::aarch64_lse, fetch_add, order::acq_rel) == "ldaddal x, x, [x]");
        CHECK(text_of(target::aarch64_lse, compare_exchange_strong, order::release, order::relaxed) ==
              "casl x, x, [x]");
    }
}

TEST_CASE("RISC-V and POWER have barriers around plain loads and stores") {
    if (runs_on(target::riscv64)) {
        CHECK(text_of(target::riscv64, load, order::acquire) == "ld r, 0(r); fence r, rw");
        CHECK(text_of(target::riscv64, fetch_add, order::acq_rel) == "amoadd.d.aqrl r, r, (r)");
    }
    if (runs_on(target::ppc64le)) {
        CHECK(text_of(target::ppc64le, store, order::release) == "lwsync; std r, 0(r)");
        CHECK(text_of(target::ppc64le, store, order::seq_cst) == "sync; std r, 0(r)");
        CHECK(text_of(target::ppc64le, fence, order::acq_rel) == "lwsync");
    }
}

TEST_CASE("acquire and release each need more than relaxed where memory is weakly ordered") {
    for (const target on : targets()) {
        if (on == target::x86_64) continue;
        for (const table_entry& entry : all_entries()) {
            if (entry.using_order == order::relaxed || entry.failure != order::relaxed) continue;
            INFO(to_string(on) << " " << to_string(entry));
            const table_entry relaxed{entry.what, entry.width, order::relaxed};
            CHECK_FALSE(same(on, entry, relaxed));
            CHECK(look_up(on, entry)->cost > look_up(on, relaxed)->cost);
        }
    }
}

TEST_CASE("instructions have no numbers of registers, no labels and no returns") {
    for (const target on : targets()) {
        for (const table_entry& entry : all_entries()) {
            const std::string text(look_up(on, entry)->text);
            INFO(to_string(on) << " " << to_string(entry) << ": " << text);
            CHECK(text.find('%') == std::string::npos);
            CHECK(text.find(".L") == std::string::npos);
            for (const char* const each : {"x0", "w0", "a0", "r3", "cr0", "ret", "blr"}) {
                CHECK(text.find(each) == std::string::npos);
            }
        }
    }
}

TEST_CASE("the cost of an instruction is that of its class") {
    struct example {
        target on;
        const char* text;
        int cost;
    };
    for (const auto& [on, text, cost] : std::array{
             example{target::x86_64, "", 0},
             example{target::x86_64, "movq (r), r", 1},
             example{target::x86_64, "mfence", 30},
             example{target::x86_64, "xchgq r, (r)", 30},
             example{target::x86_64, "xchgq r, r", 1},
             example{target::x86_64, "lock xaddl r, (r)", 30},
             example{target::x86_64, "movq (r), r; andq r, r; lock cmpxchgq r, (r); jne back", 33},
             example{target::aarch64, "ldr x, [x]", 1},
             example{target::aarch64, "ldarb w, [x]", 2},
             example{target::aarch64, "ldapr x, [x]", 2},
             example{target::aarch64, "ldaxr x, [x]; stlxr w, x, [x]; cbnz w, back", 5},
             example{target::aarch64, "dmb ishld", 10},
             example{target::aarch64, "dmb ish", 30},
             example{target::aarch64_lse, "ldadd x, x, [x]", 1},
             example{target::aarch64_lse, "ldaddah w, w, [x]", 2},
             example{target::aarch64_lse, "ldclrl x, x, [x]", 2},
             example{target::aarch64_lse, "casalb w, w, [x]", 3},
             example{target::riscv64, "ld r, 0(r); fence r, rw", 11},
             example{target::riscv64, "fence.tso", 10},
             example{target::riscv64, "fence rw, rw", 30},
             example{target::riscv64, "amoadd.d.aqrl r, r, (r)", 3},
             example{target::riscv64, "lr.d.aq r, (r); sc.d.rl r, r, (r)", 4},
             example{target::ppc64le, "sync; ld r, 0(r); cmpd cr, r, r; bne- cr, .+4; isync", 43},
             example{target::ppc64le, "lwsync; std r, 0(r)", 11},
         }) {
        INFO(text);
        CHECK(cost_of(on, text) == cost);
    }
}

}  // namespace ordeal
