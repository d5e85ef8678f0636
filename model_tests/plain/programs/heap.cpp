// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory from the heap that two threads know of.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace ordeal::model_tests {

namespace {

// The first thread makes something, and the second uses it if it is there in time.
template <class Program>
struct handed_over {
    static constexpr auto threads = std::array{"maker", "user"};
    std::atomic<int*> pointer{nullptr};

    void run(int thread) {
        if (thread == 0) {
            Program::make(pointer);
        } else if (int* const found = pointer.load(std::memory_order_acquire)) {
            Program::use(found);
        }
    }
    void finish() const { std::free(pointer.load()); }
};

struct handed_over_to_be_freed {
    static constexpr auto threads = std::array{"maker", "user"};
    std::atomic<int*> pointer{nullptr};

    void run(int thread) {
        if (thread == 0) {
            pointer.store(new int(42), std::memory_order_release);
        } else if (const int* const found = pointer.exchange(nullptr, std::memory_order_acquire)) {
            require(*found == 42);
            delete found;
        }
    }
    void finish() const { delete pointer.load(); }
};

struct without_a_value {
    static void make(std::atomic<int*>& pointer) {
        pointer.store(static_cast<int*>(std::malloc(sizeof(int))), std::memory_order_release);
    }
    static void use(int* found) { require(*found != 42); }
};

struct with_zeros {
    static void make(std::atomic<int*>& pointer) {
        pointer.store(static_cast<int*>(std::calloc(4, sizeof(int))), std::memory_order_release);
    }
    static void use(int* found) { require(found[0] == 0 && found[3] == 0); }
};

struct one_too_far {
    static void make(std::atomic<int*>& pointer) { with_zeros::make(pointer); }
    static void use(int* found) { found[4] = 1; }
};

struct reallocated {
    static void make(std::atomic<int*>& pointer) {
        auto* const small = static_cast<int*>(std::malloc(sizeof(int)));
        *small = 42;
        auto* const large = static_cast<int*>(std::realloc(small, 4 * sizeof(int)));
        large[3] = 43;
        pointer.store(large, std::memory_order_release);
    }
    static void use(int* found) { require(found[0] == 42 && found[3] == 43); }
};

struct used_after_free {
    static constexpr auto threads = std::array{"frees", "uses"};
    int* block = new int(42);
    std::atomic<bool> freed{false};

    void run(int thread) {
        if (thread == 0) {
            delete block;
            freed.store(true, std::memory_order_release);
        } else if (freed.load(std::memory_order_acquire)) {
            *block = 43;
        }
    }
};

// Both delete it: neither asks who is first.
template <class T>
struct freed_twice {
    static constexpr auto threads = std::array{"owner", "owner"};
    std::atomic<T*> pointer{new T()};

    void run(int /*thread*/) { delete pointer.load(std::memory_order_acquire); }
};

struct freed_once {
    static constexpr auto threads = std::array{"owner", "owner"};
    std::atomic<std::string*> pointer{new std::string("owned")};

    void run(int /*thread*/) { delete pointer.exchange(nullptr, std::memory_order_acq_rel); }
};

struct freed_twice_in_order {
    static constexpr auto threads = std::array{"first", "second"};
    void* block = std::malloc(8);
    std::atomic<bool> freed{false};

    void run(int thread) {
        if (thread == 0) {
            std::free(block);
            freed.store(true, std::memory_order_release);
        } else if (freed.load(std::memory_order_acquire)) {
            std::free(block);
        }
    }
};

// One allocates and lets the other know. What the other does comes after the allocation only where something orders it so.
template <class Block, std::memory_order Store, std::memory_order Load>
struct allocated_by_another : Block {
    static constexpr auto threads = std::array{"allocates", "uses"};
    std::atomic<void*> known{nullptr};

    void run(int thread) {
        if (thread == 0) {
            known.store(Block::take(), Store);
        } else if (void* const found = known.load(Load); found != nullptr && !Block::use(found)) {
            known.store(nullptr, relaxed);
        }
    }
    void finish() {
        if (void* const left = known.load(relaxed)) Block::give_back(left);
    }
};

struct from_malloc {
    static void* take() { return std::malloc(sizeof(long)); }
    static void give_back(void* block) { std::free(block); }
};
struct from_new {
    static void* take() { return ::operator new(sizeof(long)); }
    static void give_back(void* block) { ::operator delete(block); }
};
template <class Block>
struct its_second_half_written : Block {
    static bool use(void* block) {
        *(static_cast<int*>(block) + 1) = 1;
        return true;
    }
};
template <class Block>
struct an_atomic_of_it_stored : Block {
    static bool use(void* block) {
        std::atomic_ref(*static_cast<int*>(block)).store(1, relaxed);
        return true;
    }
};
template <class Block>
struct filled : Block {
    static bool use(void* block) {
        std::memset(block, 1, sizeof(long));
        return true;
    }
};
template <class Block>
struct given_back : Block {
    static bool use(void* block) {
        Block::give_back(block);
        return false;
    }
};
template <class Block>
using allocated_before = allocated_by_another<Block, release, acquire>;
template <class Block, violation_kind Kind>
using allocated_unordered = wrong<allocated_by_another<Block, relaxed, relaxed>, Kind>;

// Who comes second forgets what it has made.
struct second_forgets {
    static constexpr auto threads = std::array{"makes", "makes"};
    std::atomic<int*> made{nullptr};

    void run(int thread) {
        int* expected = nullptr;
        made.compare_exchange_strong(expected, new int(thread), std::memory_order_acq_rel);
    }
    void finish() const { delete made.load(); }
};

// A vector grows while the other looks into it.
template <bool Reserved>
struct vector_grows {
    static constexpr auto threads = std::array{"grows", "looks"};
    std::vector<int> values{1};
    const int* first = nullptr;
    int seen = 0;

    vector_grows() {
        if (Reserved) values.reserve(2);
        first = values.data();
    }
    void run(int thread) {
        if (thread == 0) {
            values.push_back(2);
        } else {
            seen = *first;
        }
    }
    void finish() const { require(seen == 1); }
};

ORDEAL_SCENARIO("programs/heap_handed_over", handed_over_to_be_freed);
ORDEAL_SCENARIO("programs/heap_calloc", handed_over<with_zeros>);
ORDEAL_SCENARIO("programs/heap_realloc", handed_over<reallocated>);
ORDEAL_SCENARIO("programs/heap_without_a_value",
                wrong<handed_over<without_a_value>, violation_kind::uninitialised_read>);
ORDEAL_SCENARIO("programs/heap_one_too_far", wrong<handed_over<one_too_far>, violation_kind::use_after_free>);
ORDEAL_SCENARIO("programs/heap_used_after_free", wrong<used_after_free, violation_kind::use_after_free>);
ORDEAL_SCENARIO("programs/heap_freed_once", freed_once);
ORDEAL_SCENARIO("programs/heap_freed_twice", wrong<freed_twice<int>, violation_kind::double_free>);
ORDEAL_SCENARIO("programs/heap_string_freed_twice",
                wrong<freed_twice<std::string>, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/heap_freed_twice_in_order", wrong<freed_twice_in_order, violation_kind::double_free>);
ORDEAL_SCENARIO("programs/heap_allocated_before_write", allocated_before<its_second_half_written<from_malloc>>);
ORDEAL_SCENARIO("programs/heap_allocated_before_store", allocated_before<an_atomic_of_it_stored<from_malloc>>);
ORDEAL_SCENARIO("programs/heap_allocated_before_delete", allocated_before<given_back<from_new>>);
ORDEAL_SCENARIO("programs/heap_allocated_and_written",
                allocated_unordered<its_second_half_written<from_malloc>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/heap_allocated_and_stored",
                allocated_unordered<an_atomic_of_it_stored<from_new>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/heap_allocated_and_filled",
                allocated_unordered<filled<from_malloc>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/heap_allocated_and_freed",
                allocated_unordered<given_back<from_malloc>, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/heap_allocated_and_deleted",
                allocated_unordered<given_back<from_new>, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/heap_second_forgets", wrong<second_forgets, violation_kind::leak>);
ORDEAL_SCENARIO("programs/heap_vector_grows", wrong<vector_grows<false>, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/heap_vector_has_room", met<vector_grows<true>>);

}  // namespace

}  // namespace ordeal::model_tests
