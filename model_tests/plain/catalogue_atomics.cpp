// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One of every atomic operation, and of what the standard library makes of them; see catalogue.cpp.
#include "catalogue.hpp"

#include <array>
#include <atomic>
#include <barrier>
#include <cassert>
#include <condition_variable>
#include <cstdint>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <thread>

// What it does is not how anybody should do it.
// NOLINTBEGIN
namespace catalogue {

// ---- Atomic objects: each size, operation and order ----

template <class T>
[[gnu::noinline]] void operations(std::atomic<T>& object, T one, T two, std::memory_order any) {
    for (const auto order : {std::memory_order_relaxed, std::memory_order_acquire, std::memory_order_seq_cst}) {
        (void)object.load(order);
    }
    for (const auto order : {std::memory_order_relaxed, std::memory_order_release, std::memory_order_seq_cst}) {
        object.store(one, order);
    }
    (void)object.load(std::memory_order_consume);
    (void)object.exchange(two, std::memory_order_acq_rel);
    (void)object.exchange(one, any);
    T expected = one;
    while (!object.compare_exchange_weak(expected, two)) {
    }
    assert(!object.compare_exchange_weak(expected, one, std::memory_order_release, std::memory_order_relaxed) ||
           expected == one);
    (void)object.compare_exchange_weak(expected, one, any);
    (void)object.compare_exchange_strong(expected, one, std::memory_order_acq_rel, std::memory_order_acquire);
    expected = one;
    object = one;
    assert(object.compare_exchange_strong(expected, two, any) && object == two);
    object.wait(one);
    object.notify_one();
    object.notify_all();
}

template <class T>
void integral() {
    std::atomic<T> object{T(1)};
    operations(object, T(1), T(2), std::memory_order_relaxed);
    volatile std::atomic<T>& alias = object;
    assert(object.fetch_add(T(5), std::memory_order_relaxed) == T(2) && alias.fetch_sub(T(3)) == T(7));
    assert((object.fetch_or(T(8)) & T(8)) == 0 && object.fetch_and(T(12)) == T(12) && object.fetch_xor(T(4)) == T(12));
    assert(++object == T(9) && alias-- == T(9) && (object += T(2)) == T(10) && (object ^= T(1)) == T(11));
    T plain = 1;
    std::atomic_ref<T> reference(plain);
    assert(reference.fetch_add(T(1)) == T(1) && reference.exchange(T(7)) == T(2) && reference == T(7));
    T raw = 3;
    assert(__sync_fetch_and_add(&raw, T(1)) == T(3) && __sync_bool_compare_and_swap(&raw, T(4), T(5)));
    assert(__sync_lock_test_and_set(&raw, T(1)) == T(5) && __sync_val_compare_and_swap(&raw, T(2), T(3)) == T(1));
    __sync_lock_release(&raw);
    assert(__atomic_add_fetch(&raw, T(6), __ATOMIC_ACQ_REL) == T(6) && __atomic_is_lock_free(sizeof(T), &raw));
}

struct pair {
    int left;
    int right;
    friend bool operator==(const pair&, const pair&) = default;
};

void atomics() {
    integral<std::int8_t>();
    integral<std::uint8_t>();
    integral<std::int16_t>();
    integral<std::int32_t>();
    integral<std::int64_t>();
    integral<char32_t>();
    std::atomic<bool> truth;
    operations(truth, true, false, std::memory_order_seq_cst);
    std::atomic<pair> both;
    operations(both, {1, 2}, {3, 4}, std::memory_order_seq_cst);
    alignas(8) pair plain{1, 2};
    std::atomic_ref<pair> reference(plain);
    reference.store({5, 6});
    assert((reference.load() == pair{5, 6}) && reference.is_lock_free());
    std::array<int, 4> values{};
    std::atomic<int*> pointer(values.data());
    operations(pointer, values.data(), values.data() + 1, std::memory_order_seq_cst);
    assert(pointer.fetch_add(2) == values.data() + 1 && --pointer == values.data() + 2);
    std::atomic<double> number(1.5);
    std::atomic<float> small(1.5F);
    assert(number.fetch_add(2) == 1.5 && (small -= 1) == 0.5F && number.exchange(0) == 3.5);
    std::atomic_flag flag;
    assert(!flag.test_and_set(std::memory_order_acquire) && flag.test());
    flag.clear(std::memory_order_release);
    flag.wait(true);
    flag.notify_all();
    std::atomic<std::shared_ptr<int>> shared(std::make_shared<int>(3));
    const std::shared_ptr<int> before = shared.exchange(nullptr);
    const std::shared_ptr<int> copy = before;
    assert(*before == 3 && copy.use_count() == 2 && shared.load() == nullptr);
    for (const auto order : {std::memory_order_relaxed, std::memory_order_acquire, std::memory_order_seq_cst}) {
        std::atomic_thread_fence(order);
        std::atomic_signal_fence(order);
    }
    std::atomic_thread_fence(std::memory_order_release);
    std::atomic_thread_fence(std::memory_order_acq_rel);
    __sync_synchronize();
}

// ---- 16 bytes, nand, and an odd size, which the model does not have ----

#ifdef __clang__
#pragma clang diagnostic ignored "-Watomic-alignment"  // that the processor may not have it either
#endif

struct odd {
    std::array<char, 3> bytes;
};

struct wide {
    std::uint64_t first;
    std::uint64_t second;
    friend bool operator==(const wide&, const wide&) = default;
};

template <class T>
[[gnu::noinline]] T fetch_nand(T* object) {
    return __atomic_fetch_nand(object, T(3), __ATOMIC_SEQ_CST);
}

[[gnu::noinline]] void widest(int128* object) {
    assert(__atomic_fetch_add(object, 2, __ATOMIC_SEQ_CST) == 1 &&
           __atomic_fetch_sub(object, 1, __ATOMIC_RELAXED) == 3);
    assert(__atomic_fetch_or(object, 4, __ATOMIC_ACQUIRE) == 2 && __atomic_fetch_xor(object, 1, __ATOMIC_ACQ_REL) == 6);
    assert(__atomic_fetch_and(object, 3, __ATOMIC_RELEASE) == 7);
    assert(__atomic_exchange_n(object, 5, __ATOMIC_SEQ_CST) == 3 && __atomic_load_n(object, __ATOMIC_SEQ_CST) == 5);
    __atomic_store_n(object, 6, __ATOMIC_SEQ_CST);
    int128 expected = 6;
    assert(__atomic_compare_exchange_n(object, &expected, 7, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
}

void beyond_the_model() {
    std::atomic<odd> three{};
    (void)three.exchange({{'a', 'b', 'c'}});
    assert(three.load().bytes[2] == 'c');
    std::atomic<wide> sixteen{};
    operations(sixteen, {1, 2}, {3, 4}, std::memory_order_seq_cst);
    std::uint8_t byte = 5;
    std::uint16_t half = 5;
    std::int32_t word = 5;
    std::int64_t longer = 5;
    int128 all = 1;
    widest(&all);
    assert(fetch_nand(&byte) == 5 && byte == 0xfe && fetch_nand(&half) == 5 && half == 0xfffe);
    assert(fetch_nand(&word) == 5 && word == ~1 && fetch_nand(&longer) == 5 && fetch_nand(&all) == 7 && all == ~3);
}

// ---- What the library makes of them ----

void synchronisation() {
    std::mutex mutex;
    std::shared_mutex readers;
    std::recursive_mutex again;
    std::condition_variable changed;
    {
        const std::scoped_lock all(mutex, again);
        const std::shared_lock reading(readers);
        changed.notify_one();
    }
    std::latch latch(1);
    latch.arrive_and_wait();
    std::barrier barrier(1, []() noexcept {});
    barrier.arrive_and_wait();
    std::counting_semaphore<4> semaphore(1);
    semaphore.acquire();
    assert(!semaphore.try_acquire());
    semaphore.release(2);
    semaphore.acquire();
    std::once_flag once;
    int calls = 0;
    for (int i = 0; i < 2; ++i) std::call_once(once, [&calls] { ++calls; });
    std::stop_source source;
    const std::stop_callback callback(source.get_token(), [&calls] { ++calls; });
    assert(source.request_stop() && calls == 2);
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    promise.set_value(4);
    assert(future.get() == 4);
    std::jthread thread([&calls](const std::stop_token& token) { calls += token.stop_requested() ? 0 : 1; });
    thread.join();
    assert(calls == 3);
}

}  // namespace catalogue
// NOLINTEND
