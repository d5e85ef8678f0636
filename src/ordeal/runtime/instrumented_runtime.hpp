// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"
#include "ordeal/runtime/state/caller_state.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ordeal {

/// A place in compiled code on trial. It gets a name only where somebody asks for one: site_of().
struct code_location {
    std::uintptr_t address = 0;      ///< return address of the call that the compiler put there
    std::uintptr_t frame = 0;        ///< frame pointer of the function called; valid during the call
    const char* operation = "read";  ///< as traces have it; lives as long as the program
};

/// The code location of the function that calls this: its own caller is the code on trial.
[[nodiscard, gnu::always_inline]] inline code_location code_location_here(const char* operation) noexcept {
    return {reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),
            reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)), operation};
}

/// Added to an address: the lock that belongs to what is there, and is none of the program's own. Above every address.
inline constexpr std::uintptr_t companion_lock = std::uintptr_t{1} << 62;

/// When a wait on a condition variable ends at the latest.
struct wait_timeout {
    enum class kind : std::uint8_t {
        none,
        pending,  ///< it may come at any moment, also when a notification has come
        expired,  ///< it has come already: the wait ends at once, and lets others have the mutex all the same
    };
    kind when = kind::none;
    std::uint64_t distance = 0;  ///< from the thread's own time; part of the state that it waits in
};

/// A mutex, a semaphore or the like that functions of a library make and destroy.
struct synchroniser {
    memory_range where;
    const char* name;  ///< "mutex"; lives as long as the program
    object_kind kind = object_kind::mutex;
    memory_range count{};       ///< where it is an atomic: that
    std::uint64_t initial = 0;  ///< what the atomic begins with
};

/// How a wait on a futex ended.
enum class futex_wait_result : std::uint8_t {
    woken,
    changed,  ///< the word did not hold what was expected: it did not begin
    timed_out,
};

/// The runtime of the instrumented front end: `runtime`, and what code does that nobody wrote for a model. Addresses are any
/// of the code on trial: heap, stacks, globals. Objects need not begin or end their lives: an atomic or a lock begins with
/// the first operation on it, with what is in memory there, and ends when its bytes are written by a plain store or freed, or
/// when the compiler's plugin has seen the end of its life.
///
/// Thread safety, and calls that do not return: as `runtime`.
class instrumented_runtime : public runtime {
public:
    /// Plain accesses to bytes, checked for races with every other access to them, for freed memory, and on the heap for
    /// bytes that were never written.
    virtual void read_bytes(memory_range where, const code_location& at) = 0;
    virtual void write_bytes(memory_range where, const code_location& at) = 0;
    /// A read and a write; what was never written stays so. Before the bytes are moved.
    virtual void copy_bytes(std::uintptr_t to, memory_range from, const code_location& at) = 0;
    /// As read_bytes(), of at most 16 bytes that are only copied, which need have no value. Returns those that have none.
    [[nodiscard]] virtual std::uint32_t read_for_copy(memory_range where, const code_location& at) = 0;
    /// No access: which of at most 16 bytes have no value, a bit for each; that others than those have one; the same of a copy;
    /// that somebody uses what has none, which is a violation.
    [[nodiscard]] virtual std::uint32_t uninitialised_bytes(memory_range where) = 0;
    virtual void set_uninitialised(memory_range where, std::uint32_t without) = 0;
    virtual void copy_initialisation(std::uintptr_t to, memory_range from) = 0;
    virtual void use_uninitialised(memory_range where, const code_location& at) = 0;
    /// As read_bytes(), by what looks at each byte, whatever it is part of: each needs a value.
    virtual void use_bytes(memory_range where, const code_location& at) = 0;
    /// Forgets who accessed these bytes: they belong to something new, for a reason that the model does not see.
    virtual void forget_accesses(memory_range where) = 0;

    /// The life of what is in these bytes ends here, though nobody writes them: a destructor has come to its end, or the scope
    /// of a variable. That conflicts with every access, as a write does. An atomic or a lock there is no more: others than
    /// the running thread must not use it until its bytes are written again. Whoever writes them makes something new.
    virtual void end_lifetime(memory_range where, const code_location& at) = 0;
    /// These bytes are a variable whose scope begins: memory that the running thread has allocated. Whatever ended there has
    /// nothing to do with it.
    virtual void begin_scope(memory_range where) = 0;
    /// Its scope ends: as end_lifetime(), and from now on nobody must use the bytes before another scope begins there.
    virtual void end_scope(memory_range where, const code_location& at) = 0;
    /// The same, where not every scope is told to begin: the running thread begins one too by a plain write.
    virtual void end_storage(memory_range where, const code_location& at) = 0;

    /// An atomic operation on an object is about to be made; 1, 2, 4, 8 or 16 bytes. `writes`: it stores in any case, as a
    /// compare-exchange does not. It begins the object where there is none.
    virtual void touch_atomic(memory_range where, bool writes, const code_location& at) = 0;

    /// As notify(), for what uses the address alone, and may come when the object has ended: that wakes nobody.
    virtual void notify_address(std::uintptr_t address, bool all, site_id site) = 0;

    /// As in `runtime`, for a caller whose state was captured where the code on trial made its call.
    [[nodiscard]] virtual std::uint64_t load_for(const caller_state& caller, const atomic_access& access) = 0;
    virtual std::uint64_t modify_for(const caller_state& caller, const atomic_access& access, modification how,
                                     std::uint64_t operand) = 0;
    [[nodiscard]] virtual bool compare_exchange_for(const caller_state& caller, const atomic_access& access,
                                                    order failure, site_id failure_site, bool weak,
                                                    std::uint64_t& expected, std::uint64_t desired) = 0;
    [[nodiscard]] virtual bool try_lock_for(const caller_state& caller, std::uintptr_t mutex, site_id site) = 0;

    /// A function that makes a synchroniser is called, or one that destroys it: writes to all of it. From the one to the
    /// other it must not be made again, and from then on not be used before somebody makes another one there, or writes there.
    virtual void begin_synchroniser(const synchroniser& what, const code_location& at) = 0;
    virtual void end_synchroniser(const synchroniser& what, const code_location& at) = 0;

    /// A mutex, a reader-writer lock, or a condition variable is about to be used: begins it where there is none.
    virtual void touch_lock(memory_range where, const code_location& at) = 0;
    virtual void touch_condition(memory_range where, const code_location& at) = 0;
    /// Whether the running thread holds the mutex, or the reader-writer lock as its writer.
    [[nodiscard]] virtual bool holds(std::uintptr_t mutex) = 0;

    /// Whether it holds the reader-writer lock as a reader.
    [[nodiscard]] virtual bool holds_shared(std::uintptr_t mutex) = 0;

    /// A reader-writer lock; lock(), try_lock() and unlock() of `runtime` are its writer's.
    virtual void lock_shared(std::uintptr_t mutex, site_id site) = 0;
    [[nodiscard]] virtual bool try_lock_shared_for(const caller_state& caller, std::uintptr_t mutex, site_id site) = 0;
    virtual void unlock_shared(std::uintptr_t mutex, site_id site) = 0;

    /// Condition variables ([thread.condition]): waits, with the mutex unlocked, for a notification or for nothing at all
    /// (a spurious wake-up), and locks the mutex again. Returns whether the limit has come: notified or not.
    virtual bool condition_wait(const caller_state& caller, std::uintptr_t condition, std::uintptr_t mutex,
                                site_id site, const wait_timeout& limit) = 0;
    virtual void condition_notify(std::uintptr_t condition, bool all, site_id site) = 0;

    /// The system call futex, on a word that touch_atomic() has made known. A wait compares what the word holds and goes to
    /// sleep in one step; waits and wakes of one word have one order, and who is woken, or who waits after a wake, finds in
    /// the word what was stored before that. For anything else they order nothing ("man 2 futex").
    [[nodiscard]] virtual futex_wait_result futex_wait(const caller_state& caller, memory_range word,
                                                       std::uint32_t expected, const wait_timeout& limit,
                                                       site_id site) = 0;
    /// Wakes up to `count` of those who sleep now, all such sets of them being explored; returns how many. What was at the
    /// address may have ended.
    virtual unsigned futex_wake(const caller_state& caller, std::uintptr_t word, unsigned count, site_id site) = 0;

    /// A semaphore is an atomic: its release adds to it. Takes 1 away when it is not 0, and until then blocks or fails.
    virtual void acquire_semaphore(const atomic_access& access) = 0;
    [[nodiscard]] virtual bool try_acquire_semaphore(const caller_state& caller, const atomic_access& access) = 0;

    /// A wait of the running thread has come to its limit; those of condition_wait are not meant.
    virtual void time_out(site_id site) = 0;

    /// Creates a thread that calls `body(argument)`; returns its thread(). What came before in the creator happens
    /// before it.
    [[nodiscard]] virtual int create_thread(void (*body)(void*), void* argument, site_id site) = 0;
    /// Returns when that thread is over; all it did happens before what follows.
    virtual void join_thread(int thread, site_id site) = 0;
    /// The thread asks for its own id, which another one may have after its end.
    virtual void note_own_id() = 0;

    /// A function on trial begins whose frame is not on detail::usable_stack: the thread's stack is used up. Returns where
    /// the frame is on a stack that the code on trial has made itself.
    virtual void overflow_stack(const code_location& at) = 0;

    /// Every verdict on what was searched names this limit from now on, with one place where it was met: the call of a
    /// function, say, whose accesses nobody sees. The execution goes on.
    virtual void note_limit(std::string_view what, site_id site) = 0;

    /// Ends the search: the code on trial uses what this model does not have. The verdict is inconclusive, and says so.
    [[noreturn]] virtual void refuse(std::string_view what, site_id site) = 0;
};

/// Memory of which each thread of the model has a part of its own, that of construction and finish first. The size of a
/// part is a power of two.
struct memory_of_threads {
    memory_range all;
    std::size_t of_each = 0;
};

namespace detail {

/// The runtime, while an execution of instrumented code runs; else null.
inline instrumented_runtime* active_instrumented_runtime = nullptr;
/// Where functions on trial may have their frames while the running thread runs.
inline memory_range usable_stack{0, static_cast<std::size_t>(-1)};

/// Whether a function with this frame address has left it.
[[nodiscard]] inline bool is_outside_usable_stack(std::uintptr_t frame) noexcept {
    return frame - usable_stack.address >= usable_stack.size;
}

}  // namespace detail

}  // namespace ordeal
