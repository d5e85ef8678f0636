// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ordeal {

/// A function, and where in the source it had come to.
struct source_frame {
    std::string function;  ///< bare name: "abandon"; empty when it is not known
    std::string file;      ///< as sites have it; empty without debug information
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

/// The functions that the compiler has put together at this address of code, innermost first: each but the last was
/// inlined into the next. Never empty. For the call that returns to an address, ask for the address before that.
///
/// The result is remembered for good. One thread at a time; it takes little of the caller's stack.
[[nodiscard]] const std::vector<source_frame>& source_frames_at(std::uintptr_t address);

/// Reads now what the module of this address will be asked for first, for the processes that this one forks to have it.
void read_debug_info_ahead(std::uintptr_t address);

struct named_global {
    std::string name;  ///< "hits", "detail::hits", "count()::calls"
    std::size_t offset = 0;
};

/// The global that this address lies in. As above.
[[nodiscard]] std::optional<named_global> global_at(std::uintptr_t address);

/// How to go from a function to its caller, when it has come to a certain address.
struct unwind_rule {
    enum class base : std::uint8_t {
        none,          ///< nobody knows, or there is no caller
        stack,         ///< the stack pointer here + offset is that of the caller
        frame,         ///< the frame pointer here + offset is the stack pointer of the caller
        frame_record,  ///< the frame pointer points to the caller's and to the return address; no more is known
    };
    base from = base::none;
    bool saves_frame = false;  ///< it has saved the caller's frame pointer
    std::int32_t offset = 0;
    std::int32_t saved_frame = 0;   ///< where, relative to the stack pointer of the caller
    std::int32_t saved_return = 0;  ///< the return address, likewise
};

/// From the unwind tables, which need no debug information. As above, but not remembered.
[[nodiscard]] unwind_rule unwind_rule_at(std::uintptr_t address);

}  // namespace ordeal
