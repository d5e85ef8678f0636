// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/process_state/static_memory.hpp"

#include "ordeal/instrumented/caller/runtime_on_trial.hpp"
#include "ordeal/runtime/memory/heap.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace ordeal::detail {

namespace {

constexpr std::size_t minimum_alignment = 16;

// Precedes each block.
struct header {
    std::size_t size = 0;
    std::uint32_t freed = 0;
    allocation_form form;
};
static_assert(sizeof(header) == minimum_alignment);

// Constructors may start threads.
std::atomic<std::uintptr_t> next{0};
std::atomic<bool> sealed{false};

std::uintptr_t reserve() noexcept {
    void* const got = ::mmap(reinterpret_cast<void*>(static_memory::base), static_memory::size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED) {
        std::perror("ordeal: cannot reserve memory for static objects");
        std::abort();
    }
    next.store(static_memory::base);
    return static_memory::base;
}

header& header_of(const void* block) noexcept {
    return *reinterpret_cast<header*>(reinterpret_cast<std::uintptr_t>(block) - sizeof(header));
}

}  // namespace

void* static_memory::allocate(std::size_t bytes, std::size_t alignment, allocation_form form) noexcept {
    static const std::uintptr_t reserved = reserve();
    if (sealed || bytes > size) return nullptr;
    alignment = std::max(alignment, minimum_alignment);
    std::uintptr_t before = next;
    std::uintptr_t address = 0;
    do {
        address = (before + sizeof(header) + alignment - 1) & ~(std::uintptr_t{alignment} - 1);
        if (address + bytes > reserved + size) return nullptr;
    } while (!next.compare_exchange_weak(before, address + bytes));
    auto* const block = reinterpret_cast<void*>(address);
    header_of(block) = {bytes, 0, form};
    return block;
}

void static_memory::allocate_again(void* block, std::size_t bytes, allocation_form form) noexcept {
    header_of(block) = {bytes, 0, form};
    std::memset(block, heap::fill, bytes);
    if (instrumented_runtime* const runtime = runtime_on_trial())
        runtime->allocated({reinterpret_cast<std::uintptr_t>(block), bytes});
}

std::size_t static_memory::size_of(const void* block) noexcept { return header_of(block).size; }

void static_memory::deallocate(void* block, allocation_form form, std::size_t told) noexcept {
    header& about = header_of(block);
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return;
    if (about.freed != 0) runtime->fail(violation_kind::double_free, "a block is freed twice", no_site);
    if (const char* const wrong = mismatch(about.form, about.size, form, told)) {
        runtime->fail(violation_kind::precondition, wrong, no_site);
    }
    about.freed = 1;
    runtime->freed({reinterpret_cast<std::uintptr_t>(block), about.size});
    std::memset(block, 0xdd, about.size);
}

memory_range static_memory::seal() noexcept {
    sealed = true;
    const std::uintptr_t end = next;
    if (end == 0) return {base, 0};
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    return {base, (end - base + page - 1) & ~(page - 1)};
}

}  // namespace ordeal::detail
