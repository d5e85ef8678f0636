// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of <cstring> that copy, fill, compare and search memory, called by clang or by code on trial, which is
// linked with --wrap. Their accesses are the caller's.
#include "ordeal/instrumented/caller/caller_accesses.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace ordeal::detail {

namespace {

// The bytes that a comparison reads: those up to and including the first difference.
std::size_t compared(const void* left, const void* right, std::size_t size) noexcept {
    const auto* const first = static_cast<const unsigned char*>(left);
    const auto* const second = static_cast<const unsigned char*>(right);
    const auto equal = static_cast<std::size_t>(std::mismatch(first, first + size, second).first - first);
    return std::min(equal + 1, size);
}

std::size_t distance(const void* from, const void* to) noexcept {
    return static_cast<std::size_t>(static_cast<const char*>(to) - static_cast<const char*>(from));
}

}  // namespace

// Names of the compiler, the C library and the linker.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

// With _FORTIFY_SOURCE: `room` is the size available at `to`. They end the process if it is too small.
void* __memcpy_chk(void* to, const void* from, std::size_t size, std::size_t room);
void* __memmove_chk(void* to, const void* from, std::size_t size, std::size_t room);
void* __mempcpy_chk(void* to, const void* from, std::size_t size, std::size_t room);
void* __memset_chk(void* to, int value, std::size_t size, std::size_t room);

void* __wrap_memcpy(void* to, const void* from, std::size_t size) {
    copies(to, from, size, "memcpy");
    return std::memcpy(to, from, size);
}
void* __wrap_memmove(void* to, const void* from, std::size_t size) {
    copies(to, from, size, "memmove");
    return std::memmove(to, from, size);
}
void* __wrap_mempcpy(void* to, const void* from, std::size_t size) {
    copies(to, from, size, "mempcpy");
    return static_cast<char*>(std::memcpy(to, from, size)) + size;
}
void* __wrap_memset(void* to, int value, std::size_t size) {
    writes(to, size, "memset");
    return std::memset(to, value, size);
}

[[gnu::alias("__wrap_memcpy")]] void* __tsan_memcpy(void* to, const void* from, std::size_t size);
[[gnu::alias("__wrap_memmove")]] void* __tsan_memmove(void* to, const void* from, std::size_t size);
[[gnu::alias("__wrap_memset")]] void* __tsan_memset(void* to, int value, std::size_t size);

void* __wrap___memcpy_chk(void* to, const void* from, std::size_t size, std::size_t room) {
    if (size <= room) copies(to, from, size, "memcpy");
    return __memcpy_chk(to, from, size, room);
}
void* __wrap___memmove_chk(void* to, const void* from, std::size_t size, std::size_t room) {
    if (size <= room) copies(to, from, size, "memmove");
    return __memmove_chk(to, from, size, room);
}
void* __wrap___mempcpy_chk(void* to, const void* from, std::size_t size, std::size_t room) {
    if (size <= room) copies(to, from, size, "mempcpy");
    return __mempcpy_chk(to, from, size, room);
}
void* __wrap___memset_chk(void* to, int value, std::size_t size, std::size_t room) {
    if (size <= room) writes(to, size, "memset");
    return __memset_chk(to, value, size, room);
}

// The bytes that they read are known only afterwards.

int __wrap_memcmp(const void* left, const void* right, std::size_t size) {
    const int result = std::memcmp(left, right, size);
    const std::size_t looked_at = result == 0 ? size : compared(left, right, size);
    examines(left, looked_at, "memcmp");
    examines(right, looked_at, "memcmp");
    return result;
}
int __wrap_bcmp(const void* left, const void* right, std::size_t size) {
    const int result = std::memcmp(left, right, size);
    const std::size_t looked_at = result == 0 ? size : compared(left, right, size);
    examines(left, looked_at, "bcmp");
    examines(right, looked_at, "bcmp");
    return result;
}
void* __wrap_memchr(const void* from, int value, std::size_t size) {
    const void* const found = std::memchr(from, value, size);
    examines(from, found == nullptr ? size : distance(from, found) + 1, "memchr");
    return const_cast<void*>(found);
}
void* __wrap_memrchr(const void* from, int value, std::size_t size) {
    const void* const found = ::memrchr(from, value, size);
    const std::size_t before = found == nullptr ? 0 : distance(from, found);
    examines(static_cast<const char*>(from) + before, size - before, "memrchr");
    return const_cast<void*>(found);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // namespace ordeal::detail
