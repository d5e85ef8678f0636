// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/order.hpp"
#include "ordeal/runtime/site.hpp"

#include <cstddef>
#include <cstdint>

// The part of Relacy that the engine uses, in types of our own. kernel.cpp is the only translation unit that includes
// Relacy: its headers define `new`, `delete`, `free` and more as macros and bring inline operators new and delete that
// count every allocation as the test's. So no memory that one side allocates and the other frees crosses this
// interface.
namespace ordeal::detail::relacy {

/// The value of an atomic with the step of its write; compares by value.
struct stored_value {
    std::uint64_t value = 0;
    std::uint32_t step = 0;  ///< of the write, in the execution
    site_id site = no_site;
    std::int16_t thread = -1;
    std::uint8_t size = 8;
    std::uint8_t how = 0;  ///< a `modification`, if the word is an operand
};

/// How an execution ended, if Relacy itself ended it.
enum class ending : std::uint8_t { finished, failed, deadlock, livelock, lock_misuse, other };

/// Called by a run, on the fiber concerned.
class program {
public:
    virtual void begin() = 0;          ///< before all threads
    virtual void run(int thread) = 0;  ///< the body of one thread; must not throw
    virtual void end() = 0;            ///< after all threads
    virtual bool stop() = 0;           ///< between executions: whether to end the search early

protected:
    ~program() = default;
};

inline constexpr std::size_t max_threads = 8;  ///< Relacy is compiled once for each number
inline constexpr unsigned unbounded = ~0u;
inline constexpr std::size_t max_choices = 1 << 16;

struct run_options {
    int threads = 1;
    unsigned preemptions = unbounded;
    bool random = false;
    std::uint64_t seed = 0;
    std::uint64_t random_executions = 0;
    const std::uint8_t* replay = nullptr;  ///< choices of the execution to run; null: search
    std::size_t replay_size = 0;
    unsigned step_limit = 10'000;  ///< operations in an execution
};

struct run_result {
    ending how = ending::finished;
    std::uint64_t executions = 0;
    bool stopped = false;   ///< program::stop() said so
    bool bounded = false;   ///< the preemption bound kept some thread from running
    bool diverged = false;  ///< two runs of the same prefix offered different choices, or a replay did not fit
    const std::uint8_t* choices = nullptr;  ///< of the last execution; valid until the next run
    std::size_t choices_size = 0;
};

/// Searches until done, stopped, or an execution fails. One at a time in a process.
run_result run(program& what, const run_options& how);

// Everything below is called from within an execution.

/// Identifies the operation at a scheduling point; equal prefixes must announce equal numbers.
void announce(std::uint32_t signature) noexcept;

[[nodiscard]] int current_thread() noexcept;

/// Ends the execution; does not return.
[[noreturn]] void fail() noexcept;

/// Chooses one of `count` alternatives, each of which is explored.
[[nodiscard]] unsigned choose(unsigned count);

/// A scheduling point.
void schedule();
void yield();
/// Blocks the current thread until `unpark`, without a scheduling point before it blocks.
void park();
void unpark(int thread);

/// Copies the happens-before clock of the current thread; returns the number of entries.
std::size_t clock(std::uint64_t* entries, std::size_t capacity) noexcept;

// Atomics and mutexes. No operation is a scheduling point by itself, except a mutex_lock that has to block; the caller
// calls schedule() first.
void* atomic_create(const stored_value& initial);
void atomic_destroy(void* atomic);
[[nodiscard]] stored_value atomic_load(void* atomic, order using_order);
void atomic_store(void* atomic, const stored_value& value, order using_order);
stored_value atomic_modify(void* atomic, const stored_value& operand, order using_order);
[[nodiscard]] bool atomic_compare_exchange(void* atomic, stored_value& expected, const stored_value& desired,
                                           order success, order failure, bool weak);
/// The latest value, without any effect.
[[nodiscard]] stored_value atomic_newest(void* atomic);
/// Reads the latest value, with the effect of a load.
stored_value atomic_load_newest(void* atomic, order using_order);
void fence(order using_order);

void* mutex_create();
void mutex_destroy(void* mutex);
void mutex_lock(void* mutex);
[[nodiscard]] bool mutex_try_lock(void* mutex);
void mutex_unlock(void* mutex);

/// Happens-before race detection for a non-atomic object. The checks return false on a race.
void* shadow_create();
void shadow_destroy(void* shadow);
void shadow_begin(void* shadow);
[[nodiscard]] bool shadow_read(void* shadow);
[[nodiscard]] bool shadow_write(void* shadow);

}  // namespace ordeal::detail::relacy
