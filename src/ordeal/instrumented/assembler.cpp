// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/assembler.hpp"

#include "ordeal/instrumented/debug_info.hpp"
#include "ordeal/instrumented/trial_modules.hpp"

#include <algorithm>
#include <array>

namespace ordeal {

namespace {

using machine_code = std::span<const std::uint8_t>;

constexpr std::size_t longest_pattern = 5;

// cmpxchg, xadd, bts, btr, btc, cmpxchg8b and 16b: the second byte of their operation codes.
constexpr std::array<std::uint8_t, 11> locked_operations{0xab, 0xb0, 0xb1, 0xb3, 0xba, 0xbb,
                                                         0xc0, 0xc1, 0xc7, 0xfe, 0xff};

bool names_memory(std::uint8_t mod_rm) noexcept { return mod_rm < 0xc0; }

// After the prefix `lock`.
bool is_locked_operation(machine_code code) noexcept {
    const std::size_t rex = (code[0] & 0xf0U) == 0x40 ? 1 : 0;
    if (code[rex] == 0x0f)
        return std::ranges::count(locked_operations, code[rex + 1]) != 0 && names_memory(code[rex + 2]);
    // An `or` or `add` of something to what is on top of the stack: a fence that is faster than mfence.
    const bool to_stack =
        code[rex + 1] == 0x0c || code[rex + 1] == 0x04 || code[rex + 1] == 0x4c || code[rex + 1] == 0x44;
    return code[rex] == 0x83 && to_stack && code[rex + 2] == 0x24;
}

bool begins_here(machine_code code) noexcept {
    if (code[0] == 0xf0) return is_locked_operation(code.subspan(1));
    return code[0] == 0x0f && code[1] == 0xae && code[2] == 0xf0;  // mfence
}

struct finding {
    std::uintptr_t first = 0;
    std::size_t count = 0;
};

void look_through(machine_code code, finding& found) {
    for (std::size_t at = find_atomic_instruction(code, 0); at < code.size();
         at = find_atomic_instruction(code, at + 1)) {
        if (found.count++ == 0) found.first = reinterpret_cast<std::uintptr_t>(code.data() + at);
    }
}

std::string place_in_words(std::uintptr_t address) {
    for (const source_frame& each : source_frames_at(address)) {
        if (!each.file.empty()) return each.function + " (" + each.file + ":" + std::to_string(each.line) + ")";
    }
    return "code without debug information";
}

}  // namespace

std::size_t find_atomic_instruction(std::span<const std::uint8_t> code, std::size_t from) noexcept {
#ifdef __x86_64__
    for (std::size_t at = from; at + longest_pattern <= code.size(); ++at) {
        if ((code[at] == 0xf0 || code[at] == 0x0f) && begins_here(code.subspan(at))) return at;
    }
#endif
    return code.size();
}

std::string atomics_unseen() {
    finding found;
    for_each_trial_module([&](const dl_phdr_info& module) {
        for (const ElfW(Phdr) & each : headers_of(module)) {
            if (each.p_type != PT_LOAD || (each.p_flags & PF_X) == 0) continue;
            look_through({reinterpret_cast<const std::uint8_t*>(module.dlpi_addr + each.p_vaddr), each.p_memsz}, found);
        }
    });
    if (found.count == 0) return {};
    std::string words = "atomic instructions that no compiler made are not seen, in " + place_in_words(found.first);
    if (found.count > 1) words += " and " + std::to_string(found.count - 1) + " more";
    return words;
}

}  // namespace ordeal
