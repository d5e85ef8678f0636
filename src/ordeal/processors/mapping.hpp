// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/processors/target.hpp"
#include "ordeal/runtime/order.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ordeal::detail::processors {

/// What an operation of the source is. A non-atomic access is a relaxed load or store.
enum class operation : std::uint8_t {
    load,
    store,
    exchange,                 ///< and the fetch operations: one instruction where there is one
    compare_exchange,         ///< that succeeds
    failed_compare_exchange,  ///< with the order of failure
    fence,
    library_release,  ///< what a library does for others, such as to unlock: a store that releases, and no more
    library_acquire,  ///< what it does for that, such as to lock: a load that acquires
};

[[nodiscard]] constexpr bool is_read_modify_write(operation what) noexcept {
    return what == operation::exchange || what == operation::compare_exchange;
}
[[nodiscard]] constexpr bool reads(operation what) noexcept {
    return is_read_modify_write(what) || what == operation::load || what == operation::failed_compare_exchange ||
           what == operation::library_acquire;
}
[[nodiscard]] constexpr bool writes(operation what) noexcept {
    return is_read_modify_write(what) || what == operation::store || what == operation::library_release;
}

/// An operation of an execution. Those of one thread are in program order.
struct source_event {
    int thread = 0;
    operation what = operation::load;
    order using_order = order::relaxed;
    std::size_t size = 8;                     ///< bytes; not of a fence
    std::size_t location = 0;                 ///< likewise
    std::optional<std::size_t> reads_from{};  ///< which operation wrote what it reads; nothing: the initial value
    std::size_t coherence = 0;                ///< of what writes: its position among the writes to the location, from 1
    bool certified = false;  ///< of what reads: the later writes of its thread that others read do not depend on it
};

/// Instructions that order others.
enum class barrier : std::uint8_t {
    none,
    mfence,       ///< and the `lock` of a locked instruction, before and after it
    dmb_ish,      ///< AArch64
    dmb_ishld,    ///< AArch64
    fence_r_rw,   ///< RISC-V
    fence_rw_w,   ///< RISC-V
    fence_rw_rw,  ///< RISC-V
    fence_tso,    ///< RISC-V
    lwsync,       ///< POWER
    sync,         ///< POWER
    isync,        ///< POWER: behind a branch that depends on the load directly before
};

/// What a processor executes: an access to memory, or a barrier.
struct machine_event {
    int thread = 0;
    barrier kind = barrier::none;
    bool reads = false;
    bool writes = false;              ///< with `reads`: one indivisible access
    bool acquire = false;             ///< ldar, ldaxr, ldadda; .aq
    bool release = false;             ///< stlr, stlxr, ldaddl; .rl
    bool atomic_instruction = false;  ///< half of a read-modify-write that is one instruction: LSE, an AMO
    bool rmw = false;                 ///< a write whose read is directly before it
    std::size_t location = 0;
    std::optional<std::size_t> reads_from{};  ///< the machine event
    std::size_t coherence = 0;
    bool certified = false;  ///< as in source_event

    [[nodiscard]] bool accesses() const noexcept { return reads || writes; }
};

/// The instructions that clang makes of the operations for the target, as reference-data/instructions.md has them. A
/// failed compare-exchange has those that its order of failure alone needs.
[[nodiscard]] std::vector<machine_event> compile(target which, const std::vector<source_event>& source);

}  // namespace ordeal::detail::processors
