// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/processors/target.hpp"
#include "ordeal/runtime/order.hpp"
#include "ordeal/runtime/site.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// The cost of one atomic operation in instructions. The instructions are clang's own, compiled for each target when
// ordeal was built; the cost is estimated from them. docs/reference/cost.md has both as tables. All functions are
// thread-safe.
namespace ordeal::detail {

enum class atomic_operation : std::uint8_t {
    load,
    store,
    exchange,
    fetch_add,
    fetch_sub,
    fetch_and,
    fetch_or,
    fetch_xor,
    compare_exchange_weak,
    compare_exchange_strong,
    fence,
};

inline constexpr std::array all_atomic_operations{atomic_operation::load,
                                                  atomic_operation::store,
                                                  atomic_operation::exchange,
                                                  atomic_operation::fetch_add,
                                                  atomic_operation::fetch_sub,
                                                  atomic_operation::fetch_and,
                                                  atomic_operation::fetch_or,
                                                  atomic_operation::fetch_xor,
                                                  atomic_operation::compare_exchange_weak,
                                                  atomic_operation::compare_exchange_strong,
                                                  atomic_operation::fence};

/// "fetch_add": the name in std::atomic.
[[nodiscard]] std::string_view to_string(atomic_operation value) noexcept;

/// The role of its order; of a compare-exchange that of the first order, success.
[[nodiscard]] role role_of(atomic_operation value) noexcept;

[[nodiscard]] constexpr bool is_compare_exchange(atomic_operation value) noexcept {
    return value == atomic_operation::compare_exchange_weak || value == atomic_operation::compare_exchange_strong;
}

/// Size of an atomic object if it is not known.
inline constexpr std::size_t usual_width = 8;

/// The instructions of an operation. Two orders need the same instructions if and only if these are equal.
struct instruction_sequence {
    /// "lwsync; std r, 0(r)": registers without their numbers, labels as `back` and `on`, no returns, no moves between
    /// registers. Empty: no instruction. Lives as long as the program.
    std::string_view text;
    /// The sum over the instructions, see cost_of(). Without unit, and not cycles: it says which of two orders of one
    /// operation is cheaper on a target, and whether by much.
    int cost = 0;

    bool operator==(const instruction_sequence&) const = default;
};

/// Its text, or "no instruction".
[[nodiscard]] std::string to_string(const instruction_sequence& value);

/// The targets whose instructions this build has: all, unless clang was missing or was built without some of them.
[[nodiscard]] std::span<const target> targets();

/// Why a target is not among targets(), as a sentence; empty if it is.
[[nodiscard]] std::string why_absent(target of);

/// The compiler of the operations: "clang 19.1.7". Empty if there was no clang.
[[nodiscard]] std::string_view instruction_compiler() noexcept;

/// The instructions of an operation on an object of 1, 2, 4 or 8 bytes; the width of a fence is ignored. `failure` is
/// used for a compare-exchange only. Nothing for an absent target, another width, or an order that the operation cannot
/// have.
[[nodiscard]] std::optional<instruction_sequence> instructions_of(target on, atomic_operation what, std::size_t width,
                                                                  order using_order, order failure = order::relaxed);

/// The cost of instructions in the form of instruction_sequence::text:
///
///   30  a full barrier: `mfence`, a locked instruction or `xchg` with memory, `dmb ish`, `fence rw, rw`, `sync`
///   10  a lighter one, which lets later loads pass earlier stores: `dmb ishld`, `fence` with fewer letters, `lwsync`,
///       `isync`
///    1  any other instruction, plus 1 each for its own acquire and release: `ldar`, `amoadd.d.aqrl`
///
/// An instruction in a loop counts once, and so does one in a branch that is not always taken. The classes are those of
/// the architecture manuals and of the mapping tables (Sevcik, Sewell, "C/C++11 mappings to processors"; RISC-V
/// unprivileged specification, appendix on RVWMO). The numbers only separate the classes: a full barrier waits until
/// stores have left the processor, which takes tens of cycles, while a cache hit takes few. They do not include
/// contention, which often costs more than either, nor differences between processors.
[[nodiscard]] int cost_of(target on, std::string_view text);

// The cost of a site with an order, its own or another: what an audit compares.
//
// A compare-exchange is two sites, and the pair of their orders determines its instructions: neither has instructions
// of its own. The functions with two orders are for compare-exchanges, and take either site; those with one order are
// for all others. Each function returns nothing for the wrong sort, for an order that the site cannot have, and for an
// operation that the tables lack.

/// The operation of the site in the terms of the tables: `test_and_set` is an exchange, `wait` is a load, and the
/// enclosing part of the library is ignored ("fetch_sub in std::shared_ptr"). Nothing for a site that is not atomic.
[[nodiscard]] std::optional<atomic_operation> operation_at(const site& where);

[[nodiscard]] std::optional<instruction_sequence> instructions_at(target on, const site& where, order using_order,
                                                                  std::size_t width = usual_width);
[[nodiscard]] std::optional<instruction_sequence> pair_instructions_at(target on, const site& where, order success,
                                                                       order failure, std::size_t width = usual_width);

/// The sum of the costs on all of targets(), with equal weight. Two assignments of orders to the same sites may be
/// compared by the sums over their sites: the lower one is likely to be the cheaper one. Nothing if there are no
/// targets.
[[nodiscard]] std::optional<int> operation_cost(const site& where, order using_order, std::size_t width = usual_width);
[[nodiscard]] std::optional<int> pair_cost(const site& where, order success, order failure,
                                           std::size_t width = usual_width);

// The tables that all of this is looked up in, which the build generates.

/// A function of operations.cpp, and its instructions as returned by functions_in().
struct instruction_row {
    std::string_view name;  ///< "compare_exchange_weak_8_acq_rel_acquire", "fence_seq_cst"
    std::string_view text;
};

/// The instructions of one target, or why this build lacks them.
struct instruction_table {
    std::string_view target;
    std::span<const instruction_row> rows;  ///< by name
    std::string_view absent_because;        ///< a clause; empty if there are rows
};

/// One for each target.
[[nodiscard]] std::span<const instruction_table> instruction_tables() noexcept;

}  // namespace ordeal::detail
