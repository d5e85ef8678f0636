// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that look at something a few times and give up. Each is here twice: as it stands, and with a counter that the
// compiler must not reason about, so that every iteration is explored. Both must have the same outcomes.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <string>

namespace ordeal::model_tests {

namespace {

template <bool Opaque>
inline void count(int& iteration) noexcept {
    ++iteration;
    if constexpr (Opaque) asm volatile("" : "+r"(iteration));
}

// A thread writes 1, 2 and 3 to `x`, another one looks.
struct looks_at_x {
    static constexpr auto threads = std::array{"writes", "looks"};
    std::atomic<int> x{0};
    std::atomic<int> y{0};
    int result = -1;
    int then = 0;

    void write() {
        y.store(1, relaxed);
        x.store(1, release);
        x.store(2, relaxed);
        x.store(3, relaxed);
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(result) + " " + std::to_string(then); }
};

template <bool Opaque>
struct gives_up : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        result = looks() ? 1 : 0;
        then = y.load(relaxed);
    }
    bool looks() {
        for (int iteration = 0; iteration < 3; count<Opaque>(iteration)) {
            if (x.load(acquire) == 1) return true;
        }
        return false;
    }
};

// Whether it had to wait is used after the loop, which the last iteration alone does not tell.
template <bool Opaque>
struct tells_whether_it_waited : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        bool waited = false;
        result = looks(waited) ? 1 : 0;
        then = waited ? 1 : 0;
    }
    bool looks(bool& waited) {
        bool waits = false;
        for (int iteration = 0; iteration < 3; count<Opaque>(iteration)) {
            if (x.load(acquire) == 3) {
                waited = waits;
                return true;
            }
            waits = true;
        }
        waited = waits;
        return false;
    }
};

// An iteration that looks twice and sees a change cannot be made again.
template <bool Opaque>
struct changes_in_each_iteration : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        result = looks() ? 1 : 0;
    }
    bool looks() {
        int iteration = 0;
        do {
            int before = -1;
            bool changed = false;
            int twice = 2;
            do {
                const int now = x.load(relaxed);
                changed = before >= 0 && now != before;
                before = now;
            } while (--twice != 0);
            if (!changed) return false;
            count<Opaque>(iteration);
        } while (iteration < 4);
        return true;
    }
};

// What the last iteration saw is used, and there are more values than iterations.
template <bool Opaque>
struct keeps_last : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        int iteration = 0;
        do {
            result = x.load(relaxed);
            if (result == 3) break;
            count<Opaque>(iteration);
        } while (iteration < 2);
        then = x.load(relaxed);
    }
};

// The same in a variable of its own, so that nothing is stored in an iteration.
template <bool Opaque>
struct returns_last : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        result = looks();
        then = y.load(relaxed);
    }
    int looks() {
        int iteration = 0;
        for (;;) {
            const int seen = x.load(acquire);
            if (seen == 3) return seen + 10;
            count<Opaque>(iteration);
            if (iteration == 2) return seen;
        }
    }
};

// An iteration that was left out may have acquired: then less is known, which allows more.
template <bool Opaque>
struct acquires : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        for (int iteration = 0; iteration < 3; count<Opaque>(iteration)) {
            if (x.load(acquire) >= 2) break;
        }
        result = y.load(relaxed);
        then = x.load(relaxed);
    }
};

// The counter is the result, and so not the end of the loop alone.
template <bool Opaque>
struct returns_count : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        int iteration = 0;
        while (iteration < 3 && x.load(acquire) != 2) count<Opaque>(iteration);
        result = iteration;
    }
};

template <bool Opaque>
struct compares_after : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        int iteration = 0;
        for (; iteration < 3; count<Opaque>(iteration)) {
            if (x.load(acquire) == 2) break;
        }
        if (iteration == 1) then = x.load(relaxed);
        result = iteration == 3 ? 1 : 0;
    }
};

// The count ends the loop before what was read does: the last iteration is unlike the others.
template <bool Opaque>
struct counts_before_it_checks : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        result = looks();
        then = y.load(relaxed);
    }
    int looks() {
        int iteration = 0;
        int seen = 0;
        for (;;) {
            seen = x.load(acquire);
            count<Opaque>(iteration);
            if (iteration == 3) return seen + 10;
            if (seen == 2) return 20;
        }
    }
};

// ---- Conditions of several parts ----

template <bool Opaque>
struct counts_if_not_found : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        int iteration = 0;
        while (x.load(acquire) != 1 && (count<Opaque>(iteration), iteration < 3)) {
        }
        result = y.load(relaxed);
        then = x.load(relaxed);
    }
};

template <bool Opaque>
struct looks_if_not_ended : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        int iteration = 0;
        while (iteration < 3 && x.load(acquire) != 2) count<Opaque>(iteration);
        result = y.load(relaxed);
        then = x.load(relaxed);
    }
};

template <bool Opaque>
struct found_or_ended : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        int iteration = 0;
        for (;;) {
            const bool over = x.load(acquire) == 2 || (count<Opaque>(iteration), iteration == 3);
            if (over) break;
        }
        result = y.load(relaxed);
        then = x.load(relaxed);
    }
};

// What an iteration has found, the next one checks before it looks.
template <bool Opaque>
struct keeps_a_flag : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        bool found = false;
        for (int iteration = 0; iteration < 3 && !found; count<Opaque>(iteration)) found = x.load(acquire) == 2;
        result = found ? 1 : 0;
        then = y.load(relaxed);
    }
};

template <bool Opaque>
struct checks_a_flag_first : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        int seen = 0;
        for (int iteration = 0; seen < 2 && iteration < 3; count<Opaque>(iteration)) seen = x.load(acquire);
        result = seen;
        then = y.load(relaxed);
    }
};

// Found by the last iteration is another result.
template <bool Opaque>
struct flag_of_the_last : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        result = looks();
        then = y.load(relaxed);
    }
    int looks() {
        bool found = false;
        for (int iteration = 0; iteration < 3; count<Opaque>(iteration)) {
            if (found) return 10;
            found = x.load(acquire) == 2;
        }
        return found ? 20 : 30;
    }
};

// A flag that the next look depends on is a state.
template <bool Opaque>
struct looks_by_flag : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        int seen = 0;
        for (int iteration = 0; iteration < 3; count<Opaque>(iteration)) seen = seen * 4 + x.load(acquire);
        result = seen;
    }
};

// Early or late is another result.
template <bool Opaque>
struct tells_late_from_early : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        result = looks();
    }
    int looks() {
        for (int iteration = 0; iteration < 3; count<Opaque>(iteration)) {
            const int seen = x.load(acquire);
            if (iteration < 1) {
                if (seen == 2) return 10;
            } else if (seen == 2) {
                return 20;
            }
        }
        return 30;
    }
};

// The other thread sees how far it has come.
template <bool Opaque>
struct stores_count : looks_at_x {
    void run(int thread) {
        if (thread == 0) {
            x.store(1, release);
            then = y.load(relaxed);
            return;
        }
        for (int iteration = 0; iteration < 2; count<Opaque>(iteration)) {
            y.store(iteration + 1, relaxed);
            if (x.load(acquire) == 1) break;
        }
        result = 0;
    }
};

// Only some iterations count.
template <bool Opaque>
struct counts_some : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        result = looks();
    }
    int looks() {
        int iteration = 0;
        for (;;) {
            const int seen = x.load(acquire);
            if (seen == 3) return 3;
            if (seen == 1) {
                count<Opaque>(iteration);
                if (iteration == 2) return 1;
            }
            if (seen == 2) return 2;
        }
    }
};

// The second look may forbid what the first saw: an iteration cannot be repeated, and never are two without a result.
template <bool Opaque>
struct looks_at_two : looks_at_x {
    void run(int thread) {
        if (thread == 0) {
            x.store(1, relaxed);
            y.store(1, release);
            return;
        }
        if (y.load(relaxed) == 1) result = looks();
    }
    int looks() {
        for (int iteration = 0; iteration < 2; count<Opaque>(iteration)) {
            if (x.load(relaxed) == 1) return 1;
            if (y.load(acquire) == 2) return 2;
        }
        return 0;
    }
    void finish() const { require(result != 0); }
};

template <bool Opaque>
struct one_counter_for_two_loops : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        int iteration = 0;
        for (; iteration < 2; count<Opaque>(iteration)) {
            if (x.load(acquire) == 2) break;
        }
        for (; iteration < 3; count<Opaque>(iteration)) {
            if (x.load(acquire) == 1) break;
            ++then;
        }
        result = x.load(relaxed);
    }
};

template <bool Opaque>
struct nested : looks_at_x {
    void run(int thread) {
        if (thread == 0) return write();
        result = looks() ? 1 : 0;
        then = x.load(relaxed);
    }
    bool looks() {
        for (int round = 0; round < 2; count<Opaque>(round)) {
            for (int iteration = 0; iteration < 2; count<Opaque>(iteration)) {
                if (x.load(acquire) == 2) return true;
            }
        }
        return false;
    }
};

// Attempts to take a lock, which the other thread takes and gives back.
template <bool Opaque>
struct attempts {
    static constexpr auto threads = std::array{"takes", "attempts"};
    std::atomic<int> taken{0};
    std::atomic<int> y{0};
    int result = -1;
    int then = 0;

    void run(int thread) {
        if (thread == 0) {
            taken.store(1, relaxed);
            y.store(1, relaxed);
            taken.store(0, release);
            return;
        }
        result = take() ? 1 : 0;
        then = y.load(relaxed);
    }
    bool take() {
        for (int iteration = 0; iteration < 3; count<Opaque>(iteration)) {
            int free = 0;
            if (taken.compare_exchange_strong(free, 5, acquire, relaxed)) return true;
        }
        return false;
    }
    [[nodiscard]] std::string outcome() const {
        return std::to_string(result) + " " + std::to_string(then) + " " + std::to_string(taken.load(relaxed));
    }
};

// Waits for the other one for a while, both.
template <bool Opaque>
struct both {
    static constexpr auto threads = std::array{"one", "other"};
    std::array<std::atomic<int>, 2> here{};
    std::array<int, 2> met{};

    void run(int thread) {
        const auto me = static_cast<std::size_t>(thread);
        here[me].store(1, release);
        met[me] = looks(here[1 - me]) ? 1 : 0;
        here[me].store(2 + met[me], release);
    }
    static bool looks(const std::atomic<int>& at) {
        for (int iteration = 3; iteration > 0;) {
            if (at.load(acquire) != 0) return true;
            --iteration;
            if constexpr (Opaque) asm volatile("" : "+r"(iteration));
        }
        return false;
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(met[0]) + " " + std::to_string(met[1]); }
};

// NOLINTBEGIN(bugprone-macro-parentheses): a string literal and a template have none
#define ORDEAL_BOTH(name, program) \
    ORDEAL_SCENARIO("programs/counted/" name, program<false>); \
    ORDEAL_SCENARIO("programs/counted_opaque/" name, program<true>)
// NOLINTEND(bugprone-macro-parentheses)

ORDEAL_BOTH("gives_up", gives_up);
ORDEAL_BOTH("keeps_last", keeps_last);
ORDEAL_BOTH("returns_last", returns_last);
ORDEAL_BOTH("acquires", acquires);
ORDEAL_BOTH("returns_count", returns_count);
ORDEAL_BOTH("compares_after", compares_after);
ORDEAL_BOTH("counts_before_it_checks", counts_before_it_checks);
ORDEAL_BOTH("counts_if_not_found", counts_if_not_found);
ORDEAL_BOTH("looks_if_not_ended", looks_if_not_ended);
ORDEAL_BOTH("found_or_ended", found_or_ended);
ORDEAL_BOTH("keeps_a_flag", keeps_a_flag);
ORDEAL_BOTH("checks_a_flag_first", checks_a_flag_first);
ORDEAL_BOTH("flag_of_the_last", flag_of_the_last);
ORDEAL_BOTH("looks_by_flag", looks_by_flag);
ORDEAL_BOTH("tells_late_from_early", tells_late_from_early);
ORDEAL_BOTH("stores_count", stores_count);
ORDEAL_BOTH("counts_some", counts_some);
ORDEAL_BOTH("looks_at_two", looks_at_two);
ORDEAL_BOTH("one_counter_for_two_loops", one_counter_for_two_loops);
ORDEAL_BOTH("nested", nested);
ORDEAL_BOTH("tells_whether_it_waited", tells_whether_it_waited);
ORDEAL_BOTH("changes_in_each_iteration", changes_in_each_iteration);
ORDEAL_BOTH("attempts", attempts);
ORDEAL_BOTH("both", both);

#undef ORDEAL_BOTH

}  // namespace

}  // namespace ordeal::model_tests
