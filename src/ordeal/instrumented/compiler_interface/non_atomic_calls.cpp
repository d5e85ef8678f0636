// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's calls for every non-atomic access under -fsanitize=thread: clang 19 to 22 and g++ 12. These run more
// often than anything else in a search.
#include "ordeal/instrumented/caller/caller_accesses.hpp"

#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/unchecked/unchecked_code.hpp"
#include "ordeal/runtime/execution.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ordeal::detail {

namespace {

constexpr std::size_t most_copied = 16;  // a word has a bit for each

std::uint64_t copied_word(const void* from, std::uint32_t unwritten) noexcept {
    return unwritten == 0 ? 0 : reinterpret_cast<std::uintptr_t>(from) << most_copied | unwritten;
}
std::uint32_t unwritten_of(std::uint64_t word) noexcept { return static_cast<std::uint16_t>(word); }

void uses_copy(instrumented_runtime& runtime, std::uint64_t word, std::size_t size, const code_location& at) {
    const std::uint32_t all = (1U << std::min(size, most_copied)) - 1;
    if ((unwritten_of(word) & all) == all) runtime.use_uninitialised({word >> most_copied, size}, at);
}

}  // namespace

// Names of the compiler. Volatile accesses are non-atomic in the memory model. A compound access is a read and a write
// by one expression, as in `++count`.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
#define ORDEAL_PLAIN_CALLS(size) \
    void __tsan_read##size(void* from) { reads(from, size); } \
    void __tsan_write##size(void* to) { writes(to, size); } \
    void __tsan_unaligned_read##size(void* from) { reads(from, size); } \
    void __tsan_unaligned_write##size(void* to) { writes(to, size); } \
    void __tsan_volatile_read##size(void* from) { reads(from, size); } \
    void __tsan_volatile_write##size(void* to) { writes(to, size); } \
    void __tsan_unaligned_volatile_read##size(void* from) { reads(from, size); } \
    void __tsan_unaligned_volatile_write##size(void* to) { writes(to, size); } \
    void __tsan_read_write##size(void* both) { \
        reads(both, size); \
        writes(both, size); \
    } \
    void __tsan_unaligned_read_write##size(void* both) { \
        reads(both, size); \
        writes(both, size); \
    }

extern "C" {

ORDEAL_PLAIN_CALLS(1)
ORDEAL_PLAIN_CALLS(2)
ORDEAL_PLAIN_CALLS(4)
ORDEAL_PLAIN_CALLS(8)
ORDEAL_PLAIN_CALLS(16)

void __tsan_read_range(void* from, std::size_t size) { reads(from, size); }
void __tsan_write_range(void* to, std::size_t size) { writes(to, size); }

// The elements of a vector whose mask bits are set.
void __ordeal_masked_read(const char* from, std::uint64_t mask, std::size_t size) {
    for (; mask != 0; mask >>= 1, from += size) {
        if ((mask & 1) != 0) reads(from, size);
    }
}
void __ordeal_masked_write(char* to, std::uint64_t mask, std::size_t size) {
    for (; mask != 0; mask >>= 1, to += size) {
        if ((mask & 1) != 0) writes(to, size);
    }
}

// Values that are only copied. Each has a word: the address that it was read from, and a bit for each uninitialised
// byte there. Only the compiler plugin follows the copies.
std::uint64_t __ordeal_copied_read(void* from, std::size_t size) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return 0;
    return copied_word(from, runtime->read_for_copy(range_at(from, size), code_location_here("read")));
}
void __ordeal_copied_write(void* to, std::size_t size, std::uint64_t word) {
    writes(to, size);
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr || unwritten_of(word) == 0) return;
    runtime->set_uninitialised(range_at(to, size), unwritten_of(word));
}

// The same for variables inaccessible to other threads: no access is reported.
std::uint64_t __ordeal_carried(void* from, std::size_t size) {
    instrumented_runtime* const runtime = runtime_on_trial();
    return runtime == nullptr ? 0 : copied_word(from, runtime->uninitialised_bytes(range_at(from, size)));
}
void __ordeal_carry(void* to, std::size_t size, std::uint64_t word) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr) runtime->set_uninitialised(range_at(to, size), unwritten_of(word));
}
void __ordeal_carried_over(void* to, void* from, std::size_t size) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr) runtime->copy_initialisation(reinterpret_cast<std::uintptr_t>(to), range_at(from, size));
}
void __ordeal_value_write(void* to, std::size_t size) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr) runtime->set_uninitialised(range_at(to, size), 0);
}

// Copies of the compiler itself that are no accesses to report, or are reported already. It would compile them as calls
// of memcpy(), which reports.
void __ordeal_unreported_memcpy(void* to, const void* from, std::size_t size) { std::memcpy(to, from, size); }
void __ordeal_unreported_memmove(void* to, const void* from, std::size_t size) { std::memmove(to, from, size); }
void __ordeal_unreported_memset(void* to, int value, std::size_t size) { std::memset(to, value, size); }

// Where a value is used: reports it if none of its bytes was written.
void __ordeal_value_read(void* from, std::size_t size) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return;
    const std::uint64_t word = copied_word(from, runtime->uninitialised_bytes(range_at(from, size)));
    if (word != 0) uses_copy(*runtime, word, size, code_location_here("read"));
}
void __ordeal_use_of_copy(std::uint64_t word, std::size_t size) {
    if (unwritten_of(word) == 0) return;
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr) uses_copy(*runtime, word, size, code_location_here("use"));
}

// Lifetimes that end without an access: at the end of a destructor, and of a variable's scope.
void __ordeal_end_of_life(void* object, std::size_t size) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr) runtime->end_lifetime(range_at(object, size), code_location_here("destroy"));
}
void __ordeal_end_of_scope(void* variable, std::size_t size) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr && size != 0)
        runtime->end_scope(range_at(variable, size), code_location_here("end of scope"));
}
// Of a variable whose scopes may begin unannounced, because of a jump, and of temporaries.
void __ordeal_end_of_storage(void* variable, std::size_t size) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return;
    runtime->end_storage(range_at(variable, size), code_location_here("end of scope"));
}
void __ordeal_begin_of_scope(void* variable, std::size_t size) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr) runtime->begin_scope(range_at(variable, size));
}

// A function is about to use this much of its stack at once, or does so in its source, though optimisation may reduce
// it.
void __ordeal_needs_room(std::size_t size) {
    const auto frame = *static_cast<const std::uintptr_t*>(__builtin_frame_address(0));  // of the function itself
    if (is_outside_usable_stack(frame - size)) [[unlikely]]
        overflows_stack(code_location_here("call"));
}

// Something that the compiler plugin cannot instrument; the search ends if it cannot even continue after it.
void __ordeal_unseen(const char* what) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return;
    const harness_scope harness;
    const site_id site = plain_code_site(code_location_here("assembler"));
    const ordeal::site& where = sites().at(site);
    runtime->note_limit(unchecked_lists::words_for_place(what, where.key.file, where.function), site);
}
// What the compiler plugin has replaced by the fence that follows.
void __ordeal_fence_of_assembler() {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr) runtime->assume_fence();
}
void __ordeal_refused(const char* what) { refused_on_trial(what); }

void __tsan_vptr_read(void** from) { reads(from, sizeof(void*), "virtual call"); }

// A destructor first writes the vtable pointer of its own class, which is already there unless it runs for a derived
// class. That changes nothing, so a concurrent virtual call is no race.
void __tsan_vptr_update(void** to, void* vtable) {
    if (*to == vtable) {
        reads(to, sizeof(void*), "virtual table");
    } else {
        writes(to, sizeof(void*), "virtual table");
    }
}

// Call stacks are taken from frame pointers instead. This checks for endless recursion: later a function of the engine
// or of a library would overflow the stack, with whatever locks it holds.
void __tsan_func_entry(void* /*caller*/) {
    const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (is_outside_usable_stack(frame)) [[unlikely]]
        overflows_stack(code_location_here("call"));
}
void __tsan_func_exit() {}
void __tsan_init() {}

// Brackets functions that TSan does not check. A race there is a race nevertheless.
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // namespace ordeal::detail
