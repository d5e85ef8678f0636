// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mapping of the processor models against the instructions that clang made when this was built.
#include "ordeal/audit/cost/instruction_cost.hpp"
#include "ordeal/processors/mapping.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ordeal {

using namespace detail;
using processors::machine_event;
using processors::operation;

namespace {

// As far as a memory model looks at them: "sync R isync", "Rq Wl" for a read that acquires and a write that releases, "[RWql]"
// for an access that is both.
std::string words(const std::vector<machine_event>& all) {
    constexpr std::array names{
        "",          "mfence", "dmb ish", "dmb ishld", "fence r, rw", "fence rw, w", "fence rw, rw",
        "fence.tso", "lwsync", "sync",    "isync"};
    std::string text;
    for (const machine_event& each : all) {
        text += text.empty() ? "" : "; ";
        text += names[static_cast<std::size_t>(each.kind)];
        if (!each.accesses()) continue;
        text += each.reads ? "R" : "";
        text += each.writes ? "W" : "";
        text += each.acquire ? "q" : "";
        text += each.release ? "l" : "";
    }
    return text;
}

bool is_barrier(std::string_view instruction) {
    for (const char* const each : {"mfence", "dmb", "fence", "lwsync", "sync", "isync"}) {
        if (instruction.starts_with(each)) return true;
    }
    return false;
}

// Of AArch64: what stands behind the name of an instruction that reads and writes.
std::string lse(std::string_view mnemonic) {
    const std::string_view suffix = mnemonic.starts_with("ldadd") ? mnemonic.substr(5) : mnemonic.substr(3);
    return std::string("R") + (suffix.starts_with('a') ? "q" : "") + "; W" + (suffix.ends_with('l') ? "l" : "");
}

// The same words of one instruction; empty if it accesses no memory.
std::string words(target on, std::string_view instruction) {
    const std::string_view mnemonic = instruction.substr(0, instruction.find(' '));
    const auto is = [&](std::string_view begin) { return mnemonic.starts_with(begin); };
    if (is_barrier(instruction)) return std::string(instruction);
    const bool acquires = mnemonic.ends_with(".aq") || mnemonic.ends_with(".aqrl");
    const bool releases = mnemonic.ends_with(".rl") || mnemonic.ends_with(".aqrl");
    const std::string annotated = std::string(acquires ? "q" : "") + (releases ? "l" : "");
    switch (on) {
        case target::x86_64:
            if (is("lock")) return "mfence; R; W; mfence";
            if (is("xchg")) return "mfence; W; mfence";  // a store that is one, as far as a store has words
            return instruction.find("(r)") > instruction.find(',') ? "W" : "R";
        case target::aarch64:
        case target::aarch64_lse:
            if (is("cas") || is("swp") || is("ldadd")) return lse(mnemonic);
            if (is("ldar") || is("ldaxr")) return "Rq";
            if (is("stlr") || is("stlxr")) return "Wl";
            if (is("ldr") || is("ldxr")) return "R";
            return is("str") || is("stxr") ? "W" : "";
        case target::riscv64:
            if (is("amo")) return "RW" + annotated;
            if (is("lr.") || is("ld") || is("lw") || is("lh") || is("lb")) return "R" + annotated;
            return is("sc.") || mnemonic == "sd" || mnemonic == "sw" || mnemonic == "sh" || mnemonic == "sb"
                       ? "W" + annotated
                       : "";
        case target::ppc64le:
            if (mnemonic == "ld" || is("ldarx")) return "R";
            return mnemonic == "std" || is("stdcx") ? "W" : "";
    }
    return "";
}

std::string words_of_text(target on, std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find("; "), text.size());
        const std::string next = words(on, text.substr(0, end));
        if (!next.empty()) result += (result.empty() ? "" : "; ") + next;
        text.remove_prefix(std::min(text.size(), end + 2));
    }
    return result;
}

}  // namespace

TEST_CASE("a processor model has the accesses and barriers that clang makes of an operation") {
    constexpr std::array operations{std::pair{atomic_operation::load, operation::load},
                                    std::pair{atomic_operation::store, operation::store},
                                    std::pair{atomic_operation::fetch_add, operation::exchange},
                                    std::pair{atomic_operation::exchange, operation::exchange},
                                    std::pair{atomic_operation::compare_exchange_strong, operation::compare_exchange},
                                    std::pair{atomic_operation::fence, operation::fence}};
    for (const target on : targets()) {
        for (const auto& [made, what] : operations) {
            for (const order each : {order::relaxed, order::acquire, order::release, order::acq_rel, order::seq_cst}) {
                for (const std::size_t width : {1U, 2U, 4U, 8U}) {
                    // On the other targets the instructions differ by a letter alone.
                    if (on != target::riscv64 && width != usual_width) continue;
                    const auto found = instructions_of(on, made, width, each);
                    if (!found) continue;  // an order that the operation cannot have
                    CAPTURE(to_string(on), to_string(made), to_string(each), width, found->text);
                    const std::string expected =
                        words(processors::compile(on, {{.what = what, .using_order = each, .size = width}}));
                    const bool exchanges = on == target::x86_64 && made == atomic_operation::exchange;
                    CHECK(words_of_text(on, found->text) == (exchanges ? "mfence; W; mfence" : expected));
                }
            }
        }
    }
}

}  // namespace ordeal
