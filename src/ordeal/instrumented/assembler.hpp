// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ordeal {

/// Where in machine code a locked instruction or a fence begins that `from` or more bytes are before; the code's size: there is
/// none. Compilers make none in code on trial, where atomics are calls: it comes from assembler in the sources, or from
/// a library that was linked in. Knows x86-64, and of that what is not easily taken for something else: compare and exchange,
/// exchange and add, operations on bits, mfence and what is used in its place; not xchg.
[[nodiscard]] std::size_t find_atomic_instruction(std::span<const std::uint8_t> code, std::size_t from) noexcept;

/// What of the code on trial does atomically without the port being told, in words; empty: nothing known.
[[nodiscard]] std::string atomics_unseen();

}  // namespace ordeal
