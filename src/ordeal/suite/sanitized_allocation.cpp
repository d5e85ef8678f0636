// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global operator new and delete of a program under ThreadSanitizer: its malloc, with the failures that a scenario
// requests. There is no model in such a program, and the model's heap would hide blocks from ThreadSanitizer.
#include "ordeal/runtime/memory/allocation.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

thread_local unsigned fail_in = 0;  // allocations until the requested failure; 0: none
std::atomic<std::uint64_t> faults{0};

bool failure_due() noexcept {
    if (fail_in == 0 || --fail_in != 0) return false;
    // order: relaxed: a number to show.
    faults.fetch_add(1, std::memory_order_relaxed);
    return true;
}

void* allocate(std::size_t size, std::size_t alignment) noexcept {
    if (failure_due()) return nullptr;
    if (alignment <= alignof(std::max_align_t)) return std::malloc(std::max<std::size_t>(size, 1));
    return std::aligned_alloc(alignment, (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
    if (void* const block = allocate(size, alignment)) return block;
    throw std::bad_alloc();
}

constexpr std::size_t usual = alignof(std::max_align_t);

}  // namespace

namespace ordeal::detail {

// Leaks are found by the model and by the stress variant.
void count_allocations_of_this_thread() noexcept {}
std::int64_t counted_live_blocks() noexcept { return 0; }
// order: relaxed: a number to show.
std::uint64_t injected_faults() noexcept { return faults.load(std::memory_order_relaxed); }
void fail_allocation_of_this_thread(unsigned n) noexcept { fail_in = n; }

}  // namespace ordeal::detail

// The forms not listed here call one of these.
void* operator new(std::size_t size) { return allocate_or_throw(size, usual); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size) { return allocate_or_throw(size, usual); }
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, usual); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, usual); }
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate(size, static_cast<std::size_t>(alignment));
}

void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t /*size*/) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t /*size*/) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t /*alignment*/) noexcept { std::free(block); }
void operator delete[](void* block, std::align_val_t /*alignment*/) noexcept { std::free(block); }
void operator delete(void* block, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept { std::free(block); }
