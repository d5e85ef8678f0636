// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that comes from the system, and the rarer functions of the C library for it.
#include "model_tests/plain/programs/programs.hpp"

#include <malloc.h>
#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

// TBB's allocator, which need not be there: the model has another one in its place.
extern "C" {
void* scalable_malloc(std::size_t size);
void scalable_free(void* block);
}

namespace ordeal::model_tests {

namespace {

constexpr std::size_t page = 4096;

int* map(std::size_t size) {
    void* const got = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require(got != MAP_FAILED);
    return static_cast<int*>(got);
}

void unmap(int* memory, std::size_t size) { require(::munmap(memory, size) == 0); }

template <bool Ordered, bool Unmapped>
struct mapped {
    static constexpr auto threads = std::array{"maps", "uses"};
    std::atomic<int*> memory{nullptr};

    void run(int thread) {
        if (thread == 0) {
            int* const fresh = map(page + 1);
            require(reinterpret_cast<std::uintptr_t>(fresh) % page == 0);
            fresh[0] = 1;
            memory.store(fresh, Ordered ? std::memory_order_release : std::memory_order_relaxed);
        } else if (int* const found = memory.load(Ordered ? std::memory_order_acquire : std::memory_order_relaxed)) {
            require(found[0] == 1 && found[page / sizeof(int)] == 0);
        }
    }
    void finish() {
        if (Unmapped) unmap(memory, 2 * page);
    }
};

struct used_after_unmapping {
    static constexpr auto threads = std::array{"unmaps", "uses"};
    int* memory = map(page);
    std::atomic<bool> unmapped{false};

    void run(int thread) {
        if (thread == 0) {
            unmap(memory, page);
            unmapped.store(true, std::memory_order_release);
        } else if (unmapped.load(std::memory_order_acquire)) {
            memory[1] = 1;
        }
    }
};

struct unmapped_twice {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        int* const memory = map(page);
        unmap(memory, page);
        unmap(memory, page);
    }
};

// What a constructor of a global has mapped is as it was then in each execution.
int* const of_global = map(page);

struct mapped_before_main {
    static constexpr auto threads = std::array{"adds", "adds"};
    std::atomic<int*> first{of_global};

    void run(int /*thread*/) { std::atomic_ref(*first.load()).fetch_add(1); }
    void finish() const { require(*of_global == 2); }
};

struct rarer_functions {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        auto* numbers = static_cast<int*>(::reallocarray(nullptr, 2, sizeof(int)));
        require(::malloc_usable_size(numbers) >= 2 * sizeof(int));
        numbers[1] = 1;
        numbers = static_cast<int*>(::reallocarray(numbers, 4, sizeof(int)));
        require(numbers[1] == 1 && ::reallocarray(numbers, SIZE_MAX, 2) == nullptr);
        require(::realloc(numbers, 0) == nullptr);

        void* aligned = nullptr;
        require(::posix_memalign(&aligned, 256, 1) == 0 && reinterpret_cast<std::uintptr_t>(aligned) % 256 == 0);
        std::free(aligned);
        std::free(std::aligned_alloc(64, 128));
        std::free(::memalign(64, 1));

        char* const word = ::strdup("word");
        char* const part = ::strndup(word + 1, 2);
        require(std::strcmp(word, "word") == 0 && std::strcmp(part, "or") == 0);
        std::free(word);
        std::free(part);
    }
};

struct copy_of_text_is_lost {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) { require(::strdup("lost")[0] == 'l'); }
};

struct reallocated_without_a_value {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        auto* const numbers = static_cast<int*>(::reallocarray(nullptr, 2, sizeof(int)));
        require(numbers[0] != 42);
        std::free(numbers);
    }
};

template <bool Ordered>
struct scalable {
    static constexpr auto threads = std::array{"makes", "frees"};
    std::atomic<int*> made{nullptr};

    void run(int thread) {
        if (thread == 0) {
            auto* const fresh = static_cast<int*>(::scalable_malloc(sizeof(int)));
            *fresh = 42;
            made.store(fresh, Ordered ? std::memory_order_release : std::memory_order_relaxed);
        } else {
            ::scalable_free(made.exchange(nullptr, Ordered ? std::memory_order_acquire : std::memory_order_relaxed));
        }
    }
    void finish() { ::scalable_free(made); }
};

ORDEAL_SCENARIO("programs/heap_scalable", scalable<true>);
ORDEAL_SCENARIO("programs/heap_scalable_relaxed", wrong<scalable<false>, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/mapped", mapped<true, true>);
ORDEAL_SCENARIO("programs/mapped_without_order", wrong<mapped<false, true>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/mapped_for_ever", wrong<mapped<true, false>, violation_kind::leak>);
ORDEAL_SCENARIO("programs/mapped_used_after", wrong<used_after_unmapping, violation_kind::use_after_free>);
ORDEAL_SCENARIO("programs/mapped_given_back_twice", wrong<unmapped_twice, violation_kind::double_free>);
ORDEAL_SCENARIO("programs/mapped_before_main", mapped_before_main);
ORDEAL_SCENARIO("programs/heap_rarer_functions", rarer_functions);
ORDEAL_SCENARIO("programs/heap_copy_of_text_is_lost", wrong<copy_of_text_is_lost, violation_kind::leak>);
ORDEAL_SCENARIO("programs/heap_reallocarray_without_a_value",
                wrong<reallocated_without_a_value, violation_kind::uninitialised_read>);

}  // namespace

}  // namespace ordeal::model_tests
