// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler calls for every plain access under -fsanitize=thread: clang 19 to 22 and g++ 12. These run more often
// than anything else in a search.
#include "ordeal/instrumented/compiler_calls.hpp"

#include "ordeal/instrumented/code_sites.hpp"
#include "ordeal/model/execution.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

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

// Of vectors, the elements whose bits are set.
void __ordeal_masked_read(const char* from, std::uint64_t mask, std::size_t size) {
    for (; mask != 0; mask >>= 1, from += size) {
        if ((mask & 1) != 0) ordeal::reads(from, size);
    }
}
void __ordeal_masked_write(char* to, std::uint64_t mask, std::size_t size) {
    for (; mask != 0; mask >>= 1, to += size) {
        if ((mask & 1) != 0) ordeal::writes(to, size);
    }
}

// Where lives end without an access: at the end of a destructor, and of the scope of a variable.
void __ordeal_end_of_life(void* object, std::size_t size) {
    ordeal::byte_memory* const port = ordeal::current();
    if (port != nullptr) port->end_bytes(ordeal::range_at(object, size), ordeal::code_point_here("destroy"));
}
void __ordeal_end_of_scope(void* variable, std::size_t size) {
    ordeal::byte_memory* const port = ordeal::current();
    if (port != nullptr) port->end_bytes(ordeal::range_at(variable, size), ordeal::code_point_here("destroy"));
}
void __ordeal_begin_of_scope(void* variable, std::size_t size) {
    ordeal::byte_memory* const port = ordeal::current();
    if (port != nullptr) port->begin_bytes(ordeal::range_at(variable, size));
}

// What the compiler's plugin came upon and cannot tell of; what it cannot even go on after.
void __ordeal_unseen(const char* what) {
    ordeal::byte_memory* const port = ordeal::current();
    if (port == nullptr) return;
    const ordeal::harness_scope harness;
    port->note_limit("not seen: " + std::string(what), ordeal::plain_code_site(ordeal::code_point_here("assembler")));
}
void __ordeal_refused(const char* what) { ordeal::refused_on_trial(what); }

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
