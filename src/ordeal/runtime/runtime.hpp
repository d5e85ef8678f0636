// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/moment.hpp"
#include "ordeal/runtime/order.hpp"
#include "ordeal/runtime/site.hpp"
#include "ordeal/runtime/violation.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ordeal {

/// The most threads in an execution: those of the scenario, and those that they create.
inline constexpr std::size_t most_threads = 71;
/// The size of per-thread tables: construction and finish() come first.
inline constexpr std::size_t thread_slots = most_threads + 1;

/// Bytes of the code on trial.
struct memory_range {
    std::uintptr_t address = 0;
    std::size_t size = 0;
};

/// How a read-modify-write computes its new value from the old one and the operand, modulo the size of the object.
enum class modification : std::uint8_t { exchange, add, subtract, bit_and, bit_or, bit_xor, bit_nand };

/// An atomic operation, a fence or a lock operation; each may hand control to another thread of the model.
struct atomic_access {
    constexpr atomic_access(memory_range object, order with, site_id at) noexcept
        : where(object), using_order(with), site(at) {}

    memory_range where;  ///< 1, 2, 4, 8 or 16 bytes, the object's
    order using_order;
    bool result_unused = false;   ///< known of some read-modify-writes
    std::uint8_t unused[2] = {};  ///< no padding: an engine may compare the stack that this lies on
    site_id site;
};

/// The kind of an object whose lifetime begins.
enum class object_kind : std::uint8_t { atomic, cell, mutex, frame, condition };

[[nodiscard]] constexpr std::string_view to_string(object_kind value) noexcept {
    constexpr std::array<std::string_view, 5> names{"atomic", "cell", "mutex", "frame", "condition variable"};
    return names[static_cast<std::size_t>(value)];
}

/// The runtime: what a front end calls and an engine implements. It knows no policy, no compiler and no other engine.
///
/// Values are passed as the low bytes of a 64-bit word; those of 16 bytes as a number (word.hpp). Every call happens on
/// the fiber or thread of one model thread. A call may not return: an engine that has found a violation leaves the
/// execution without unwinding.
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
    /// `access` has the order and site of success. Returns whether it stored; otherwise `expected` becomes the value
    /// read.
    [[nodiscard]] virtual bool compare_exchange(const atomic_access& access, order failure, site_id failure_site,
                                                bool weak, std::uint64_t& expected, std::uint64_t desired) = 0;
    virtual void fence(order using_order, site_id site) = 0;

    /// Blocks while the object holds `old`; returns when it has read another value, with the given order
    /// ([atomics.wait]). A notification itself synchronises with nothing.
    virtual void wait(const atomic_access& access, std::uint64_t old) = 0;
    /// A violation if the atomic's lifetime has ended; otherwise no access to the object.
    virtual void notify(memory_range where, bool all, site_id site) = 0;

    virtual void lock(std::uintptr_t mutex, site_id site) = 0;
    [[nodiscard]] virtual bool try_lock(std::uintptr_t mutex, site_id site) = 0;
    virtual void unlock(std::uintptr_t mutex, site_id site) = 0;

    /// Non-atomic accesses. `read` of an object that was never written is an uninitialised read.
    virtual void read(memory_range where, site_id site) = 0;
    virtual void write(memory_range where, site_id site) = 0;

    /// Begin and end an object's lifetime, which writes to it. `initial` is an atomic's value; for a cell, whether it
    /// begins initialised.
    virtual void begin_life(memory_range where, object_kind kind, std::uint64_t initial, site_id site) = 0;
    virtual void end_life(memory_range where, site_id site) = 0;

    /// The freed block that the heap shall hand out again, of this size class and alignment; 0: none.
    [[nodiscard]] virtual std::uintptr_t freed_before(std::size_t /*size*/, std::size_t /*alignment*/) { return 0; }

    /// The heap reports blocks handed out and taken back; freeing is a write to all objects in the range.
    virtual void allocated(memory_range block) = 0;
    virtual void freed(memory_range block) = 0;

    /// The running thread is about to throw an exception.
    virtual void throws() {}
    /// It has destroyed the exception that was in these bytes.
    virtual void exception_freed(memory_range /*exception*/) {}

    /// A scheduling point at which the scheduler is asked to prefer another thread.
    virtual void yield(site_id site) = 0;

    /// Ends the execution with a violation. `about`: the bytes that it is about, if any.
    [[noreturn]] virtual void fail(violation_kind kind, std::string_view message, site_id site,
                                   memory_range about = {}) = 0;

    /// Ends the execution as of no interest: an assumption does not hold.
    [[noreturn]] virtual void end_by_assumption(site_id site) = 0;

    /// Where the running thread is, and what happens before what: see ordeal::happens_before(), of which the default is
    /// the weakest answer.
    [[nodiscard]] virtual moment now() noexcept { return {.thread = thread(), .events = 0}; }
    [[nodiscard]] virtual bool happens_before(const moment& earlier, const moment& later) const noexcept {
        return earlier.thread == later.thread && earlier.events < later.events;
    }

    /// The running model thread; -1 during construction, finish() and destruction of the scenario.
    [[nodiscard]] virtual int thread() const noexcept = 0;
};

/// The running thread's index among `thread_slots`.
[[nodiscard]] inline std::size_t thread_slot(const runtime& runtime) noexcept {
    return static_cast<std::size_t>(runtime.thread() + 1);
}

}  // namespace ordeal
