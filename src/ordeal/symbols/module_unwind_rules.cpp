// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/symbols/module_debug_info.hpp"

#include <dwarf.h>

#include <cstdlib>
#include <memory>

namespace ordeal::detail {

namespace {

// Register numbers in unwind tables.
#if defined(__x86_64__)
constexpr int frame_register = 6;
constexpr int stack_register = 7;
constexpr int return_register = 16;
#elif defined(__aarch64__)
constexpr int frame_register = 29;
constexpr int stack_register = 31;
constexpr int return_register = 30;
#else
#error "ordeal: the numbers that this processor's registers have in unwind tables must be named here"
#endif

struct saved_register {
    enum class state : std::uint8_t { unknown, untouched, saved };
    state is = state::unknown;
    std::int32_t at = 0;  ///< relative to the caller's stack pointer
};

saved_register find_register(Dwarf_Frame* frame, int number) {
    Dwarf_Op memory[3];
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_frame_register(frame, number, memory, &operations, &count) != 0) return {};
    if (count == 0) {
        return {operations == nullptr ? saved_register::state::unknown : saved_register::state::untouched, 0};
    }
    if (operations[0].atom != DW_OP_call_frame_cfa || count > 2) return {};
    if (count == 1) return {saved_register::state::saved, 0};
    if (operations[1].atom != DW_OP_plus_uconst) return {};
    return {saved_register::state::saved, static_cast<std::int32_t>(operations[1].number)};
}

}  // namespace

unwind_rule module_debug_info::rule_at(std::uintptr_t address) {
    Dwarf_Frame* got = nullptr;
    if (tables_ == nullptr || dwarf_cfi_addrframe(tables_, address - where_.bias, &got) != 0) return {};
    const std::unique_ptr<Dwarf_Frame, decltype(&std::free)> frame(got, &std::free);
    const saved_register back = find_register(frame.get(), return_register);
    if (back.is != saved_register::state::saved) return {};
    const saved_register outer = find_register(frame.get(), frame_register);

    Dwarf_Op* base = nullptr;
    std::size_t count = 0;
    if (dwarf_frame_cfa(frame.get(), &base, &count) != 0 || count == 0) return {};
    unwind_rule rule;
    rule.saves_frame = outer.is == saved_register::state::saved;
    rule.saved_frame = outer.at;
    rule.saved_return = back.at;
    // A register and an offset; longer expressions are not supported.
    if (count != 1 || base[0].atom != DW_OP_bregx) return {};
    rule.offset = static_cast<std::int32_t>(base[0].number2);
    if (base[0].number == stack_register) rule.from = unwind_rule::base::stack;
    if (base[0].number == frame_register) rule.from = unwind_rule::base::frame;
    return rule;
}

}  // namespace ordeal::detail
