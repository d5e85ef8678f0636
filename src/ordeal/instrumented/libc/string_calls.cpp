// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// String functions of <cstring>, called by code on trial, which is linked with --wrap. Their accesses are the caller's,
// and do not go beyond the end of a string.
#include "ordeal/instrumented/caller/caller_accesses.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace ordeal::detail {

namespace {

// The bytes that a string comparison reads, of at most `size`.
std::size_t compared_text(const char* left, const char* right, std::size_t size) noexcept {
    std::size_t i = 0;
    while (i < size && left[i] == right[i] && left[i] != '\0') ++i;
    return std::min(i + 1, size);
}

std::size_t distance(const char* from, const char* to) noexcept { return static_cast<std::size_t>(to - from); }

// Includes the terminator, if it is among the first `size` characters.
std::size_t size_of_text(const char* text, std::size_t size) noexcept {
    return std::min(::strnlen(text, size) + 1, size);
}

std::size_t size_of_text(const char* text) noexcept { return std::strlen(text) + 1; }

}  // namespace

// Names of the C library and the linker.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,*.insecureAPI.strcpy)
extern "C" {

// With _FORTIFY_SOURCE: `room` is the size available at `to`. They end the process if it is too small.
char* __strcpy_chk(char* to, const char* from, std::size_t room);
char* __stpcpy_chk(char* to, const char* from, std::size_t room);
char* __strncpy_chk(char* to, const char* from, std::size_t size, std::size_t room);
char* __strcat_chk(char* to, const char* from, std::size_t room);
char* __strncat_chk(char* to, const char* from, std::size_t size, std::size_t room);

std::size_t __wrap_strlen(const char* text) {
    const std::size_t length = std::strlen(text);
    examines(text, length + 1, "strlen");
    return length;
}
std::size_t __wrap_strnlen(const char* text, std::size_t size) {
    const std::size_t length = ::strnlen(text, size);
    examines(text, std::min(length + 1, size), "strnlen");
    return length;
}

int __wrap_strcmp(const char* left, const char* right) {
    const std::size_t looked_at = compared_text(left, right, static_cast<std::size_t>(-1));
    examines(left, looked_at, "strcmp");
    examines(right, looked_at, "strcmp");
    return std::strcmp(left, right);
}
int __wrap_strncmp(const char* left, const char* right, std::size_t size) {
    const std::size_t looked_at = compared_text(left, right, size);
    examines(left, looked_at, "strncmp");
    examines(right, looked_at, "strncmp");
    return std::strncmp(left, right, size);
}

char* __wrap_strchr(const char* text, int value) {
    const char* const found = std::strchr(text, value);
    examines(text, found == nullptr ? size_of_text(text) : distance(text, found) + 1, "strchr");
    return const_cast<char*>(found);
}
char* __wrap_strrchr(const char* text, int value) {
    examines(text, size_of_text(text), "strrchr");
    return const_cast<char*>(std::strrchr(text, value));
}

char* __wrap_strcpy(char* to, const char* from) {
    const std::size_t size = size_of_text(from);
    copies(to, from, size, "strcpy");
    std::memcpy(to, from, size);
    return to;
}
char* __wrap_stpcpy(char* to, const char* from) {
    const std::size_t size = size_of_text(from);
    copies(to, from, size, "stpcpy");
    std::memcpy(to, from, size);
    return to + size - 1;
}
// Pads with zeros.
char* __wrap_strncpy(char* to, const char* from, std::size_t size) {
    const std::size_t copied = size_of_text(from, size);
    copies(to, from, copied, "strncpy");
    writes(to + copied, size - copied, "strncpy");
    std::memcpy(to, from, copied);
    std::memset(to + copied, 0, size - copied);
    return to;
}
char* __wrap_strcat(char* to, const char* from) {
    const std::size_t length = std::strlen(to);
    const std::size_t size = size_of_text(from);
    examines(to, length + 1, "strcat");
    copies(to + length, from, size, "strcat");
    std::memcpy(to + length, from, size);
    return to;
}
char* __wrap_strncat(char* to, const char* from, std::size_t size) {
    const std::size_t length = std::strlen(to);
    const std::size_t looked_at = size_of_text(from, size);
    const std::size_t copied = ::strnlen(from, size);
    examines(to, length + 1, "strncat");
    examines(from, looked_at, "strncat");
    writes(to + length, copied + 1, "strncat");
    std::memcpy(to + length, from, copied);
    to[length + copied] = '\0';
    return to;
}

char* __wrap___strcpy_chk(char* to, const char* from, std::size_t room) {
    const std::size_t size = size_of_text(from);
    if (size <= room) copies(to, from, size, "strcpy");
    return __strcpy_chk(to, from, room);
}
char* __wrap___stpcpy_chk(char* to, const char* from, std::size_t room) {
    const std::size_t size = size_of_text(from);
    if (size <= room) copies(to, from, size, "stpcpy");
    return __stpcpy_chk(to, from, room);
}
char* __wrap___strncpy_chk(char* to, const char* from, std::size_t size, std::size_t room) {
    if (size > room) return __strncpy_chk(to, from, size, room);
    const std::size_t copied = size_of_text(from, size);
    copies(to, from, copied, "strncpy");
    writes(to + copied, size - copied, "strncpy");
    return __strncpy_chk(to, from, size, room);
}
char* __wrap___strcat_chk(char* to, const char* from, std::size_t room) {
    const std::size_t length = std::strlen(to);
    const std::size_t size = size_of_text(from);
    if (length + size > room) return __strcat_chk(to, from, room);
    examines(to, length + 1, "strcat");
    copies(to + length, from, size, "strcat");
    return __strcat_chk(to, from, room);
}
char* __wrap___strncat_chk(char* to, const char* from, std::size_t size, std::size_t room) {
    const std::size_t length = std::strlen(to);
    const std::size_t copied = ::strnlen(from, size);
    if (length + copied + 1 > room) return __strncat_chk(to, from, size, room);
    examines(to, length + 1, "strncat");
    examines(from, size_of_text(from, size), "strncat");
    writes(to + length, copied + 1, "strncat");
    return __strncat_chk(to, from, size, room);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,*.insecureAPI.strcpy)

}  // namespace ordeal::detail
