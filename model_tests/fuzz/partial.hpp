// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle's executions that have not ended.
#pragma once

#include "model_tests/fuzz/program.hpp"
#include "model_tests/graph/rc11.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::model_tests::fuzz {

using namespace detail;

/// Of the latch, which is an atomic that counts up.
inline constexpr int latch_location = atomics;

/// Where in an instruction a thread is; 0: at its beginning.
enum phase : unsigned char { waiting = 1, woken, locking, looked_at_first };

struct thread_state {
    std::size_t next = 0;
    register_file registers{};
    std::array<int, max_instructions> iterations{};
    unsigned char phase = 0;
    unsigned spurious = 0;     ///< blocked waits that ended spuriously
    std::size_t observed = 0;  ///< the read after which its atomic wait has blocked
    std::size_t woken_by = 0;  ///< the notification
};

/// Of an atomic.
struct notification {
    std::size_t event = 0;
    int object = 0;
};

struct plain_access {
    std::size_t event = 0;
    bool writes = false;
};

/// The graph so far, where each thread stands, and what the objects hold whose operations have one order.
class partial {
public:
    explicit partial(const program& what);

    [[nodiscard]] bool at_end(std::size_t thread) const;
    /// At its end, and everything given back.
    [[nodiscard]] bool is_over(std::size_t thread) const;
    [[nodiscard]] const instruction& instruction_of(std::size_t thread) const;
    /// Whether the instruction takes a lock that the thread has.
    [[nodiscard]] bool has(std::size_t thread, const instruction& each) const;
    [[nodiscard]] std::array<register_file, max_threads> registers() const;
    [[nodiscard]] int last_value(int location) const;
    [[nodiscard]] std::array<int, atomics + cells> last_values() const;
    [[nodiscard]] bool is_taken(std::size_t write) const;

    std::size_t add(const rc11::event& next);
    int add_read(std::size_t thread, int location, order how, std::size_t source, bool modifies);
    void add_write(std::size_t thread, const instruction& each, int value, std::size_t place, bool modifies);

    void lock(std::size_t thread, std::size_t which);
    void unlock(std::size_t thread, std::size_t which);
    void lock_shared(std::size_t thread);
    void unlock_shared(std::size_t thread);
    void lock_exclusive(std::size_t thread);
    void unlock_exclusive(std::size_t thread);
    void acquire(std::size_t thread);
    void release(std::size_t thread);
    [[nodiscard]] int count() const { return counts.back(); }
    /// Looks at the semaphore and finds what it held at this place; false: it has seen later ones.
    [[nodiscard]] bool find_count(std::size_t thread, std::size_t place);
    /// One of the locks that the thread has.
    void give_back(std::size_t thread);

    /// Equal for two that go on in the same ways, in whichever order their threads came there.
    [[nodiscard]] std::string key() const;

    rc11::execution graph;
    std::array<thread_state, max_threads> threads{};
    std::array<int, mutexes> holder{none, none};
    int exclusive = none;
    unsigned shared = 0;         ///< a bit for each thread that shares the shared mutex
    std::vector<int> counts{0};  ///< that the semaphore had, one after the other
    std::vector<notification> notifications;
    std::array<std::vector<plain_access>, cells> accesses;
    std::array<int, cells> values{};

private:
    using events = std::vector<std::size_t>;

    std::size_t add_other(std::size_t thread) {
        return add({.thread = static_cast<int>(thread), .kind = rc11::event_kind::other});
    }
    // A new event of the thread, with which all these synchronise.
    void synchronise(std::size_t thread, const events& with);

    const program* what_;
    std::array<events, mutexes> unlocks_;
    events shared_unlocks_;
    events exclusive_unlocks_;
    // Of the semaphore: who has seen which of its counts; and the releases, with the places of what they made.
    std::vector<std::pair<std::size_t, std::size_t>> looks_;
    std::vector<std::pair<std::size_t, std::size_t>> releases_;
};

}  // namespace ordeal::model_tests::fuzz
