// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global operator new and delete, all forms: the model's heap while code on trial runs, malloc otherwise.
#include "ordeal/runtime/memory/allocation.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/memory/heap.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

using ordeal::detail::allocation_family;
using ordeal::detail::allocation_form;

// For real threads; the model has its own.
struct thread_account {
    unsigned fail_in = 0;  // allocations until the injected failure; 0: none
    bool counted = false;
};

thread_local thread_account account;
constinit ordeal::memory_range of_constructors;
std::atomic<std::int64_t> live_blocks{0};
std::atomic<std::uint64_t> faults{0};

bool failure_due() noexcept {
    if (account.fail_in == 0 || --account.fail_in != 0) return false;
    faults.fetch_add(1, std::memory_order_relaxed);
    return true;
}

constexpr allocation_form object{allocation_family::object};
constexpr allocation_form array{allocation_family::array};

void* allocate(std::size_t size, std::size_t alignment, allocation_form form) noexcept {
    if (ordeal::on_trial()) return ordeal::detail::heap::allocate(size, alignment, form);
    if (failure_due()) return nullptr;
    if (account.counted) live_blocks.fetch_add(1, std::memory_order_relaxed);
    if (alignment <= alignof(std::max_align_t)) return std::malloc(std::max<std::size_t>(size, 1));
    return std::aligned_alloc(alignment, (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment, allocation_form form) {
    if (void* const block = allocate(size, alignment, form)) return block;
    throw std::bad_alloc();
}

void deallocate(void* block, allocation_form form, std::size_t size = ordeal::detail::unknown_size) noexcept {
    if (reinterpret_cast<std::uintptr_t>(block) - of_constructors.address < of_constructors.size) return;
    if (!ordeal::detail::heap::contains(block)) {
        if (account.counted && block != nullptr) live_blocks.fetch_sub(1, std::memory_order_relaxed);
        std::free(block);
    } else if (ordeal::on_trial()) {
        ordeal::detail::heap::deallocate(block, form, size);
    }
    // Otherwise: an object of a finished execution, which ended with its memory.
}

allocation_form aligned_object(std::align_val_t alignment) noexcept {
    return allocation_form::aligned(allocation_family::object, static_cast<std::size_t>(alignment));
}
allocation_form aligned_array(std::align_val_t alignment) noexcept {
    return allocation_form::aligned(allocation_family::array, static_cast<std::size_t>(alignment));
}

constexpr std::size_t usual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

}  // namespace

namespace ordeal::detail {

void exempt_static_blocks(memory_range where) noexcept { of_constructors = where; }
void count_allocations_of_this_thread() noexcept { account.counted = true; }
std::int64_t counted_live_blocks() noexcept { return live_blocks.load(std::memory_order_relaxed); }
std::uint64_t injected_faults() noexcept { return faults.load(std::memory_order_relaxed); }

void fail_allocation_of_this_thread(unsigned n) noexcept {
    if (on_trial()) {
        heap::fail_allocation(n);
    } else {
        account.fail_in = n;
    }
}

}  // namespace ordeal::detail

void* operator new(std::size_t size) { return allocate_or_throw(size, usual, object); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, usual, array); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate_or_throw(size, static_cast<std::size_t>(alignment), aligned_object(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return allocate_or_throw(size, static_cast<std::size_t>(alignment), aligned_array(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, usual, object); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, usual, array); }
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate(size, static_cast<std::size_t>(alignment), aligned_object(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate(size, static_cast<std::size_t>(alignment), aligned_array(alignment));
}

void operator delete(void* block) noexcept { deallocate(block, object); }
void operator delete[](void* block) noexcept { deallocate(block, array); }
void operator delete(void* block, std::size_t size) noexcept { deallocate(block, object, size); }
void operator delete[](void* block, std::size_t size) noexcept { deallocate(block, array, size); }
void operator delete(void* block, std::align_val_t alignment) noexcept { deallocate(block, aligned_object(alignment)); }
void operator delete[](void* block, std::align_val_t alignment) noexcept {
    deallocate(block, aligned_array(alignment));
}
void operator delete(void* block, std::size_t size, std::align_val_t alignment) noexcept {
    deallocate(block, aligned_object(alignment), size);
}
void operator delete[](void* block, std::size_t size, std::align_val_t alignment) noexcept {
    deallocate(block, aligned_array(alignment), size);
}
void operator delete(void* block, const std::nothrow_t&) noexcept { deallocate(block, object); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { deallocate(block, array); }
void operator delete(void* block, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    deallocate(block, aligned_object(alignment));
}
void operator delete[](void* block, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    deallocate(block, aligned_array(alignment));
}
