// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code on trial, compiled with instrumentation into a library of its own: places whose names the test knows.
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>

extern "C" int expected_line;
int expected_line = 0;
// The operation that is asked for is on the same line.
#define ORDEAL_HERE expected_line = __LINE__

namespace named {

// Known elsewhere, or the compiler would see that nobody changes some of them.
int hits[4];
std::atomic<int> flag{0};
std::atomic<int> other{0};

// Many wrap the atomic types; what order there is, the callers say.
struct wrapped {
    std::atomic<int> value{0};
    int get(std::memory_order order) { return ORDEAL_HERE, value.load(order); }
};
wrapped wrapper;

}  // namespace named

using namespace named;

namespace {

inline int helper() { return ORDEAL_HERE, flag.exchange(2, std::memory_order_acq_rel); }

int compare(const void*, const void*) {
    ORDEAL_HERE, flag.fetch_or(4, std::memory_order_relaxed);
    return 0;
}

std::shared_ptr<int> shared = std::make_shared<int>(1);
std::once_flag once;
constexpr int (*subtract)(std::atomic<int>*, int, std::memory_order) noexcept = &std::atomic_fetch_sub_explicit<int>;

}  // namespace

extern "C" void one_store() { ORDEAL_HERE, flag.store(1, std::memory_order_release); }

extern "C" int two_loads_on_a_line() {
    return ORDEAL_HERE, flag.load(std::memory_order_acquire) + other.load(std::memory_order_relaxed);
}

extern "C" int same_operation_elsewhere() {
    int sum = flag.load(std::memory_order_seq_cst);
    sum += flag.load(std::memory_order_seq_cst);
    return sum;
}

// Equal at their beginnings and at their ends, where compilers make one operation of two.
extern "C" void same_operations_in_two_branches(int second) {
    if (second == 0) {
        other.exchange(3, std::memory_order_acquire);
        named::hits[0] = 1;
        flag.store(1, std::memory_order_release);
    } else {
        other.exchange(3, std::memory_order_acquire);
        named::hits[1] = 1;
        flag.store(1, std::memory_order_release);
    }
}

extern "C" int through_a_helper() { return helper() + 1; }

extern "C" int wrapped_twice() {
    return wrapper.get(std::memory_order_acquire) + wrapper.get(std::memory_order_relaxed);
}

extern "C" bool compare_and_exchange() {
    int expected = 7;
    return ORDEAL_HERE, flag.compare_exchange_strong(expected, 8, std::memory_order_acq_rel, std::memory_order_relaxed);
}

extern "C" bool weak_compare_and_exchange() {
    int expected = 7;
    return ORDEAL_HERE, flag.compare_exchange_weak(expected, 8, std::memory_order_acq_rel, std::memory_order_relaxed);
}

extern "C" void only_a_fence() { ORDEAL_HERE, std::atomic_thread_fence(std::memory_order_seq_cst); }

extern "C" void in_a_lambda() {
    const auto lambda = [] { ORDEAL_HERE, ++flag; };
    lambda();
}

extern "C" void through_the_c_library() {
    int numbers[2] = {2, 1};
    std::qsort(numbers, 2, sizeof(int), &compare);
}

extern "C" void copy_a_shared_pointer() { const auto copy = (ORDEAL_HERE, shared); }

extern "C" void library_alone_under_call_once() {
    ORDEAL_HERE, std::call_once(once, subtract, &flag, 3, std::memory_order_acq_rel);
}

extern "C" void plain_write(int value) { ORDEAL_HERE, named::hits[2] = value; }

extern "C" void* address_of_a_global(std::size_t number) { return &named::hits[number]; }
