// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"
#include "ordeal/runtime/state/caller_state.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ordeal::detail {

/// A location in compiled code on trial. It is resolved to a site only on demand: site_of().
struct code_location {
    std::uintptr_t address = 0;      ///< return address of the call that the compiler put there
    std::uintptr_t frame = 0;        ///< frame pointer of the function called; valid during the call
    const char* operation = "read";  ///< as in traces; lives as long as the program
};

/// The code location of the calling function's call, made by code on trial.
[[nodiscard, gnu::always_inline]] inline code_location code_location_here(const char* operation) noexcept {
    return {reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),
            reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)), operation};
}

/// The origin of a call that may be part of a loop, with the state from which the loop would continue.
struct call_origin {
    caller_state caller;
    code_location at;
};

/// Must be called first in a function that only passes it on, as in caller_state.
[[nodiscard, gnu::always_inline]] inline call_origin call_origin_here(const char* operation) noexcept {
    return {caller_state::here(), code_location_here(operation)};
}

/// The beginning of an iteration of a loop in which a thread may wait for others, with what is live there: besides
/// memory and the frames of callers, the iteration depends on nothing else.
struct loop_header {
    std::uintptr_t loop = 0;                  ///< which of those in the frame
    std::uintptr_t frame = 0;                 ///< what lies above is callers'
    std::span<const std::uint64_t> values;    ///< all that are not in variables
    std::span<const memory_range> variables;  ///< in the frame
    bool enters = false;                      ///< the loop begins with this iteration
    bool changes_memory = false;              ///< the loop may write memory, or calls functions that may
};

/// Added to an address: the engine's own lock associated with it. Above every address.
inline constexpr std::uintptr_t companion_lock = std::uintptr_t{1} << 62;

/// The time limit of a wait on a condition variable.
struct wait_timeout {
    enum class kind : std::uint8_t {
        none,
        pending,  ///< may be reached at any moment, also after a notification
        expired,  ///< already reached: the wait returns at once, but still releases the mutex in between
    };
    kind when = kind::none;
    std::uint64_t distance = 0;  ///< from the thread's own time; part of its state
};

/// A mutex, semaphore or the like that library functions create and destroy.
struct synchroniser {
    memory_range where;
    const char* name;  ///< "mutex"; lives as long as the program
    object_kind kind = object_kind::mutex;
    memory_range count{};       ///< the atomic in it, if it has one
    std::uint64_t initial = 0;  ///< the initial value of the atomic
};

/// A latch or a barrier ([thread.coord]) whose arrivals are events.
struct coordination_object {
    memory_range where;      ///< of an atomic in it, which no operation on atomics uses
    std::uint64_t expected;  ///< arrivals in each phase
    bool has_phases;         ///< a barrier; otherwise it is used once
    site_id site;            ///< of the operation
};

/// How a futex wait ended.
enum class futex_wait_result : std::uint8_t {
    woken,
    changed,  ///< the word did not hold the expected value: the wait did not begin
    timed_out,
};

/// The runtime of the instrumented front end: `runtime` extended by what code does that was not written for a model.
/// Addresses are any of the code on trial: heap, stacks, globals. Lifetimes are implicit: an atomic or a lock begins
/// with the first operation on it, with the contents of memory, and ends when its bytes are written by a non-atomic
/// store or freed, or when the compiler plugin reports the end of its lifetime.
///
/// Thread safety, and calls that do not return: as in `runtime`.
class instrumented_runtime : public runtime {
public:
    /// Non-atomic accesses to bytes, checked for races with every other access, for freed memory, and on the heap for
    /// bytes that were never written.
    virtual void read_bytes(memory_range where, const code_location& at) = 0;
    virtual void write_bytes(memory_range where, const code_location& at) = 0;
    /// A read and a write that copies uninitialised bytes as such. Called before the bytes are moved.
    virtual void copy_bytes(std::uintptr_t to, memory_range from, const code_location& at) = 0;
    /// As read_bytes(), of at most 16 bytes that are only copied and may be uninitialised. Returns the uninitialised
    /// ones.
    [[nodiscard]] virtual std::uint32_t read_for_copy(memory_range where, const code_location& at) = 0;
    /// No accesses: which of at most 16 bytes are uninitialised, a bit for each; mark bytes so and all others
    /// initialised; do so for a copy; report the use of uninitialised bytes, which is a violation.
    [[nodiscard]] virtual std::uint32_t uninitialised_bytes(memory_range where) = 0;
    virtual void set_uninitialised(memory_range where, std::uint32_t without) = 0;
    virtual void copy_initialisation(std::uintptr_t to, memory_range from) = 0;
    virtual void use_uninitialised(memory_range where, const code_location& at) = 0;
    /// As read_bytes(), by code that uses each byte, whatever object it belongs to: each must be initialised.
    virtual void use_bytes(memory_range where, const code_location& at) = 0;
    /// Forgets all accesses to these bytes: they belong to something new, for a reason outside the model.
    virtual void forget_accesses(memory_range where) = 0;

    /// The lifetime of the object in these bytes ends without a write: a destructor has finished, or the scope of a
    /// variable. Conflicts with every access, as a write does. An atomic or a lock there no longer exists: threads
    /// other than the running one must not use it until its bytes are written again, which begins a new object.
    virtual void end_lifetime(memory_range where, const code_location& at) = 0;
    /// A variable in these bytes begins its scope, as if the running thread had allocated the memory. Unrelated to any
    /// earlier object at that address.
    virtual void begin_scope(memory_range where) = 0;
    /// Its scope ends: as end_lifetime(), and the bytes must not be used until another scope begins there.
    virtual void end_scope(memory_range where, const code_location& at) = 0;
    /// The same where scopes may begin unannounced: a non-atomic write of the running thread also begins one.
    virtual void end_storage(memory_range where, const code_location& at) = 0;

    /// As notify(), for a notification by address alone; after the object's lifetime it wakes nobody.
    virtual void notify_address(std::uintptr_t address, bool all, site_id site) = 0;

    /// As in `runtime`, on bytes: checked as non-atomic accesses are, and the first operation begins the object. What
    /// is written is also left in the bytes, for code that is not instrumented.
    [[nodiscard]] virtual std::uint64_t load_at(const call_origin& from, const atomic_access& access) = 0;
    virtual void store_at(const code_location& at, const atomic_access& access, std::uint64_t value) = 0;
    virtual std::uint64_t modify_at(const call_origin& from, const atomic_access& access, modification how,
                                    std::uint64_t operand) = 0;
    [[nodiscard]] virtual bool compare_exchange_at(const call_origin& from, const atomic_access& access, order failure,
                                                   site_id failure_site, bool weak, std::uint64_t& expected,
                                                   std::uint64_t desired) = 0;
    virtual void wait_at(const code_location& at, const atomic_access& access, std::uint64_t old) = 0;
    /// Whether arrivals at barriers and latches are events of their own, in no order; otherwise the caller counts them
    /// by an atomic. The same throughout an execution.
    [[nodiscard]] virtual bool arrivals_are_events() = 0;
    /// The code on trial may see an order of arrivals. Does not return if they are events.
    virtual void order_arrivals() = 0;
    /// `count` arrivals by the running thread. Ordering: release.
    virtual void arrive(const code_location& at, const coordination_object& where, std::uint64_t count) = 0;
    /// Waits until as many as expected have arrived in the phase of the running thread's last arrival. Acquires from
    /// all of them.
    virtual void await_arrivals(const code_location& at, const coordination_object& where) = 0;
    /// Whether another thread waits there for others, or need not have returned from there.
    [[nodiscard]] virtual bool some_are_within_call_at(const coordination_object& where) = 0;
    /// As in `runtime`, for a caller whose state was captured at the call in the code on trial.
    [[nodiscard]] virtual bool try_lock_for(const caller_state& caller, std::uintptr_t mutex, site_id site) = 0;

    /// Called for a function that creates or destroys a synchroniser: writes to all of it. It must not be created again
    /// before it is destroyed, nor used afterwards until another one is created there or the bytes are written.
    virtual void begin_synchroniser(const synchroniser& what, const code_location& at) = 0;
    virtual void end_synchroniser(const synchroniser& what, const code_location& at) = 0;

    /// Before the use of a mutex, a shared mutex, or a condition variable; begins it if there is none.
    virtual void touch_lock(memory_range where, const code_location& at) = 0;
    virtual void touch_condition(memory_range where, const code_location& at) = 0;
    /// Whether the running thread holds the mutex, or the shared mutex exclusively.
    [[nodiscard]] virtual bool holds(std::uintptr_t mutex) = 0;

    /// Whether the running thread holds the shared mutex as a reader.
    [[nodiscard]] virtual bool holds_shared(std::uintptr_t mutex) = 0;

    /// A shared mutex; lock(), try_lock() and unlock() of `runtime` lock it exclusively.
    virtual void lock_shared(std::uintptr_t mutex, site_id site) = 0;
    [[nodiscard]] virtual bool try_lock_shared_for(const caller_state& caller, std::uintptr_t mutex, site_id site) = 0;
    virtual void unlock_shared(std::uintptr_t mutex, site_id site) = 0;

    /// Condition variables ([thread.condition]): unlocks the mutex, waits for a notification or returns spuriously, and
    /// locks the mutex again. Returns whether the time limit has passed, notified or not.
    virtual bool condition_wait(const caller_state& caller, std::uintptr_t condition, std::uintptr_t mutex,
                                site_id site, const wait_timeout& limit) = 0;
    virtual void condition_notify(std::uintptr_t condition, bool all, site_id site) = 0;
    /// Before it is destroyed: waits until the threads that were notified have left it.
    virtual void condition_await_departures(std::uintptr_t condition) = 0;

    /// The running thread begins an iteration. If it began an earlier one in the same state, and has done nothing since
    /// that others could observe, it goes on only when something has changed.
    virtual void begin_iteration(const loop_header& header, const code_location& at) = 0;

    /// The system call futex. A wait compares the word and goes to sleep in one step; waits and wakes of one word are
    /// totally ordered, and a woken thread, or one that waits after a wake, sees in the word what was stored before the
    /// wake. They order nothing else ("man 2 futex").
    [[nodiscard]] virtual futex_wait_result futex_wait(const call_origin& from, memory_range word,
                                                       std::uint32_t expected, const wait_timeout& limit,
                                                       site_id site) = 0;
    /// Wakes up to `count` sleeping threads and returns how many; every such set is explored. The object at the address
    /// may no longer exist.
    virtual unsigned futex_wake(const caller_state& caller, std::uintptr_t word, unsigned count, site_id site) = 0;

    /// A semaphore is an atomic to which release adds. Takes 1 from it if it is not 0; otherwise blocks or fails.
    virtual void acquire_semaphore(const code_location& at, const atomic_access& access) = 0;
    [[nodiscard]] virtual bool try_acquire_semaphore(const call_origin& from, const atomic_access& access) = 0;

    /// How much time has passed, in nanoseconds, where it passes only when no thread can go on otherwise. Nothing: a
    /// time limit may come at any moment, and the caller keeps the clocks.
    [[nodiscard]] virtual std::optional<std::uint64_t> time_passed() const { return std::nullopt; }
    /// The running thread goes on when that has grown by so much. Called only where time_passed() has a value.
    virtual void sleep(std::uint64_t /*nanoseconds*/, site_id /*site*/) {}
    /// A wait of the running thread has timed out, other than in condition_wait.
    virtual void time_out(site_id site) = 0;

    /// Creates a thread that calls `body(argument)`, and returns its thread(). The creator's earlier operations happen
    /// before it.
    [[nodiscard]] virtual int create_thread(void (*body)(void*), void* argument, site_id site) = 0;
    /// Returns when that thread has finished; all of its operations happen before the return.
    virtual void join_thread(int thread, site_id site) = 0;
    /// The thread reads its own id, which may be reused after its end.
    virtual void note_own_id() = 0;

    /// A function on trial begins with a frame outside detail::usable_stack: a stack overflow. Returns if the frame is
    /// on a stack that the code on trial created itself.
    virtual void overflow_stack(const code_location& at) = 0;

    /// The running thread changes something of its own that is in no memory of the code on trial, as its signal mask.
    virtual void change_own_state() const = 0;

    /// Adds this limit to every verdict from now on, with the first site: for example a call of a function whose
    /// accesses are not checked. The execution continues.
    virtual void note_limit(std::string_view what, site_id site) = 0;

    /// How many atomic operations, fences and lock operations the running thread has made; and whether what another
    /// thread did directly after so many of its own happens before this point.
    [[nodiscard]] virtual std::uint32_t events() const noexcept = 0;
    [[nodiscard]] virtual bool happens_before_here(int thread, std::uint32_t events) const noexcept = 0;

    /// A fence that follows is assembler of the source.
    virtual void assume_fence() = 0;

    /// Ends the search with an inconclusive verdict: the code on trial uses something that this model lacks.
    [[noreturn]] virtual void refuse(std::string_view what, site_id site) = 0;
};

/// Memory divided into one part for each thread of the model, construction and finish() first. The size of a part is a
/// power of two.
struct memory_of_threads {
    memory_range all;
    std::size_t of_each = 0;
};

/// The runtime, while an execution of instrumented code runs; else null.
inline instrumented_runtime* active_instrumented_runtime = nullptr;
/// Where the running thread's functions on trial may have their frames.
inline memory_range usable_stack{0, static_cast<std::size_t>(-1)};

/// Whether a function with this frame address has left it.
[[nodiscard]] inline bool is_outside_usable_stack(std::uintptr_t frame) noexcept {
    return frame - usable_stack.address >= usable_stack.size;
}

}  // namespace ordeal::detail
