// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics of 16 bytes: what a memory model says of them, and pointers with a tag. Values that differ have one half in common
// wherever a test depends on them.
#include "model_tests/plain/programs/programs.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

#ifdef __clang__
#pragma clang diagnostic ignored "-Watomic-alignment"  // that not every processor has them
#endif

namespace ordeal::model_tests {

namespace {

__extension__ using number128 = unsigned __int128;

struct pair_of_words {
    std::uint64_t first = 7;
    std::uint64_t second = 0;
    friend bool operator==(const pair_of_words&, const pair_of_words&) = default;
};

constexpr pair_of_words none{7, 0};
constexpr pair_of_words one{7, 1};
constexpr pair_of_words two{7, 2};

// Each stores to one and looks at the other.
template <std::memory_order Store, std::memory_order Load>
struct wide_buffers {
    static constexpr auto threads = std::array{"x, then y", "y, then x"};
    std::atomic<pair_of_words> x{none};
    std::atomic<pair_of_words> y{none};
    std::array<pair_of_words, 2> seen{};

    void run(int thread) {
        (thread == 0 ? x : y).store(one, Store);
        seen[static_cast<std::size_t>(thread)] = (thread == 0 ? y : x).load(Load);
    }
    void finish() const { require(seen[0] == one || seen[1] == one, "neither sees the other"); }
};

template <std::memory_order Store, std::memory_order Load>
struct wide_publication {
    static constexpr auto threads = std::array{"writes", "reads"};
    int data = 0;
    std::atomic<pair_of_words> flag{none};

    void run(int thread) {
        if (thread == 0) {
            data = 1;
            flag.store(one, Store);
        } else if (flag.load(Load) == one) {
            require(data == 1);
        }
    }
};

// Both halves come from one store, and nobody sees it go back.
struct wide_coherence {
    static constexpr auto threads = std::array{"counts", "looks"};
    std::atomic<pair_of_words> count{none};

    void run(int thread) {
        if (thread == 0) {
            count.store({8, 1}, relaxed);
            count.store({9, 2}, relaxed);
        } else {
            const pair_of_words first = count.load(relaxed);
            const pair_of_words then = count.load(relaxed);
            require(first.first == first.second + 7 && then.first == then.second + 7, "halves of two values");
            require(first.second <= then.second);
        }
    }
};

template <bool Strong>
struct wide_increments {
    static constexpr auto threads = std::array{"adds", "adds"};
    std::atomic<pair_of_words> sum{none};

    void run(int /*thread*/) {
        pair_of_words seen = sum.load(relaxed);
        while (!exchanged(seen, {seen.first, seen.second + 1})) {
        }
    }
    void finish() const { require(sum.load() == two); }

private:
    bool exchanged(pair_of_words& seen, pair_of_words wanted) {
        return Strong ? sum.compare_exchange_strong(seen, wanted, relaxed)
                      : sum.compare_exchange_weak(seen, wanted, relaxed);
    }
};

// An exchange that looks at one half alone would take the first one's value for the one expected.
struct wide_comparison {
    static constexpr auto threads = std::array{"takes", "takes"};
    std::atomic<pair_of_words> owner{none};
    std::array<bool, 2> got{};

    void run(int thread) {
        pair_of_words expected = none;
        got[static_cast<std::size_t>(thread)] =
            owner.compare_exchange_strong(expected, thread == 0 ? one : two, seq_cst);
        if (!got[static_cast<std::size_t>(thread)]) require(expected == (thread == 0 ? two : one));
    }
    void finish() const { require(got[0] != got[1]); }
};

template <bool Notifies>
struct wide_wait {
    static constexpr auto threads = std::array{"waits", "stores"};
    int data = 0;
    std::atomic<pair_of_words> flag{none};

    void run(int thread) {
        if (thread == 0) {
            flag.wait(none, acquire);
            require(data == 1);
        } else {
            data = 1;
            flag.store(one, release);
            if (Notifies) flag.notify_one();
        }
    }
};

// The compiler's functions, on numbers.
struct wide_arithmetic {
    static constexpr auto threads = std::array{"adds", "adds"};
    static constexpr number128 step = number128{1} << 63;
    alignas(16) number128 sum = 0;

    void run(int /*thread*/) { (void)__atomic_fetch_add(&sum, step, __ATOMIC_RELAXED); }
    void finish() {
        require(sum == number128{1} << 64, "a carry is lost");
        require(__atomic_fetch_sub(&sum, 1, __ATOMIC_SEQ_CST) == number128{1} << 64 && sum == ~std::uint64_t{0});
        require(__atomic_fetch_or(&sum, number128{6} << 64, __ATOMIC_SEQ_CST) == ~std::uint64_t{0});
        require(__atomic_fetch_and(&sum, number128{5} << 64, __ATOMIC_SEQ_CST) >> 64 == 6);
        require(__atomic_fetch_xor(&sum, number128{1} << 64, __ATOMIC_SEQ_CST) == number128{4} << 64);
        require(__atomic_fetch_nand(&sum, number128{1} << 64, __ATOMIC_SEQ_CST) == number128{5} << 64);
        require(__atomic_exchange_n(&sum, number128{3}, __ATOMIC_SEQ_CST) == ~(number128{1} << 64));
        require(__atomic_load_n(&sum, __ATOMIC_SEQ_CST) == 3);
    }
};

struct wide_reference {
    static constexpr auto threads = std::array{"x", "y"};
    alignas(16) pair_of_words where = none;
    pair_of_words before = none;

    void run(int thread) {
        const std::atomic_ref reference(where);
        if (thread == 0) {
            before = reference.exchange(one);
        } else {
            reference.store(two);
        }
    }
    void finish() const { require(before == none || before == two); }
};

// Plain accesses that are ordered after an atomic one see what it has left, halves and all; and make something new.
struct wide_then_plain {
    static constexpr auto threads = only_main;
    alignas(16) std::array<std::uint64_t, 2> words{};

    void run(int /*thread*/) {
        std::thread other([&] { std::atomic_ref(*as_pair()).store({1, 2}, relaxed); });
        other.join();
        require(words[0] == 1 && words[1] == 2);
        words[1] = 3;
        require(std::atomic_ref(*as_pair()).load() == pair_of_words{1, 3});
    }

private:
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    pair_of_words* as_pair() { return reinterpret_cast<pair_of_words*>(words.data()); }
};

struct wide_plain_race {
    static constexpr auto threads = std::array{"stores", "reads"};
    alignas(16) std::array<std::uint64_t, 2> words{};

    void run(int thread) {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
        if (thread == 0) std::atomic_ref(*reinterpret_cast<pair_of_words*>(words.data())).store({1, 2});
        if (thread == 1) require(words[1] != 4);
    }
};

// Nodes that come back: who was slow takes the old head for the same stack (ABA), but for the tag, which counts.
template <bool Tagged>
struct wide_stack {
    static constexpr auto threads = std::array{"slow", "fast"};
    struct node {
        std::atomic<node*> next{nullptr};
    };
    struct tagged_pointer {
        node* top;
        std::uint64_t tag;
    };
    std::array<node, 2> nodes;
    std::atomic<tagged_pointer> head{tagged_pointer{nullptr, 0}};
    node* taken = nullptr;

    wide_stack() {
        nodes[1].next = &nodes[0];
        head = tagged_pointer{&nodes[1], 0};
    }
    void run(int thread) {
        if (thread == 0) {
            (void)pop();
            return;
        }
        node* const top = pop();
        taken = pop();
        if (top != nullptr) push(*top);
    }
    void finish() const {
        if (taken == &nodes[0]) require(head.load().top != taken, "what was taken is in the stack");
    }

private:
    [[nodiscard]] static tagged_pointer after(tagged_pointer seen, node* top) {
        return {top, Tagged ? seen.tag + 1 : 0};
    }
    void push(node& added) {
        tagged_pointer seen = head.load();
        do {
            added.next.store(seen.top);
        } while (!head.compare_exchange_strong(seen, after(seen, &added)));
    }
    [[nodiscard]] node* pop() {
        tagged_pointer seen = head.load();
        while (seen.top != nullptr && !head.compare_exchange_strong(seen, after(seen, seen.top->next.load()))) {
        }
        return seen.top;
    }
};

ORDEAL_SCENARIO("programs/wide_buffers", wide_buffers<seq_cst, seq_cst>);
ORDEAL_SCENARIO("programs/wide_buffers_acquire",
                wrong<wide_buffers<release, acquire>, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/wide_publication", wide_publication<release, acquire>);
ORDEAL_SCENARIO("programs/wide_publication_relaxed",
                wrong<wide_publication<release, relaxed>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/wide_coherence", wide_coherence);
ORDEAL_SCENARIO("programs/wide_increments", wide_increments<true>);
ORDEAL_SCENARIO("programs/wide_increments_weak", wide_increments<false>);
ORDEAL_SCENARIO("programs/wide_comparison", wide_comparison);
ORDEAL_SCENARIO("programs/wide_wait", wide_wait<true>);
ORDEAL_SCENARIO("programs/wide_wait_without_notification", wrong<wide_wait<false>, violation_kind::deadlock>);
ORDEAL_SCENARIO("programs/wide_arithmetic", wide_arithmetic);
ORDEAL_SCENARIO("programs/wide_reference", wide_reference);
ORDEAL_SCENARIO("programs/wide_then_plain", met<wide_then_plain>);
ORDEAL_SCENARIO("programs/wide_plain_race", wrong<wide_plain_race, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/wide_stack", wide_stack<true>);
ORDEAL_SCENARIO("programs/wide_stack_without_a_tag", wrong<wide_stack<false>, violation_kind::failed_requirement>);

}  // namespace

}  // namespace ordeal::model_tests
