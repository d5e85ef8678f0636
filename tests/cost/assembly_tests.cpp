// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/cost/assembly.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>
#include <string>

namespace ordeal::detail {

namespace {

// The only function of that text.
std::string only(target of, const std::string& body) {
    const auto found = functions_in(of, "\t.text\nf:\n" + body + ".Lfunc_end0:\n\t.size\tf, .Lfunc_end0-f\n");
    REQUIRE(found.size() == 1);
    REQUIRE(found.begin()->first == "f");
    return found.begin()->second;
}

}  // namespace

TEST_CASE("functions that differ in registers alone have the same instructions") {
    CHECK(only(target::x86_64, "\tmovq\t(%rdi), %rax\n\tretq\n") == only(target::x86_64, "\tmovq\t(%r8), %rcx\n"));
    CHECK(only(target::aarch64, "\tldar\tx0, [x0]\n\tret\n") == only(target::aarch64, "\tldar\tx9, [x8]\n\tret\n"));
    CHECK(only(target::riscv64, "\tld\ta0, 0(a0)\n\tret\n") == only(target::riscv64, "\tld\tt1, 0(s2)\n\tret\n"));
    CHECK(only(target::ppc64le, "\tld r3, 0(r3)\n\tblr\n") == only(target::ppc64le, "\tld r11, 0(r4)\n\tblr\n"));
}

TEST_CASE("functions that differ in an order have other instructions") {
    CHECK(only(target::aarch64_lse, "\tldadda\tx1, x0, [x0]\n") !=
          only(target::aarch64_lse, "\tldadd\tx1, x0, [x0]\n"));
    CHECK(only(target::aarch64, "\tdmb\tishld\n") != only(target::aarch64, "\tdmb\tish\n"));
    CHECK(only(target::riscv64, "\tfence\tr, rw\n") != only(target::riscv64, "\tfence\trw, w\n"));
    CHECK(only(target::ppc64le, "\tlwsync\n") != only(target::ppc64le, "\tsync\n"));
}

TEST_CASE("labels are told by their direction") {
    CHECK(only(target::ppc64le,
               "\tlwsync\n"
               ".LBB0_1:                                # =>This Inner Loop Header: Depth=1\n"
               "\tldarx r6, 0, r3\n"
               "\tcmpd\tr6, r4\n"
               "\tbne\tcr0, .LBB0_3\n"
               "# %bb.2:                                #   in Loop: Header=BB0_1 Depth=1\n"
               "\tstdcx. r5, 0, r3\n"
               "\tbne\tcr0, .LBB0_1\n"
               ".LBB0_3:\n"
               "\tmr\tr3, r6\n"
               "\tblr\n"
               "\t.long\t0\n") == "lwsync; ldarx r, 0, r; cmpd r, r; bne cr, on; stdcx. r, 0, r; bne cr, back");
}

TEST_CASE("moves between registers, returns and comments are left out, and nothing else is") {
    CHECK(only(target::x86_64,
               "# %bb.0:\n"
               "\tmovl\t%esi, %eax\n"
               "\tlock\t\tcmpxchgb\t%dl, (%rdi)\n"
               "                                        # kill: def $al killed $al killed $eax\n"
               "\tretq\n") == "lock cmpxchgb r, (r)");
    CHECK(only(target::x86_64, "\t#MEMBARRIER\n\tretq\n").empty());
    CHECK(only(target::x86_64, "\tmovl\t$1, %eax\n\txchgq\t%rax, %rcx\n") == "movl $1, r; xchgq r, r");
    CHECK(only(target::aarch64, "\tmov\tx8, x0\n\tand\tw9, w1, #0xff // =0xff\n\tstlxr\twzr, x2, [x8]\n\tclrex\n") ==
          "and w, w, #0xff; stlxr wzr, x, [x]; clrex");
    CHECK(only(target::riscv64, "\tmv\ta5, a1\n\tamoadd.w\tzero, a1, (a0)\n") == "amoadd.w zero, r, (r)");
}

TEST_CASE("a call is refused, for then the operation is not in the instructions") {
    CHECK_THROWS_AS(only(target::x86_64, "\tjmp\t__atomic_load_8@PLT\n"), std::runtime_error);
    CHECK_THROWS_AS(only(target::x86_64, "\tcallq\t__atomic_load_8@PLT\n"), std::runtime_error);
    CHECK_THROWS_AS(only(target::aarch64, "\tbl\t__aarch64_cas8_acq\n"), std::runtime_error);
    CHECK_THROWS_AS(only(target::aarch64, "\tb\t__aarch64_cas8_acq\n"), std::runtime_error);
    CHECK_THROWS_AS(only(target::riscv64, "\ttail\t__atomic_load_8\n"), std::runtime_error);
    CHECK_THROWS_AS(only(target::ppc64le, "\tbl __atomic_load_8\n\tnop\n"), std::runtime_error);
    CHECK_NOTHROW(only(target::aarch64, "\tb\t.LBB0_1\n"));
}

TEST_CASE("each function of a file is told apart") {
    const auto found =
        functions_in(target::aarch64,
                     "a:                                      // @a\n.LBB0_1:\n\tldxr\tx0, [x0]\n\tret\n.Lfunc_end0:\n"
                     "\t.word\t1\nb:\n\tb\t.LBB0_1\n.Lfunc_end1:\n");
    CHECK(found.size() == 2);
    CHECK(found.at("a") == "ldxr x, [x]");
    CHECK(found.at("b") == "b on");  // a label of another function is none of its own
}

}  // namespace ordeal::detail
