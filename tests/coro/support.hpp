// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <latch>
#include <thread>
#include <utility>
#include <vector>

#if defined(__SANITIZE_THREAD__)
#define ORDEAL_TEST_TSAN 1
#elif defined(__SANITIZE_ADDRESS__)
#define ORDEAL_TEST_ASAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ORDEAL_TEST_TSAN 1
#elif __has_feature(address_sanitizer)
#define ORDEAL_TEST_ASAN 1
#endif
#endif

namespace ordeal::test {

#if defined(ORDEAL_TEST_TSAN) || defined(ORDEAL_TEST_ASAN)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// Rounds of a test on real threads; a sanitizer makes each of them about ten times as slow.
inline constexpr int rounds = sanitized ? 200 : 1000;

#ifndef ORDEAL_TEST_TSAN
// Counted by the global operators new and delete of allocation_counter.cpp.
[[nodiscard]] std::size_t allocations() noexcept;  ///< calls so far of any operator new
[[nodiscard]] std::size_t live_blocks() noexcept;  ///< blocks not yet freed

/// While it lives, the next allocation of this thread throws std::bad_alloc, once.
class failing_allocation {
public:
    failing_allocation() noexcept;
    ~failing_allocation();
    failing_allocation(const failing_allocation&) = delete;
    failing_allocation& operator=(const failing_allocation&) = delete;
};
#endif

/// The number of live blocks when it was made, to compare with later. ThreadSanitizer's runtime defines the global
/// operators itself, so in its builds there is nothing to compare: the tests look for races there, and the other
/// builds look for leaks.
class block_count {
public:
#ifdef ORDEAL_TEST_TSAN
    [[nodiscard]] bool grown_by(std::size_t) const noexcept { return true; }
    [[nodiscard]] bool unchanged() const noexcept { return true; }
#else
    [[nodiscard]] bool grown_by(std::size_t blocks) const noexcept { return live_blocks() == before_ + blocks; }
    [[nodiscard]] bool unchanged() const noexcept { return grown_by(0); }

private:
    std::size_t before_ = live_blocks();
#endif
};

/// Counts the live objects of its kind. As a parameter of a coroutine it lives as long as the frame.
class counted {
public:
    explicit counted(std::atomic<int>& live) noexcept : live_(&live) { live_->fetch_add(1); }
    counted(counted&& other) noexcept : live_(other.live_) { live_->fetch_add(1); }
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;
    ~counted() { live_->fetch_sub(1); }

private:
    std::atomic<int>* live_;
};

/// Runs every action on a thread of its own, started together, and joins them all.
template <class... Actions>
void run_together(Actions&&... actions) {
    std::latch start(static_cast<std::ptrdiff_t>(sizeof...(Actions)));
    std::vector<std::jthread> threads;
    threads.reserve(sizeof...(Actions));
    (threads.emplace_back([&start, &actions] {
        start.arrive_and_wait();
        actions();
    }),
     ...);
}

}  // namespace ordeal::test
