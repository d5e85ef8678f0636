// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::detail {

/// A function, and a position in its source.
struct source_frame {
    std::string function;  ///< bare name: "abandon"; empty if unknown
    std::string file;      ///< as sites have it; empty without debug information
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

/// The functions inlined at this code address, innermost first: each but the last was inlined into the next. Never
/// empty. For the call that returns to an address, pass the address before it.
///
/// The result is cached for good. One thread at a time; uses little of the caller's stack.
[[nodiscard]] const std::vector<source_frame>& source_frames_at(std::uintptr_t address);

/// Whether this code is of an object without debug information, in a module that has some: where that was stripped off,
/// nothing is known.
[[nodiscard]] bool is_without_debug_info(std::uintptr_t address);

/// Reads in advance what the module of this address will need first, for the benefit of processes forked from this one.
void read_debug_info_ahead(std::uintptr_t address);

struct named_global {
    std::string name;  ///< "hits", "detail::hits", "count()::calls"
    std::size_t offset = 0;
};

/// The global that contains this address. As above.
[[nodiscard]] std::optional<named_global> global_at(std::uintptr_t address);

/// How to unwind from a function to its caller, at a certain address.
struct unwind_rule {
    enum class base : std::uint8_t {
        none,          ///< unknown, or there is no caller
        stack,         ///< the stack pointer here + offset is the caller's
        frame,         ///< the frame pointer here + offset is the caller's stack pointer
        frame_record,  ///< the frame pointer points to the caller's and the return address; nothing else is known
    };
    base from = base::none;
    bool saves_frame = false;  ///< the caller's frame pointer is saved
    std::int32_t offset = 0;
    std::int32_t saved_frame = 0;   ///< where, relative to the caller's stack pointer
    std::int32_t saved_return = 0;  ///< the return address, likewise
};

/// From the unwind tables, which need no debug information. As above, but not cached.
[[nodiscard]] unwind_rule unwind_rule_at(std::uintptr_t address);

/// The source name of a symbol. C names stay as they are: `x` is a variable, though it is also the mangled `long long`.
[[nodiscard]] std::string readable_symbol(const char* symbol);

}  // namespace ordeal::detail
