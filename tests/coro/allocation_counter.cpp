// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#ifndef ORDEAL_TEST_TSAN  // its runtime defines the global operators itself

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

// Constant-initialised: allocations happen before main.
constinit std::atomic<std::size_t> allocated{0};
constinit std::atomic<std::size_t> freed{0};
constinit thread_local bool next_fails = false;

void* allocate_or_null(std::size_t size, std::size_t alignment) noexcept {
    if (next_fails) {
        next_fails = false;
        return nullptr;
    }
    const std::size_t whole = (size + alignment - 1) / alignment * alignment;
    void* const block = alignment <= alignof(std::max_align_t) ? std::malloc(size == 0 ? 1 : size)
                                                               : std::aligned_alloc(alignment, whole);
    if (block != nullptr) allocated.fetch_add(1, std::memory_order_relaxed);
    return block;
}

void* allocate(std::size_t size, std::size_t alignment) {
    void* const block = allocate_or_null(size, alignment);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

void release(void* block) noexcept {
    if (block == nullptr) return;
    freed.fetch_add(1, std::memory_order_relaxed);
    std::free(block);
}

}  // namespace

// Every form: a sanitizer's runtime would supply those left out, and its new does not match our delete.
void* operator new(std::size_t size) { return allocate(size, 1); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate_or_null(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate_or_null(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size) { return allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate_or_null(size, 1); }
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate_or_null(size, static_cast<std::size_t>(alignment));
}

void operator delete(void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t) noexcept { release(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { release(block); }
void operator delete(void* block, std::align_val_t) noexcept { release(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { release(block); }
void operator delete(void* block, std::align_val_t, const std::nothrow_t&) noexcept { release(block); }
void operator delete[](void* block) noexcept { release(block); }
void operator delete[](void* block, std::size_t) noexcept { release(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { release(block); }
void operator delete[](void* block, std::align_val_t) noexcept { release(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { release(block); }
void operator delete[](void* block, std::align_val_t, const std::nothrow_t&) noexcept { release(block); }

namespace ordeal::test {

std::size_t allocations() noexcept { return allocated.load(std::memory_order_relaxed); }
std::size_t live_blocks() noexcept {
    return allocated.load(std::memory_order_relaxed) - freed.load(std::memory_order_relaxed);
}
failing_allocation::failing_allocation() noexcept { next_fails = true; }
failing_allocation::~failing_allocation() { next_fails = false; }

}  // namespace ordeal::test

#endif
