// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler calls for every plain access under -fsanitize=thread: clang 19 to 22 and g++ 12. These run more often
// than anything else in a search.
#include "ordeal/instrumented/compiler_calls.hpp"

#include <cstddef>
#include <cstdint>

// The names are the compiler's. Volatile accesses are plain ones to the memory model. A compound access is a read and a
// write by one expression, as in `++count`.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
#define ORDEAL_PLAIN_CALLS(size) \
    void __tsan_read##size(void* from) { ordeal::reads(from, size); } \
    void __tsan_write##size(void* to) { ordeal::writes(to, size); } \
    void __tsan_unaligned_read##size(void* from) { ordeal::reads(from, size); } \
    void __tsan_unaligned_write##size(void* to) { ordeal::writes(to, size); } \
    void __tsan_volatile_read##size(void* from) { ordeal::reads(from, size); } \
    void __tsan_volatile_write##size(void* to) { ordeal::writes(to, size); } \
    void __tsan_unaligned_volatile_read##size(void* from) { ordeal::reads(from, size); } \
    void __tsan_unaligned_volatile_write##size(void* to) { ordeal::writes(to, size); } \
    void __tsan_read_write##size(void* both) { \
        ordeal::reads(both, size); \
        ordeal::writes(both, size); \
    } \
    void __tsan_unaligned_read_write##size(void* both) { \
        ordeal::reads(both, size); \
        ordeal::writes(both, size); \
    }

extern "C" {

ORDEAL_PLAIN_CALLS(1)
ORDEAL_PLAIN_CALLS(2)
ORDEAL_PLAIN_CALLS(4)
ORDEAL_PLAIN_CALLS(8)
ORDEAL_PLAIN_CALLS(16)

void __tsan_read_range(void* from, std::size_t size) { ordeal::reads(from, size); }
void __tsan_write_range(void* to, std::size_t size) { ordeal::writes(to, size); }

void __tsan_vptr_read(void** from) { ordeal::reads(from, sizeof(void*), "virtual call"); }

// A destructor first writes the vtable pointer of its own class, which is there already unless it runs for a derived
// one. That is no change of anything, and a virtual call meanwhile no race.
void __tsan_vptr_update(void** to, void* vtable) {
    if (*to == vtable) {
        ordeal::reads(to, sizeof(void*), "virtual table");
    } else {
        ordeal::writes(to, sizeof(void*), "virtual table");
    }
}

// Call stacks are taken from frame pointers instead. What is looked at is whether a recursion goes on for ever: later it is
// some function of the engine's or of a library that meets the end of the stack, and holds whatever lock it holds.
void __tsan_func_entry(void* /*caller*/) {
    const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (ordeal::detail::beyond_usable_stack(frame)) [[unlikely]]
        ordeal::leaves_stack(ordeal::code_point_here("call"));
}
void __tsan_func_exit() {}
void __tsan_init() {}

// Around functions that TSan does not look into. A race there is one all the same.
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
