// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <string_view>

namespace ordeal::detail {

/// A function of operations.cpp, and its instructions as functions_in() gives them.
struct instruction_row {
    std::string_view name;  ///< "compare_exchange_weak_8_acq_rel_acquire", "fence_seq_cst"
    std::string_view text;
};

/// The instructions of one target, or why this build does not have them.
struct instruction_table {
    std::string_view target;
    std::span<const instruction_row> rows;  ///< by name
    std::string_view absent_because;        ///< a clause; empty where there are rows
};

/// One for each target. Written by the build.
[[nodiscard]] std::span<const instruction_table> instruction_tables() noexcept;

/// "clang 19.1.7"; empty when there was none.
[[nodiscard]] std::string_view instruction_compiler() noexcept;

}  // namespace ordeal::detail
