// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for the objects of a trial: the heap on trial, while they are on trial; before that, for constructors of
// globals, memory that is restored with the globals; for what the harness calls, such as a specification, that of the
// C library.
#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/real_function.hpp"
#include "ordeal/instrumented/process_state/static_memory.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/memory/allocation.hpp"
#include "ordeal/runtime/memory/heap.hpp"

#include <malloc.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace ordeal::detail {

namespace {

constexpr std::size_t usual = alignof(std::max_align_t);
constexpr std::size_t page = 4096;
constexpr std::size_t cache_line = 128;  // as in TBB

constinit real_function<void(void*)> scalable_free("scalable_free");
constinit real_function<void(void*)> scalable_aligned_free("scalable_aligned_free");
constinit real_function<void(void*)> tbb_deallocate_memory("_ZN3tbb6detail2r117deallocate_memoryEPv");
constinit real_function<void(void*)> tbb_cache_aligned_deallocate("_ZN3tbb6detail2r124cache_aligned_deallocateEPv");

[[nodiscard]] bool is_power_of_two(std::size_t value) noexcept { return value != 0 && (value & (value - 1)) == 0; }

constexpr allocation_form of_c{allocation_family::c};
constexpr allocation_form object{allocation_family::object};
constexpr allocation_form array{allocation_family::array};
[[nodiscard]] allocation_form aligned_object(std::size_t alignment) noexcept {
    return allocation_form::aligned(allocation_family::object, alignment);
}
[[nodiscard]] allocation_form aligned_array(std::size_t alignment) noexcept {
    return allocation_form::aligned(allocation_family::array, alignment);
}

[[nodiscard]] void* take_from_c_library(std::size_t size, std::size_t alignment) noexcept {
    void* block = nullptr;
    return ::posix_memalign(&block, std::max(alignment, sizeof(void*)), size) == 0 ? block : nullptr;
}

[[nodiscard]] void* take(std::size_t size, std::size_t alignment, allocation_form form) noexcept {
    if (runtime_on_trial() == nullptr) {
        if (harness_calls_user_code) return take_from_c_library(size, alignment);
        return static_memory::allocate(size, alignment, form);
    }
    static_block_reuse = true;
    void* const block = heap::allocate(size, alignment, form);
    static_block_reuse = false;
    if (static_memory::contains(block)) static_memory::allocate_again(block, size, form);
    return block;
}

// Null with errno set, as in the C library.
[[nodiscard]] void* take_for_c(std::size_t size, std::size_t alignment) noexcept {
    void* const block = take(size, alignment, of_c);
    if (block == nullptr) errno = ENOMEM;
    return block;
}

[[nodiscard]] void* take_or_throw(std::size_t size, std::size_t alignment, allocation_form form) {
    if (void* const block = take(size, alignment, form)) return block;
    throw std::bad_alloc();
}

// Memory that the C library itself allocated (getline, realpath) is returned to it. What libstdc++ allocated by
// operator new outside the heap on trial was allocated before the search, for an object that existed then: it is
// restored for each execution.
void give_back(void* block, allocation_form form, std::size_t size = unknown_size) noexcept {
    if (block == nullptr) return;
    if (heap::contains(block)) {
        // An object of a finished execution ended with its memory.
        if (runtime_on_trial() != nullptr) heap::deallocate(block, form, size);
    } else if (static_memory::contains(block)) {
        static_memory::deallocate(block, form, size);
    } else {
        // The C library may reuse it for another thread.
        instrumented_runtime* const runtime = runtime_on_trial();
        if (runtime != nullptr) runtime->forget_accesses(range_at(block, ::malloc_usable_size(block)));
        if (runtime == nullptr || form.family == allocation_family::c) std::free(block);
    }
}

[[nodiscard]] bool is_ours(const void* block) noexcept {
    return heap::contains(block) || static_memory::contains(block);
}

// The same for a library's allocator.
void give_back(void* block, real_function<void(void*)>& to_library) {
    if (block == nullptr || is_ours(block)) return give_back(block, {});
    to_library(block);
}

[[nodiscard]] std::size_t size_of(const void* block) noexcept {
    return heap::contains(block) ? heap::size_of(block) : static_memory::size_of(block);
}

[[gnu::always_inline]] inline void* take_zeroed(std::size_t count, std::size_t size) {
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return nullptr;
    }
    void* const block = take_for_c(bytes, usual);
    if (block == nullptr) return nullptr;
    writes(block, bytes, "calloc");
    return std::memset(block, 0, bytes);
}

[[gnu::always_inline]] inline void* take_again(void* block, std::size_t size) {
    if (block == nullptr) return take_for_c(size, usual);
    if (!is_ours(block)) return std::realloc(block, size);
    if (size == 0) {  // as in the GNU C library
        give_back(block, of_c);
        return nullptr;
    }
    void* const moved = take_for_c(size, usual);
    if (moved == nullptr) return nullptr;
    const std::size_t kept = std::min(size, size_of(block));
    copies(moved, block, kept, "realloc");
    std::memcpy(moved, block, kept);
    give_back(block, of_c);
    return moved;
}

[[gnu::always_inline]] inline char* take_copy(const char* text, std::size_t length, const char* operation) {
    auto* const made = static_cast<char*>(take_for_c(length + 1, usual));
    if (made == nullptr) return nullptr;
    writes(made, length + 1, operation);
    std::memcpy(made, text, length);
    made[length] = '\0';
    return made;
}

}  // namespace

// The names of operator new and delete are mangled: m is the size, St11align_val_t the alignment, RKSt9nothrow_t
// nothrow.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

void* __wrap_malloc(std::size_t size) { return take_for_c(size, usual); }
void* __wrap_calloc(std::size_t count, std::size_t size) { return take_zeroed(count, size); }
void* __wrap_realloc(void* block, std::size_t size) { return take_again(block, size); }
void* __wrap_reallocarray(void* block, std::size_t count, std::size_t size) {
    std::size_t bytes = 0;
    if (!__builtin_mul_overflow(count, size, &bytes)) return take_again(block, bytes);
    errno = ENOMEM;
    return nullptr;
}
void __wrap_free(void* block) { give_back(block, of_c); }
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
    if (is_power_of_two(alignment)) return take_for_c(size, alignment);
    errno = EINVAL;
    return nullptr;
}
void* __wrap_memalign(std::size_t alignment, std::size_t size) { return __wrap_aligned_alloc(alignment, size); }
int __wrap_posix_memalign(void** result, std::size_t alignment, std::size_t size) {
    if (!is_power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
    void* const block = take(size, alignment, of_c);
    if (block == nullptr) return ENOMEM;
    writes(result, sizeof(*result), "posix_memalign");
    *result = block;
    return 0;
}
void* __wrap_valloc(std::size_t size) { return take_for_c(size, page); }
void* __wrap_pvalloc(std::size_t size) { return take_for_c((size + page - 1) & ~(page - 1), page); }
std::size_t __wrap_malloc_usable_size(void* block) {
    if (block == nullptr) return 0;
    return is_ours(block) ? size_of(block) : ::malloc_usable_size(block);
}
char* __wrap_strdup(const char* text) {
    const std::size_t length = std::strlen(text);
    reads(text, length + 1, "strdup");
    return take_copy(text, length, "strdup");
}
char* __wrap_strndup(const char* text, std::size_t size) {
    const std::size_t length = ::strnlen(text, size);
    reads(text, std::min(length + 1, size), "strndup");
    return take_copy(text, length, "strndup");
}

void* __wrap__Znwm(std::size_t size) { return take_or_throw(size, usual, object); }
void* __wrap__Znam(std::size_t size) { return take_or_throw(size, usual, array); }
void* __wrap__ZnwmSt11align_val_t(std::size_t size, std::size_t alignment) {
    return take_or_throw(size, alignment, aligned_object(alignment));
}
void* __wrap__ZnamSt11align_val_t(std::size_t size, std::size_t alignment) {
    return take_or_throw(size, alignment, aligned_array(alignment));
}
void* __wrap__ZnwmRKSt9nothrow_t(std::size_t size, const std::nothrow_t&) { return take(size, usual, object); }
void* __wrap__ZnamRKSt9nothrow_t(std::size_t size, const std::nothrow_t&) { return take(size, usual, array); }
void* __wrap__ZnwmSt11align_val_tRKSt9nothrow_t(std::size_t size, std::size_t alignment, const std::nothrow_t&) {
    return take(size, alignment, aligned_object(alignment));
}
void* __wrap__ZnamSt11align_val_tRKSt9nothrow_t(std::size_t size, std::size_t alignment, const std::nothrow_t&) {
    return take(size, alignment, aligned_array(alignment));
}

void __wrap__ZdlPv(void* block) { give_back(block, object); }
void __wrap__ZdaPv(void* block) { give_back(block, array); }
void __wrap__ZdlPvm(void* block, std::size_t size) { give_back(block, object, size); }
void __wrap__ZdaPvm(void* block, std::size_t size) { give_back(block, array, size); }
void __wrap__ZdlPvSt11align_val_t(void* block, std::size_t alignment) { give_back(block, aligned_object(alignment)); }
void __wrap__ZdaPvSt11align_val_t(void* block, std::size_t alignment) { give_back(block, aligned_array(alignment)); }
void __wrap__ZdlPvmSt11align_val_t(void* block, std::size_t size, std::size_t alignment) {
    give_back(block, aligned_object(alignment), size);
}
void __wrap__ZdaPvmSt11align_val_t(void* block, std::size_t size, std::size_t alignment) {
    give_back(block, aligned_array(alignment), size);
}
void __wrap__ZdlPvRKSt9nothrow_t(void* block, const std::nothrow_t&) { give_back(block, object); }
void __wrap__ZdaPvRKSt9nothrow_t(void* block, const std::nothrow_t&) { give_back(block, array); }
void __wrap__ZdlPvSt11align_val_tRKSt9nothrow_t(void* block, std::size_t alignment, const std::nothrow_t&) {
    give_back(block, aligned_object(alignment));
}
void __wrap__ZdaPvSt11align_val_tRKSt9nothrow_t(void* block, std::size_t alignment, const std::nothrow_t&) {
    give_back(block, aligned_array(alignment));
}

// TBB's allocator would reuse memory between threads and executions, unseen by the model.
[[gnu::alias("__wrap_malloc")]] void* __wrap_scalable_malloc(std::size_t size);
[[gnu::alias("__wrap_calloc")]] void* __wrap_scalable_calloc(std::size_t count, std::size_t size);
[[gnu::alias("__wrap_realloc")]] void* __wrap_scalable_realloc(void* block, std::size_t size);
[[gnu::alias("__wrap_posix_memalign")]] int __wrap_scalable_posix_memalign(void** result, std::size_t alignment,
                                                                           std::size_t size);
[[gnu::alias("__wrap_malloc_usable_size")]] std::size_t __wrap_scalable_msize(void* block);
[[gnu::alias("__wrap__Znwm")]] void* __wrap__ZN3tbb6detail2r115allocate_memoryEm(std::size_t size);
void* __wrap_scalable_aligned_malloc(std::size_t size, std::size_t alignment) {
    return __wrap_aligned_alloc(alignment, size);
}
void* __wrap__ZN3tbb6detail2r122cache_aligned_allocateEm(std::size_t size) {
    return take_or_throw(size, cache_line, {});
}
void __wrap_scalable_free(void* block) { give_back(block, scalable_free); }
void __wrap_scalable_aligned_free(void* block) { give_back(block, scalable_aligned_free); }
void __wrap__ZN3tbb6detail2r117deallocate_memoryEPv(void* block) { give_back(block, tbb_deallocate_memory); }
void __wrap__ZN3tbb6detail2r124cache_aligned_deallocateEPv(void* block) {
    give_back(block, tbb_cache_aligned_deallocate);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)

}  // namespace ordeal::detail
