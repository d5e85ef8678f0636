// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics that are accessed in parts: two halves of a word and the whole, each by atomic operations of its own size.
#include "model_tests/plain/programs/programs.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#ifdef __clang__
#pragma clang diagnostic ignored "-Watomic-alignment"  // that not every processor has those of 16 bytes
#endif

namespace ordeal::model_tests {

namespace {

constexpr auto acq_rel = std::memory_order_acq_rel;

struct alignas(8) halves {
    std::uint32_t a = 0;
    std::uint32_t b = 0;

    [[nodiscard]] auto first() { return std::atomic_ref(a); }
    [[nodiscard]] auto second() { return std::atomic_ref(b); }
    [[nodiscard]] auto whole() { return std::atomic_ref(*this); }
};

// From the beginning an object that is accessed in parts.
struct known_halves : halves {
    known_halves() { (void)whole().load(relaxed); }
};

union word_or_halves {
    std::atomic<std::uint64_t> word{0};
    std::array<std::atomic<std::uint32_t>, 2> half;
};

constexpr std::uint64_t second_one = std::uint64_t{1} << 32;

// What the threads have written to two halves, and in which order.

// The value in one half, the flag in the other.
template <std::memory_order Store, std::memory_order Load>
struct message_in_halves {
    static constexpr auto threads = std::array{"writes", "reads"};
    known_halves both;

    void run(int thread) {
        if (thread == 0) {
            both.first().store(1, relaxed);
            both.second().store(1, Store);
        } else {
            const std::uint32_t flag = both.second().load(Load);
            const std::uint32_t value = both.first().load(relaxed);
            require(flag == 0 || value == 1);
        }
    }
};

// Whatever the model, somebody may come between the two stores.
struct between_two_halves {
    static constexpr auto threads = std::array{"writes", "reads"};
    known_halves both;
    std::array<std::uint32_t, 2> seen{};

    void run(int thread) {
        if (thread == 0) {
            both.first().store(1, relaxed);
            both.second().store(1, relaxed);
        } else {
            seen[0] = both.first().load(relaxed);
            seen[1] = both.second().load(relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(seen[0]) + ' ' + std::to_string(seen[1]); }
};

// A load of the whole synchronises with the store to the half that has the flag.
struct message_read_at_once {
    static constexpr auto threads = std::array{"writes", "reads"};
    halves both;

    void run(int thread) {
        if (thread == 0) {
            both.first().store(1, relaxed);
            both.second().store(1, release);
        } else {
            const halves seen = both.whole().load(acquire);
            require(seen.b == 0 || seen.a == 1);
        }
    }
};

// One half is an atomic like any other: nobody sees it go back, whatever is stored to the rest in between.
struct half_is_coherent {
    static constexpr auto threads = std::array{"writes", "reads"};
    known_halves both;

    void run(int thread) {
        if (thread == 0) {
            both.first().store(1, relaxed);
            both.second().store(1, relaxed);
            both.first().store(2, relaxed);
        } else {
            const std::uint32_t before = both.first().load(relaxed);
            require(before <= both.first().load(relaxed));
        }
    }
};

// Who has read a half finds nothing older of it in the whole.
struct whole_after_a_half {
    static constexpr auto threads = std::array{"writes", "reads"};
    halves both;

    void run(int thread) {
        if (thread == 0) {
            both.first().store(1, relaxed);
            both.second().store(1, relaxed);
        } else {
            const std::uint32_t before = both.first().load(relaxed);
            require(before <= both.whole().load(relaxed).a);
        }
    }
};

// Each stores to one half and looks at the other.
template <std::memory_order Store, std::memory_order Load, bool Fences = false>
struct buffers_of_halves {
    static constexpr auto threads = std::array{"first, then second", "second, then first"};
    known_halves both;
    std::array<std::uint32_t, 2> seen{};

    void run(int thread) {
        (thread == 0 ? both.first() : both.second()).store(1, Store);
        if (Fences) std::atomic_thread_fence(seq_cst);
        seen[static_cast<std::size_t>(thread)] = (thread == 0 ? both.second() : both.first()).load(Load);
    }
    void finish() const { require(seen[0] == 1 || seen[1] == 1, "neither sees the other"); }
};

// The same with halves of two objects. Each of the stores reads the rest of its object, and waits in a buffer all the same.
struct buffers_of_two_objects {
    static constexpr auto threads = std::array{"x, then y", "y, then x"};
    known_halves x;
    known_halves y;
    std::array<std::uint32_t, 2> seen{};

    void run(int thread) {
        (thread == 0 ? x : y).first().store(1, relaxed);
        seen[static_cast<std::size_t>(thread)] = (thread == 0 ? y : x).first().load(relaxed);
    }
    void finish() const { require(seen[0] == 1 || seen[1] == 1, "neither sees the other"); }
};

// Executions in which no second size is met come first.
struct sizes_meet_late {
    static constexpr auto threads = std::array{"writes", "reads"};
    halves both;
    std::atomic<bool> written{false};

    void run(int thread) {
        if (thread == 0) {
            both.first().store(1, relaxed);
            both.second().store(1, relaxed);
            written.store(true, release);
        } else if (written.load(acquire)) {
            const halves seen = both.whole().load(relaxed);
            require(seen.a == 1 && seen.b == 1);
        }
    }
};

// An increment that tore, or wrote back an old half, would lose one.
struct increments_of_parts {
    static constexpr auto threads = std::array{"adds to the halves", "adds to the word", "adds to the word's half"};
    word_or_halves all;

    void run(int thread) {
        if (thread == 0) {
            all.half[0].fetch_add(1, relaxed);
            all.half[1].fetch_add(1, relaxed);
        } else if (thread == 1) {
            std::uint64_t seen = all.word.load(relaxed);
            while (!all.word.compare_exchange_weak(seen, seen + 1, relaxed)) {
            }
        } else {
            all.word.fetch_add(second_one, relaxed);
        }
    }
    void finish() const { require(all.word.load() == 2 * second_one + 2); }
};

// What synchronises: the first thread hands over `data` by a store to the first half, and others store too.

struct hands_over {
    static constexpr auto threads = std::array{"hands over", "stores", "takes"};
    known_halves both;
    int data = 0;

    void hand_over() {
        data = 1;
        both.first().store(1, release);
    }
};

// A load of one half acquires nothing of a store to the other, though that came before in the order of all writes.
struct acquires_the_other_half : hands_over {
    void run(int thread) {
        if (thread == 0) hand_over();
        if (thread == 1) both.second().store(1, relaxed);
        if (thread == 2 && both.second().load(acquire) == 1 && both.first().load(relaxed) == 1) data = 2;
    }
};

struct acquires_the_whole : hands_over {
    void run(int thread) {
        if (thread == 0) hand_over();
        if (thread == 1) both.second().store(1, relaxed);
        if (thread == 2 && both.whole().load(acquire).a == 1) data = 2;
    }
};

// A store to a part is none of a read-modify-write where release sequences are concerned.
struct part_ends_a_release_sequence {
    static constexpr auto threads = hands_over::threads;
    known_halves both;
    int data = 0;

    void run(int thread) {
        if (thread == 0) {
            data = 1;
            both.whole().store({1, 1}, release);
        } else if (thread == 1) {
            both.first().store(2, relaxed);
        } else if (both.first().load(acquire) == 2 && both.second().load(relaxed) == 1) {
            data = 2;
        }
    }
};

// The other half is still the release store's.
struct part_leaves_the_rest {
    static constexpr auto threads = hands_over::threads;
    known_halves both;
    int data = 0;

    void run(int thread) {
        if (thread == 0) {
            data = 1;
            both.whole().store({1, 1}, release);
        } else if (thread == 1) {
            both.first().store(2, relaxed);
        } else if (both.second().load(acquire) == 1) {
            data = 2;
        }
    }
};

// A read-modify-write of the same half continues its release sequence, past one of the other half.
struct part_goes_on_with_a_release_sequence : hands_over {
    void run(int thread) {
        if (thread == 0) hand_over();
        if (thread == 1) {
            both.second().fetch_add(1, relaxed);
            both.first().fetch_add(1, relaxed);
        }
        if (thread == 2 && both.first().load(acquire) == 2) data = 2;
    }
};

// A plain member beside an atomic one, until the whole is loaded.
struct plain_neighbour {
    struct alignas(8) word {
        std::uint32_t flag = 0;
        std::uint32_t plain = 0;
    };
    static constexpr auto threads = std::array{"sets", "writes beside it"};
    word both;
    int data = 0;

    plain_neighbour() { both.plain = 5; }
    void run(int thread) {
        if (thread == 0) {
            data = 1;
            std::atomic_ref(both.flag).store(1, release);
            return;
        }
        both.plain = 6;
        if (std::atomic_ref(both.flag).load(acquire) == 1) require(data == 1);
        require(both.plain == 6);
    }
    void finish() {
        const word seen = std::atomic_ref(both).load(relaxed);
        require(seen.flag == 1 && seen.plain == 6);
    }
};

// 16 bytes, exchanged at once and read in halves; the first half that is read has the tag.

struct alignas(16) tagged_word {
    std::uint64_t word = 0;
    std::uint64_t tag = 0;
};

struct tagged_publication {
    static constexpr auto threads = std::array{"writes", "reads"};
    tagged_word head;
    int data = 0;

    void run(int thread) {
        if (thread == 0) {
            data = 1;
            tagged_word expected{0, 0};
            require(std::atomic_ref(head).compare_exchange_strong(expected, {7, 1}, release, relaxed));
        } else if (std::atomic_ref(head.tag).load(acquire) == 1) {
            require(data == 1);
            require(std::atomic_ref(head.word).load(relaxed) == 7);
        }
    }
};

struct tagged_pointer_in_halves {
    struct alignas(16) pair {
        void* pointer = nullptr;
        std::uint64_t tag = 0;
    };
    static constexpr auto threads = std::array{"writes", "reads"};
    pair head;

    void run(int thread) {
        if (thread == 0) {
            pair expected{};
            pair desired{this, 1};
            __atomic_compare_exchange(&head, &expected, &desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
        } else if (__atomic_load_n(&head.tag, __ATOMIC_ACQUIRE) == 1) {
            require(__atomic_load_n(&head.pointer, __ATOMIC_RELAXED) == this);
        }
    }
};

// A store to a half of 16 bytes that somebody has as a whole, and the whole after a half.
struct wide_by_halves {
    static constexpr auto threads = std::array{"first", "second", "both"};
    tagged_word all{7, 7};

    void run(int thread) {
        if (thread == 0) std::atomic_ref(all.word).store(1, relaxed);
        if (thread == 1) std::atomic_ref(all.tag).store(2, relaxed);
        if (thread != 2) return;
        const tagged_word seen = std::atomic_ref(all).load(relaxed);
        require((seen.word == 7 || seen.word == 1) && (seen.tag == 7 || seen.tag == 2));
    }
    void finish() {
        const tagged_word seen = std::atomic_ref(all).load(relaxed);
        require(seen.word == 1 && seen.tag == 2);
        std::atomic_ref(all).store({3, 4}, relaxed);
        require(std::atomic_ref(all.word).load() == 3 && std::atomic_ref(all.tag).exchange(5) == 4);
        require(std::atomic_ref(all.word).fetch_add(1) == 3 && all.word == 4 && all.tag == 5);
    }
};

// Waits for a half.

// An event count: epochs in the second half, waiters in the first. Who waits looks at the epoch alone.
struct epoch_publishes {
    static constexpr auto threads = std::array{"writes", "reads"};
    word_or_halves state;
    int data = 0;

    void run(int thread) {
        if (thread == 0) {
            data = 1;
            state.word.fetch_add(second_one, release);
        } else if (state.half[1].load(acquire) == 1) {
            require(data == 1);
        }
    }
};

// The same, whose waiters sleep on the half that has the epoch.
template <bool Wakes>
struct event_count_of_halves {
    static constexpr auto threads = std::array{"sets", "waits"};
    std::atomic<std::uint64_t> state{0};
    std::atomic<bool> ready{false};

    void run(int thread) {
        if (thread == 0) {
            ready.store(true, relaxed);
            const std::uint64_t before = state.fetch_add(second_one, acq_rel);
            if (Wakes && static_cast<std::uint32_t>(before) != 0) futex(FUTEX_WAKE_PRIVATE, 1);
            return;
        }
        std::uint64_t key = state.fetch_add(1, acq_rel);
        while (!ready.load(relaxed)) {
            while (epoch_of(state.load(acquire)) == epoch_of(key)) futex(FUTEX_WAIT_PRIVATE, epoch_of(key));
            key = state.load(acquire);
        }
        state.fetch_sub(1, relaxed);
    }

private:
    [[nodiscard]] static std::uint32_t epoch_of(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }
    void futex(int operation, std::uint32_t value) {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
        syscall(SYS_futex, reinterpret_cast<std::byte*>(&state) + 4, operation, value, nullptr, nullptr, 0);
    }
};

// Who stores to the word changes the half that another waits for.
struct half_is_waited_for {
    static constexpr auto threads = std::array{"sets", "waits"};
    word_or_halves all;
    int data = 0;

    void run(int thread) {
        if (thread == 0) {
            data = 1;
            all.word.store(second_one, release);
            all.half[1].notify_one();
        } else {
            all.half[1].wait(0, acquire);
            require(data == 1);
        }
    }
};

// Each half is an atomic of its own: what is stored to the other one ends no wait, nor does a notification of it.
template <std::size_t Stored, std::size_t Notified>
struct waits_for_the_second_half {
    static constexpr auto threads = std::array{"sets", "waits"};
    word_or_halves all;

    waits_for_the_second_half() { (void)all.word.load(relaxed); }
    void run(int thread) {
        if (thread == 0) {
            all.half[Stored].store(1, release);
            all.half[Notified].notify_all();
        } else {
            all.half[1].wait(0, acquire);
        }
    }
};

struct spins_on_a_half {
    static constexpr auto threads = std::array{"counts", "waits"};
    known_halves both;

    void run(int thread) {
        if (thread == 0) {
            for (int i = 0; i < 4; ++i) both.first().fetch_add(1, relaxed);
            both.second().store(1, release);
        } else {
            while (both.second().load(acquire) == 0) {
            }
            require(both.first().load(relaxed) == 4);
        }
    }
};

struct spins_on_the_wrong_half {
    static constexpr auto threads = std::array{"sets", "waits"};
    known_halves both;

    void run(int thread) {
        if (thread == 0) both.first().store(1, release);
        if (thread == 1) {
            while (both.second().load(acquire) == 0) {
            }
        }
    }
};

// Linux's qspinlock, for two: the second sets the byte `pending`, waits for the byte `locked`, and takes both at once.
template <bool Acquires>
struct pending_lock {
    struct alignas(4) bytes {
        std::uint8_t locked = 0;
        std::uint8_t pending = 0;
        std::uint16_t tail = 0;
    };
    static constexpr auto threads = std::array{"adds", "adds"};
    bytes state;
    int sum = 0;

    void run(int /*thread*/) {
        lock();
        ++sum;
        locked().store(0, release);
    }
    void finish() const { require(sum == 2); }

private:
    // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast)
    [[nodiscard]] auto whole() { return std::atomic_ref(reinterpret_cast<std::uint32_t&>(state)); }
    [[nodiscard]] auto locked_and_pending() { return std::atomic_ref(reinterpret_cast<std::uint16_t&>(state)); }
    // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
    [[nodiscard]] auto locked() { return std::atomic_ref(state.locked); }
    [[nodiscard]] bool take(std::uint32_t from) { return whole().compare_exchange_strong(from, 1, acquire, relaxed); }
    void lock() {
        if (take(0)) return;
        if ((whole().fetch_or(0x100, acquire) & ~0xffU) == 0) {
            while (locked().load(Acquires ? acquire : relaxed) != 0) {
            }
            locked_and_pending().store(1, relaxed);
        } else {
            while (!take(0)) {
            }
        }
    }
};

// Many executions.
struct all_stores_and_loads {
    static constexpr auto threads = std::array{"first", "second", "both"};
    known_halves both;
    std::array<std::array<std::uint32_t, 2>, 3> seen{};

    void run(int thread) {
        auto& mine = seen[static_cast<std::size_t>(thread)];
        for (std::uint32_t i = 0; i < 2; ++i) {
            if (thread == 2) {
                const halves now = both.whole().exchange({10 + i, 10 + i}, relaxed);
                mine[i] = now.a + 100 * now.b;
            } else {
                (thread == 0 ? both.first() : both.second()).store(1 + i, relaxed);
                mine[i] = (thread == 0 ? both.second() : both.first()).load(relaxed);
            }
        }
    }
    [[nodiscard]] std::string outcome() const {
        std::string text;
        for (const auto& thread : seen) {
            for (const std::uint32_t each : thread) text += std::to_string(each) + ' ';
        }
        return text;
    }
};

// What it acquires with the second half knows of a store to the first.
struct whole_acquires_a_half {
    static constexpr auto threads = std::array{"both", "second", "reads"};
    known_halves both;

    void run(int thread) {
        if (thread == 0) both.whole().store({1, 1}, relaxed);
        if (thread == 1 && both.first().load(relaxed) == 1) both.second().store(5, release);
        if (thread == 2) {
            const halves seen = both.whole().load(acquire);
            require(seen.b != 5 || seen.a == 1);
        }
    }
};

// Non-atomic reads, after all threads, see what is last in coherence, whoever ran last.
template <bool Right>
struct read_afterwards {
    static constexpr auto threads = std::array{"both", "first"};
    known_halves both;
    std::uint32_t seen = 0;

    void run(int thread) {
        if (thread == 0) both.whole().store({2, 2}, relaxed);
        if (thread == 1) seen = both.first().exchange(7, relaxed);
    }
    void finish() const { require(Right ? both.a == (seen == 0 ? 2U : 7U) && both.b == 2 : both.a == 7); }
};

// A lock in one half, and what it guards, which is no atomic, in the other.
template <bool InTurn>
struct lock_beside_its_data {
    static constexpr auto threads = std::array{"adds", "adds"};
    known_halves both;

    void run(int thread) {
        while (both.first().exchange(1, acquire) != 0) {
        }
        if (InTurn) require(static_cast<int>(both.b) == thread);
        ++both.b;
        both.first().store(0, release);
    }
    void finish() const { require(both.b == 2); }
};

// The sizes meet before there are threads.
struct sizes_meet_before_threads {
    static constexpr auto threads = std::array{"first", "second"};
    known_halves both;
    std::atomic<int> x{0};
    std::atomic<int> y{0};
    std::array<int, 2> seen{};

    void run(int thread) {
        (thread == 0 ? x : y).store(1, relaxed);
        seen[static_cast<std::size_t>(thread)] = (thread == 0 ? y : x).load(relaxed);
    }
    void finish() const { require(seen[0] + seen[1] != 0); }
};

template <class Program>
using fails = wrong<Program, violation_kind::failed_requirement>;
template <class Program>
using races = wrong<Program, violation_kind::data_race>;

ORDEAL_SCENARIO("programs/mixed_sizes/message", message_in_halves<release, acquire>);
ORDEAL_SCENARIO("programs/mixed_sizes/message_relaxed", fails<message_in_halves<relaxed, relaxed>>);
ORDEAL_SCENARIO("programs/mixed_sizes/message_release_relaxed", fails<message_in_halves<release, relaxed>>);
ORDEAL_SCENARIO("programs/mixed_sizes/between_two_halves", between_two_halves);
ORDEAL_SCENARIO("programs/mixed_sizes/message_read_at_once", message_read_at_once);
ORDEAL_SCENARIO("programs/mixed_sizes/half_is_coherent", half_is_coherent);
ORDEAL_SCENARIO("programs/mixed_sizes/whole_after_a_half", whole_after_a_half);
using buffers = buffers_of_halves<seq_cst, seq_cst>;
using buffers_release_acquire = buffers_of_halves<release, acquire>;
using buffers_with_fences = buffers_of_halves<relaxed, relaxed, true>;
ORDEAL_SCENARIO("programs/mixed_sizes/buffers", buffers);
ORDEAL_SCENARIO("programs/mixed_sizes/buffers_release_acquire", fails<buffers_release_acquire>);
ORDEAL_SCENARIO("programs/mixed_sizes/buffers_with_fences", buffers_with_fences);
ORDEAL_SCENARIO("programs/mixed_sizes/buffers_of_two_objects", fails<buffers_of_two_objects>);
ORDEAL_SCENARIO("programs/mixed_sizes/sizes_meet_late", sizes_meet_late);
ORDEAL_SCENARIO("programs/mixed_sizes/increments", increments_of_parts);
ORDEAL_SCENARIO("programs/mixed_sizes/acquires_the_other_half", races<acquires_the_other_half>);
ORDEAL_SCENARIO("programs/mixed_sizes/acquires_the_whole", acquires_the_whole);
ORDEAL_SCENARIO("programs/mixed_sizes/part_ends_a_release_sequence", races<part_ends_a_release_sequence>);
ORDEAL_SCENARIO("programs/mixed_sizes/part_leaves_the_rest", part_leaves_the_rest);
ORDEAL_SCENARIO("programs/mixed_sizes/part_goes_on_with_a_release_sequence", part_goes_on_with_a_release_sequence);
ORDEAL_SCENARIO("programs/mixed_sizes/plain_neighbour", plain_neighbour);
ORDEAL_SCENARIO("programs/mixed_sizes/tagged_publication", tagged_publication);
ORDEAL_SCENARIO("programs/mixed_sizes/tagged_pointer_in_halves", tagged_pointer_in_halves);
ORDEAL_SCENARIO("programs/mixed_sizes/wide_by_halves", wide_by_halves);
ORDEAL_SCENARIO("programs/mixed_sizes/epoch_publishes", epoch_publishes);
ORDEAL_SCENARIO("programs/mixed_sizes/event_count", event_count_of_halves<true>);
ORDEAL_SCENARIO("programs/mixed_sizes/event_count_without_a_wake",
                wrong<event_count_of_halves<false>, violation_kind::deadlock>);
ORDEAL_SCENARIO("programs/mixed_sizes/half_is_waited_for", half_is_waited_for);
ORDEAL_SCENARIO("programs/mixed_sizes/wait_for_the_wrong_half",
                wrong<waits_for_the_second_half<0, 1>, violation_kind::deadlock>);
ORDEAL_SCENARIO("programs/mixed_sizes/other_half_is_notified",
                wrong<waits_for_the_second_half<1, 0>, violation_kind::deadlock>);
ORDEAL_SCENARIO("programs/mixed_sizes/whole_acquires_a_half", whole_acquires_a_half);
ORDEAL_SCENARIO("programs/mixed_sizes/read_afterwards", read_afterwards<true>);
ORDEAL_SCENARIO("programs/mixed_sizes/read_afterwards_misses_the_other_order", fails<read_afterwards<false>>);
ORDEAL_SCENARIO("programs/mixed_sizes/lock_beside_its_data", lock_beside_its_data<false>);
ORDEAL_SCENARIO("programs/mixed_sizes/lock_beside_its_data_in_turn", fails<lock_beside_its_data<true>>);
ORDEAL_SCENARIO("programs/mixed_sizes/sizes_meet_before_threads", fails<sizes_meet_before_threads>);
ORDEAL_SCENARIO("programs/mixed_sizes/spins_on_a_half", spins_on_a_half);
ORDEAL_SCENARIO("programs/mixed_sizes/spins_on_the_wrong_half",
                wrong<spins_on_the_wrong_half, violation_kind::livelock>);
ORDEAL_SCENARIO("programs/mixed_sizes/pending_lock", pending_lock<true>);
ORDEAL_SCENARIO("programs/mixed_sizes/pending_lock_relaxed", races<pending_lock<false>>);
ORDEAL_SCENARIO("programs/mixed_sizes/all_stores_and_loads", all_stores_and_loads);

}  // namespace

}  // namespace ordeal::model_tests
