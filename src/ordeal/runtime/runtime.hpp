// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/order.hpp"
#include "ordeal/runtime/site.hpp"
#include "ordeal/runtime/violation.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ordeal {

/// How many threads an execution can have: those of the scenario, and those that they create.
inline constexpr std::size_t most_threads = 31;
/// For what is kept for each of them: that of construction and finish() comes first.
inline constexpr std::size_t thread_slots = most_threads + 1;

/// Bytes of the code on trial.
struct memory_range {
    std::uintptr_t address = 0;
    std::size_t size = 0;
};

/// How a read-modify-write makes its new value of the old one and the operand, modulo the size of the object.
enum class modification : std::uint8_t { exchange, add, subtract, bit_and, bit_or, bit_xor, bit_nand };

/// An atomic operation, a fence or a lock operation; each may hand control to another thread of the model.
struct atomic_access {
    constexpr atomic_access(memory_range object, order with, site_id at) noexcept
        : where(object), using_order(with), site(at) {}

    memory_range where;  ///< 1, 2, 4, 8 or 16 bytes, the object's
    order using_order;
    std::uint8_t unused[3] = {};  ///< no padding: an engine may compare the stack that this lies on
    site_id site;
};

/// What kind of object begins its life.
enum class object_kind : std::uint8_t { atomic, cell, mutex, frame, condition };

/// The runtime: what a front end calls and an engine implements. It knows no policy, no compiler and no other engine.
///
/// Values travel as the low bytes of a 64-bit word; those of 16 bytes as a number (word.hpp). Every call happens on the fiber or
/// thread of one model thread.
/// A call may not return: when the engine has found a violation it leaves the execution, without unwinding.
class runtime {
public:
    runtime() = default;
    runtime(const runtime&) = delete;
    runtime& operator=(const runtime&) = delete;
    virtual ~runtime() = default;

    [[nodiscard]] virtual std::uint64_t load(const atomic_access& access) = 0;
    virtual void store(const atomic_access& access, std::uint64_t value) = 0;
    /// Returns the value before.
    virtual std::uint64_t modify(const atomic_access& access, modification how, std::uint64_t operand) = 0;
    /// `access` carries the order and site of success. Returns whether it stored; else `expected` is what it saw.
    [[nodiscard]] virtual bool compare_exchange(const atomic_access& access, order failure, site_id failure_site,
                                                bool weak, std::uint64_t& expected, std::uint64_t desired) = 0;
    virtual void fence(order using_order, site_id site) = 0;

    /// Blocks while the object holds `old`; returns when it has seen another value, with the given order
    /// ([atomics.wait]). A notification by itself orders nothing.
    virtual void wait(const atomic_access& access, std::uint64_t old) = 0;
    /// Of an atomic that has ended it is a violation; it is no access to the object in any other way.
    virtual void notify(memory_range where, bool all, site_id site) = 0;

    virtual void lock(std::uintptr_t mutex, site_id site) = 0;
    [[nodiscard]] virtual bool try_lock(std::uintptr_t mutex, site_id site) = 0;
    virtual void unlock(std::uintptr_t mutex, site_id site) = 0;

    /// Plain accesses. `read` of an object that nobody has written is an uninitialised read.
    virtual void read(memory_range where, site_id site) = 0;
    virtual void write(memory_range where, site_id site) = 0;

    /// An object begins or ends its life: a write to it. `initial` is an atomic's value; for a cell it says whether
    /// it begins initialised.
    virtual void begin_life(memory_range where, object_kind kind, std::uint64_t initial, site_id site) = 0;
    virtual void end_life(memory_range where, site_id site) = 0;

    /// The heap asks which block that was freed it shall hand out again, of this size class and aligned so; 0: none.
    [[nodiscard]] virtual std::uintptr_t freed_before(std::size_t /*size*/, std::size_t /*alignment*/) { return 0; }

    /// The heap tells what it handed out and took back; freeing is a write to all objects in the range.
    virtual void allocated(memory_range block) = 0;
    virtual void freed(memory_range block) = 0;

    /// Another thread may run, and the scheduler is asked to prefer that.
    virtual void yield(site_id site) = 0;

    /// Ends the execution with a violation.
    /// `about`: the bytes that it is about, if there are any.
    [[noreturn]] virtual void fail(violation_kind kind, std::string_view message, site_id site,
                                   memory_range about = {}) = 0;

    /// The model thread that runs now; -1 during construction, finish() and destruction of the scenario.
    [[nodiscard]] virtual int thread() const noexcept = 0;
};

/// Which of the `thread_slots` belongs to the running thread.
[[nodiscard]] inline std::size_t thread_slot(const runtime& runtime) noexcept {
    return static_cast<std::size_t>(runtime.thread() + 1);
}

}  // namespace ordeal
