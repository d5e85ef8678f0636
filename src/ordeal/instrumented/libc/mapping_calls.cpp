// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that code on trial maps. An anonymous mapping that is unmapped as a whole is a block like any other, filled
// with zeros; for constructors of globals, memory that is restored with them. Everything else about mappings is
// refused.
#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/process_state/static_memory.hpp"
#include "ordeal/runtime/memory/heap.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace ordeal::detail {

namespace {

constexpr std::size_t page = 4096;  // on every machine
constexpr std::size_t largest_mapping = std::size_t{32} << 20;

// Flags that make no difference here: there is no other process to share memory with.
constexpr int understood = MAP_PRIVATE | MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_POPULATE | MAP_STACK;

[[nodiscard]] bool is_plain_memory(int protection, int flags) noexcept {
    return protection == (PROT_READ | PROT_WRITE) && (flags & MAP_ANONYMOUS) != 0 && (flags & ~understood) == 0;
}

[[nodiscard]] std::size_t whole_pages(std::size_t size) noexcept { return (size + page - 1) & ~(page - 1); }

void* failed_with(int error) noexcept {
    errno = error;
    return MAP_FAILED;
}

// Before main the memory is fresh and zero.
[[gnu::always_inline]] inline void* map(std::size_t size) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return static_memory::allocate(size, page, {allocation_family::mapping});
    void* const block = heap::allocate(size, page, {allocation_family::mapping});
    if (block == nullptr) return nullptr;
    runtime->write_bytes(range_at(block, size), code_location_here("mmap"));
    return std::memset(block, 0, size);
}

// Whether it is the whole of a mapping made here.
[[nodiscard]] bool unmap(void* block, std::size_t size) noexcept {
    if (heap::contains(block)) {
        if (runtime_on_trial() == nullptr) return true;  // it ended with its execution
        if (heap::size_of(block) != size) return false;
        heap::deallocate(block, {allocation_family::mapping});
        return true;
    }
    if (!static_memory::contains(block) || static_memory::size_of(block) != size) return false;
    static_memory::deallocate(block, {allocation_family::mapping});
    return true;
}

}  // namespace

// Names of the linker.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

void* __wrap_mmap(void* where, std::size_t size, int protection, int flags, int file, off_t offset) {
    if (!is_plain_memory(protection, flags)) {
        refused_on_trial("the function mmap, but for memory of no file that may be read and written,");
        return ::mmap(where, size, protection, flags, file, offset);
    }
    if (size == 0) return failed_with(EINVAL);
    if (size > largest_mapping) refused_on_trial("the function mmap, for more than 32 MB,");
    if (void* const block = map(whole_pages(size))) return block;
    if (runtime_on_trial() != nullptr) return failed_with(ENOMEM);
    return ::mmap(where, size, protection, flags, file, offset);
}
[[gnu::alias("__wrap_mmap")]] void* __wrap_mmap64(void* where, std::size_t size, int protection, int flags, int file,
                                                  off_t offset);
int __wrap_munmap(void* block, std::size_t size) {
    if (unmap(block, whole_pages(size))) return 0;
    refused_on_trial("the function munmap, but for the whole of one mapping,");
    return ::munmap(block, size);
}

// Advice has no effect, unless it allows the memory to be discarded.
int __wrap_madvise(void* block, std::size_t size, int advice) {
    const bool empties = advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE;
    if (empties) refused_on_trial("the function madvise, to give memory back,");
    return runtime_on_trial() != nullptr ? 0 : ::madvise(block, size, advice);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // namespace ordeal::detail
