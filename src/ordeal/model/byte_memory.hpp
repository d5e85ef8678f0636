// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/model/caller_state.hpp"
#include "ordeal/model/memory.hpp"
#include "ordeal/model/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal {

/// A place in compiled code on trial. It gets a name only where somebody asks for one: site_of().
struct code_point {
    std::uintptr_t address = 0;      ///< return address of the call that the compiler put there
    std::uintptr_t frame = 0;        ///< frame pointer of the function called; valid during the call
    const char* operation = "read";  ///< as traces have it; lives as long as the program
};

/// The port of the instrumented front end: `memory`, and what code does that nobody wrote for a model. Addresses are any
/// of the code on trial: heap, stacks, globals. Objects need not begin or end their lives: an atomic or a lock begins with
/// the first operation on it, with what is in memory there, and ends when its bytes are written by a plain store or freed.
///
/// Thread safety, and calls that do not return: as `memory`.
class byte_memory : public memory {
public:
    /// Plain accesses to bytes, checked for races with every other access to them, for freed memory, and on the heap for
    /// bytes that were never written.
    virtual void read_bytes(memory_range where, const code_point& at) = 0;
    virtual void write_bytes(memory_range where, const code_point& at) = 0;
    /// A read and a write; what was never written stays so. Before the bytes are moved.
    virtual void copy_bytes(std::uintptr_t to, memory_range from, const code_point& at) = 0;
    /// Forgets who accessed these bytes: they belong to something new, for a reason that the model does not see.
    virtual void fresh_bytes(memory_range where) = 0;

    /// An atomic operation on an object is about to be made; 1, 2, 4 or 8 bytes. `writes`: it stores in any case, as a
    /// compare-exchange does not. It begins the object where there is none.
    virtual void touch_atomic(memory_range where, bool writes, const code_point& at) = 0;

    /// As in `memory`, for a caller whose state was captured where the code on trial made its call.
    [[nodiscard]] virtual std::uint64_t load_for(const caller_state& caller, const atomic_access& access) = 0;
    virtual std::uint64_t modify_for(const caller_state& caller, const atomic_access& access, modification how,
                                     std::uint64_t operand) = 0;
    [[nodiscard]] virtual bool compare_exchange_for(const caller_state& caller, const atomic_access& access,
                                                    order failure, site_id failure_site, bool weak,
                                                    std::uint64_t& expected, std::uint64_t desired) = 0;
    [[nodiscard]] virtual bool try_lock_for(const caller_state& caller, std::uintptr_t mutex, site_id site) = 0;

    /// A mutex, a reader-writer lock, or a condition variable is about to be used: begins it where there is none.
    virtual void touch_lock(memory_range where, const code_point& at) = 0;
    virtual void touch_condition(memory_range where, const code_point& at) = 0;
    /// Whether the running thread holds the mutex, or the reader-writer lock as its writer.
    [[nodiscard]] virtual bool holds(std::uintptr_t mutex) = 0;

    /// A reader-writer lock; lock(), try_lock() and unlock() of `memory` are its writer's.
    virtual void lock_shared(std::uintptr_t mutex, site_id site) = 0;
    [[nodiscard]] virtual bool try_lock_shared_for(const caller_state& caller, std::uintptr_t mutex, site_id site) = 0;
    virtual void unlock_shared(std::uintptr_t mutex, site_id site) = 0;

    /// Condition variables ([thread.condition]): waits, with the mutex unlocked, for a notification or for nothing at all
    /// (a spurious wake-up), and locks the mutex again.
    virtual void condition_wait(const caller_state& caller, std::uintptr_t condition, std::uintptr_t mutex,
                                site_id site) = 0;
    virtual void condition_notify(std::uintptr_t condition, bool all, site_id site) = 0;

    /// Creates a thread that calls `body(argument)`; returns its thread(). What came before in the creator happens
    /// before it.
    [[nodiscard]] virtual int create_thread(void (*body)(void*), void* argument, site_id site) = 0;
    /// Returns when that thread is over; all it did happens before what follows.
    virtual void join_thread(int thread, site_id site) = 0;

    /// Ends the search: the code on trial uses what this model does not have. The verdict is inconclusive, and says so.
    [[noreturn]] virtual void refuse(std::string_view what, site_id site) = 0;
};

/// What a program with instrumented code installs for the engine.
struct instrumented_support {
    /// The site of a plain access, a lock, a call; with a frame outside the standard library where there is one.
    site_id (*site_of)(const code_point& at) = nullptr;
    /// Before the first execution of a search: globals are from now on as they are.
    void (*begin_search)() = nullptr;
    /// Before each execution: globals as they were then.
    void (*begin_execution)() = nullptr;
    /// After the last thread and finish(): what runs at exit. On the fiber of construction and finish.
    void (*finish_execution)() = nullptr;
    /// When a thread of the model is over, on its fiber.
    void (*finish_thread)() = nullptr;
    /// Where globals and thread-local variables may hold other values than at the beginning of the search.
    std::vector<memory_range> (*written_globals)() = nullptr;
    /// A hash of all globals and thread-local variables, as they are now.
    std::uint64_t (*fingerprint)() = nullptr;
    /// Whether a change to this address is seen by `fingerprint`.
    bool (*compared)(std::uintptr_t address) = nullptr;
    /// Whether memory was allocated by a constructor of a global on trial, and goes with that.
    bool (*constructed)(const void* block) = nullptr;
    /// An invalid access: whether it was the first write to a page of globals, and may be made again.
    bool (*handle_fault)(std::uintptr_t address) = nullptr;
    /// Whether an address is in the globals of a library, or of the harness: std::cout, say. What is done to those is not
    /// on trial.
    bool (*foreign)(std::uintptr_t address) = nullptr;
    /// Whether an address is in memory that is neither on trial nor in a module: some library allocated it.
    bool (*unknown)(std::uintptr_t address) = nullptr;
    /// "hits" for an address in a global of that name; empty when it is in none.
    std::string (*name_of)(std::uintptr_t address) = nullptr;
    /// The functions on trial that the running thread has called, innermost first.
    std::vector<call_frame> (*call_stack)() = nullptr;
};

namespace detail {

inline instrumented_support instrumented;
/// The port, while an execution of instrumented code runs; else null.
inline byte_memory* active_bytes = nullptr;

}  // namespace detail

/// Installed before main by the instrumented front end; without it there is no instrumented code in this program.
[[nodiscard]] inline instrumented_support& instrumented() noexcept { return detail::instrumented; }

}  // namespace ordeal
