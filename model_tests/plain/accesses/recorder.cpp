// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs each access of the catalogue, aligned and not, and looks whether what the compiler called told of all its bytes, or
// at least that something there is not seen. Defines what the compiler calls; not on trial itself.
// usage: recorder; prints what was neither, and counts. Exit code 0: nothing.
#include "accesses.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

constexpr std::size_t room = 160;

struct told {
    bool active = false;
    bool unseen = false;
    std::uintptr_t begin = 0;
    std::array<bool, room> read{};
    std::array<bool, room> written{};
};

told record;

void tell(std::array<bool, room>& bytes, const volatile void* address, std::size_t size) {
    if (!record.active) return;
    const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(address) - record.begin;
    for (std::size_t i = 0; i < size; ++i) {
        if (first + i < room) bytes[first + i] = true;
    }
}

void reads(const volatile void* address, std::size_t size) { tell(record.read, address, size); }
void writes(const volatile void* address, std::size_t size) { tell(record.written, address, size); }

alignas(64) std::array<unsigned char, room> object;
alignas(64) std::array<unsigned char, room> other;

bool is_told(const accesses::access& each, std::size_t offset) {
    const auto& bytes = each.writes ? record.written : record.read;
    const auto* const first = bytes.begin() + offset;
    return record.unseen || std::all_of(first, first + each.size, [](bool byte) { return byte; });
}

}  // namespace

namespace accesses {

void use(const void* value) {
    const volatile unsigned char byte = *static_cast<const unsigned char*>(value);
    (void)byte;
}
void fill(void* value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) static_cast<volatile unsigned char*>(value)[i] = 1;
}

}  // namespace accesses

#define CALLS(size) \
    void __tsan_read##size(void* from) { reads(from, size); } \
    void __tsan_write##size(void* to) { writes(to, size); } \
    void __tsan_unaligned_read##size(void* from) { reads(from, size); } \
    void __tsan_unaligned_write##size(void* to) { writes(to, size); } \
    void __tsan_read_write##size(void* both) { reads(both, size), writes(both, size); } \
    void __tsan_unaligned_read_write##size(void* both) { reads(both, size), writes(both, size); }

// NOLINTBEGIN
extern "C" {

CALLS(1)
CALLS(2)
CALLS(4)
CALLS(8)
CALLS(16)

void __tsan_read_range(void* from, std::size_t size) { reads(from, size); }
void __tsan_write_range(void* to, std::size_t size) { writes(to, size); }
void __tsan_vptr_read(void** from) { reads(from, sizeof(void*)); }
void __tsan_vptr_update(void** to, void* /*table*/) { writes(to, sizeof(void*)); }
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_init() {}
std::uint64_t __ordeal_copied_read(void* from, std::size_t size) {
    reads(from, size);
    return 0;
}
void __ordeal_copied_write(void* to, std::size_t size, std::uint64_t) { writes(to, size); }
std::uint64_t __ordeal_carried(void*, std::size_t) { return 0; }
void __ordeal_carry(void*, std::size_t, std::uint64_t) {}
void __ordeal_carried_over(void*, void*, std::size_t) {}
void __ordeal_value_read(void*, std::size_t) {}
void __ordeal_value_write(void*, std::size_t) {}
void __ordeal_use_of_copy(std::uint64_t, std::size_t) {}
void __ordeal_end_of_life(void*, std::size_t) {}
void __ordeal_end_of_scope(void*, std::size_t) {}
void __ordeal_needs_room(std::size_t) {}
void __ordeal_precondition(int, const char*) {}
void __ordeal_end_of_storage(void*, std::size_t) {}
void __ordeal_begin_of_scope(void*, std::size_t) {}
void __ordeal_loop_header(bool, const void*, const std::uint64_t*, std::uint64_t, std::uint64_t) {}
void __ordeal_unseen(const char*) { record.unseen = true; }
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

void* __real_memmove(void* to, const void* from, std::size_t size);

void __ordeal_unreported_memcpy(void* to, const void* from, std::size_t size) { __real_memmove(to, from, size); }
void __ordeal_unreported_memmove(void* to, const void* from, std::size_t size) { __real_memmove(to, from, size); }
void __ordeal_unreported_memset(void* to, int value, std::size_t size) {
    auto* const bytes = static_cast<volatile unsigned char*>(to);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(value);
}

void* __wrap_memcpy(void* to, const void* from, std::size_t size) {
    reads(from, size), writes(to, size);
    return __real_memmove(to, from, size);
}
void* __wrap_memmove(void* to, const void* from, std::size_t size) { return __wrap_memcpy(to, from, size); }
void* __wrap_memset(void* to, int value, std::size_t size) {
    writes(to, size);
    __ordeal_unreported_memset(to, value, size);
    return to;
}
void* __tsan_memcpy(void* to, const void* from, std::size_t size) { return __wrap_memcpy(to, from, size); }
void* __tsan_memmove(void* to, const void* from, std::size_t size) { return __wrap_memcpy(to, from, size); }
void* __tsan_memset(void* to, int value, std::size_t size) { return __wrap_memset(to, value, size); }

// The table is a local static.
char __tsan_atomic8_load(const volatile char* object, int) { return __atomic_load_n(object, __ATOMIC_ACQUIRE); }

}  // extern "C"
// NOLINTEND

int main() {
    std::size_t run = 0;
    std::size_t named = 0;
    std::size_t neither = 0;
    for (const accesses::access& each : accesses::all()) {
        for (std::size_t offset = 0; offset < 64; offset += std::max<std::size_t>(each.align, 21)) {
            const std::size_t at = offset / each.align * each.align;
            object.fill(0);
            other.fill(1);
            record = {.active = true, .begin = reinterpret_cast<std::uintptr_t>(object.data())};
            each.run({object.data() + at, other.data() + at});
            record.active = false;
            ++run;
            named += record.unseen ? 1 : 0;
            if (is_told(each, at)) continue;
            ++neither;
            std::printf("  neither seen nor named: %s, %s, %zu bytes at offset %zu\n", each.how, each.type, each.size,
                        at);
        }
    }
    std::printf("%zu accesses, %zu named as not seen, %zu neither\n", run, named, neither);
    return run > 5000 && neither == 0 ? 0 : 1;
}
