// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/cost/instruction_cost.hpp"

#include <algorithm>

namespace ordeal::detail {

namespace {

constexpr int plain = 1;
constexpr int each_direction = 1;  // added for acquire and for release
constexpr int light_barrier = 10;
constexpr int full_barrier = 30;

std::string_view mnemonic_of(std::string_view instruction) { return instruction.substr(0, instruction.find(' ')); }

int x86_64_cost(std::string_view instruction) {
    // An exchange with memory is locked without the prefix.
    const bool locked = instruction.starts_with("lock ") ||
                        (instruction.starts_with("xchg") && instruction.find('(') != std::string_view::npos);
    return locked || instruction == "mfence" ? full_barrier : plain;
}

// The suffix of an LSE instruction, for example "ldaddalb". Empty for any other.
std::string_view lse_suffix(std::string_view mnemonic) {
    constexpr std::array<std::string_view, 6> operations{"ldadd", "ldclr", "ldeor", "ldset", "swp", "cas"};
    for (const std::string_view each : operations) {
        if (mnemonic.starts_with(each)) return mnemonic.substr(each.size());
    }
    return {};
}

int aarch64_cost(std::string_view instruction) {
    const std::string_view mnemonic = mnemonic_of(instruction);
    if (mnemonic == "dmb" || mnemonic == "dsb") {
        return instruction == "dmb ishld" || instruction == "dmb ishst" ? light_barrier : full_barrier;
    }
    const std::string_view suffix = lse_suffix(mnemonic);
    // ldar, ldapr, ldaxr; stlr, stlxr; and the byte and halfword forms.
    const bool acquires = suffix.starts_with('a') || mnemonic.starts_with("ldar") || mnemonic.starts_with("ldapr") ||
                          mnemonic.starts_with("ldaxr");
    const bool releases = suffix.starts_with('l') || suffix.starts_with("al") || mnemonic.starts_with("stl");
    return plain + (acquires ? each_direction : 0) + (releases ? each_direction : 0);
}

int riscv64_cost(std::string_view instruction) {
    const std::string_view mnemonic = mnemonic_of(instruction);
    if (mnemonic == "fence") return instruction == "fence rw, rw" ? full_barrier : light_barrier;
    if (mnemonic == "fence.tso") return light_barrier;
    const bool acquires = mnemonic.ends_with(".aq") || mnemonic.ends_with(".aqrl");
    const bool releases = mnemonic.ends_with(".rl") || mnemonic.ends_with(".aqrl");
    return plain + (acquires ? each_direction : 0) + (releases ? each_direction : 0);
}

int ppc64le_cost(std::string_view instruction) {
    if (instruction == "sync") return full_barrier;
    return instruction == "lwsync" || instruction == "isync" ? light_barrier : plain;
}

int instruction_cost(target on, std::string_view instruction) {
    switch (on) {
        case target::x86_64: return x86_64_cost(instruction);
        case target::aarch64:
        case target::aarch64_lse: return aarch64_cost(instruction);
        case target::riscv64: return riscv64_cost(instruction);
        case target::ppc64le: break;
    }
    return ppc64le_cost(instruction);
}

}  // namespace

int cost_of(target on, std::string_view text) {
    constexpr std::string_view between = "; ";
    int result = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(between), text.size());
        result += instruction_cost(on, text.substr(0, end));
        text.remove_prefix(std::min(end + between.size(), text.size()));
    }
    return result;
}

}  // namespace ordeal::detail
