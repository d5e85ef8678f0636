// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory resources, which keep something for each thread, and keys of <pthread.h>.
#include "model_tests/plain/programs/programs.hpp"

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory_resource>
#include <mutex>
#include <string>
#include <vector>

namespace ordeal::model_tests {

namespace {

// libstdc++ creates a key for each such pool; there are far more executions than the C library has keys.
struct synchronized_pool {
    static constexpr auto threads = std::array{"first", "second"};
    std::pmr::synchronized_pool_resource pool;
    std::atomic<int> count{0};

    void run(int thread) {
        std::pmr::vector<int> values({thread, thread + 1}, &pool);
        for (int i = 0; i < 4; ++i) count.fetch_add(values[1] - values[0]);
    }
    void finish() const { require(count.load() == 8); }
};

// The pool of one thread's own is used by two.
struct unsynchronized_pool_is_shared {
    static constexpr auto threads = std::array{"first", "second"};
    std::pmr::unsynchronized_pool_resource pool;

    void run(int thread) { require(*std::pmr::vector<int>({thread}, &pool).begin() == thread); }
};

struct monotonic_buffers {
    static constexpr auto threads = std::array{"first", "second"};
    std::atomic<int> sizes{0};

    void run(int thread) {
        std::pmr::monotonic_buffer_resource buffer;
        const std::pmr::string text(static_cast<std::size_t>(20 + thread), 'x', &buffer);
        sizes.fetch_add(static_cast<int>(text.size()));
    }
    void finish() const { require(sizes.load() == 41); }
};

// One buffer for two threads; the second allocation of each takes more from upstream.
template <bool Locks>
struct arena {
    static constexpr auto threads = std::array{"first", "second"};
    alignas(16) std::array<std::byte, 64> storage{};
    std::pmr::monotonic_buffer_resource memory{storage.data(), storage.size()};
    std::mutex mutex;

    void run(int thread) {
        std::unique_lock lock(mutex, std::defer_lock);
        if (Locks) lock.lock();
        std::pmr::vector<int> values({thread}, &memory);
        values.resize(100, 7);
        require(values[0] == thread && values[99] == 7);
    }
    void finish() {
        memory.release();
        const std::pmr::string text(200, 'x', &memory);
        require(text.size() == 200 && text.back() == 'x');
    }
};

// Of each key's values the destructor is called on the thread that has set it.
struct keys_of_threads {
    static constexpr auto threads = std::array{"sets", "sets"};
    pthread_key_t key{};

    keys_of_threads() {
        require(pthread_key_create(&key, [](void* value) { delete static_cast<int*>(value); }) == 0);
    }
    ~keys_of_threads() { pthread_key_delete(key); }
    void run(int thread) {
        require(pthread_getspecific(key) == nullptr);
        pthread_setspecific(key, new int(thread));
        require(*static_cast<int*>(pthread_getspecific(key)) == thread);
    }
};

struct value_of_key_is_lost {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        pthread_key_t key{};
        require(pthread_key_create(&key, nullptr) == 0);
        pthread_setspecific(key, new int(1));
    }
};

ORDEAL_SCENARIO("programs/pool_synchronized", synchronized_pool);
ORDEAL_SCENARIO("programs/pool_unsynchronized_is_shared",
                wrong<unsynchronized_pool_is_shared, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/pool_monotonic", monotonic_buffers);
ORDEAL_SCENARIO("programs/arena_under_a_lock", arena<true>);
ORDEAL_SCENARIO("programs/arena_is_shared", wrong<arena<false>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/keys_of_threads", keys_of_threads);
ORDEAL_SCENARIO("programs/keys_value_is_lost", wrong<value_of_key_is_lost, violation_kind::leak>);

}  // namespace

}  // namespace ordeal::model_tests
