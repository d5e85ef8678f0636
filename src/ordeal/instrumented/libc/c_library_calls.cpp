// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of <cstdlib>, <cstdio>, <cwchar> and the rest of <cstring>, called by code on trial, which is linked with
// --wrap. Their accesses are the caller's.
#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/kernel/blocking_calls.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>

namespace ordeal::detail {

namespace {

void note_number(const caller_accesses& caller, const char* text, char* const* end, const char* reached) {
    caller.reads(text, static_cast<std::size_t>(reached - text) + 1);
    if (end != nullptr) caller.writes(end, sizeof(*end));
}

std::size_t bytes(std::size_t characters) noexcept { return characters * sizeof(wchar_t); }

std::size_t size_of(const wchar_t* text) noexcept { return bytes(std::wcslen(text) + 1); }

// How many characters a comparison reads, of at most `most`.
std::size_t compared(const wchar_t* left, const wchar_t* right, std::size_t most, bool text) noexcept {
    std::size_t i = 0;
    while (i < most && left[i] == right[i] && (!text || left[i] != L'\0')) ++i;
    return bytes(std::min(i + 1, most));
}

constexpr auto no_limit = static_cast<std::size_t>(-1);

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

// Sorting moves all elements; the comparison function is instrumented.
void __wrap_qsort(void* base, std::size_t count, std::size_t size, int (*compare)(const void*, const void*)) {
    const caller_accesses caller = accesses_of_caller("qsort");
    caller.reads(base, count * size);
    if (count > 1) caller.writes(base, count * size);
    std::qsort(base, count, size, compare);
}
void __wrap_qsort_r(void* base, std::size_t count, std::size_t size, int (*compare)(const void*, const void*, void*),
                    void* context) {
    const caller_accesses caller = accesses_of_caller("qsort_r");
    caller.reads(base, count * size);
    if (count > 1) caller.writes(base, count * size);
    ::qsort_r(base, count, size, compare, context);
}

#define ORDEAL_TO_INTEGER(result, name) \
    result __wrap_##name(const char* text, char** end, int base) { \
        const caller_accesses caller = accesses_of_caller(#name); \
        char* reached = nullptr; \
        const result value = ::name(text, &reached, base); \
        note_number(caller, text, end, reached); \
        if (end != nullptr) *end = reached; \
        return value; \
    }
#define ORDEAL_TO_FLOATING(result, name) \
    result __wrap_##name(const char* text, char** end) { \
        const caller_accesses caller = accesses_of_caller(#name); \
        char* reached = nullptr; \
        const result value = ::name(text, &reached); \
        note_number(caller, text, end, reached); \
        if (end != nullptr) *end = reached; \
        return value; \
    }
ORDEAL_TO_INTEGER(long, strtol)
ORDEAL_TO_INTEGER(unsigned long, strtoul)
ORDEAL_TO_INTEGER(long long, strtoll)
ORDEAL_TO_INTEGER(unsigned long long, strtoull)
ORDEAL_TO_FLOATING(float, strtof)
ORDEAL_TO_FLOATING(double, strtod)
ORDEAL_TO_FLOATING(long double, strtold)
// NOLINTBEGIN(cert-err34-c)
#define ORDEAL_OF_TEXT(result, name) \
    result __wrap_##name(const char* text) { \
        accesses_of_caller(#name).reads_text(text); \
        return std::name(text); \
    }
ORDEAL_OF_TEXT(int, atoi)
ORDEAL_OF_TEXT(long, atol)
ORDEAL_OF_TEXT(long long, atoll)
ORDEAL_OF_TEXT(double, atof)
// NOLINTEND(cert-err34-c)

std::size_t __wrap_strspn(const char* text, const char* set) {
    const caller_accesses caller = accesses_of_caller("strspn");
    const std::size_t length = std::strspn(text, set);
    caller.reads_text(set);
    caller.reads(text, length + 1);
    return length;
}
std::size_t __wrap_strcspn(const char* text, const char* set) {
    const caller_accesses caller = accesses_of_caller("strcspn");
    const std::size_t length = std::strcspn(text, set);
    caller.reads_text(set);
    caller.reads(text, length + 1);
    return length;
}
char* __wrap_strpbrk(const char* text, const char* set) {
    const caller_accesses caller = accesses_of_caller("strpbrk");
    const std::size_t length = std::strcspn(text, set);
    caller.reads_text(set);
    caller.reads(text, length + 1);
    return text[length] == '\0' ? nullptr : const_cast<char*>(text + length);
}
char* __wrap_strstr(const char* text, const char* wanted) {
    const caller_accesses caller = accesses_of_caller("strstr");
    caller.reads_text(wanted);
    const char* const found = std::strstr(text, wanted);
    if (found == nullptr) {
        caller.reads_text(text);
    } else {
        caller.reads(text, static_cast<std::size_t>(found - text) + std::strlen(wanted));
    }
    return const_cast<char*>(found);
}
int __wrap_strcasecmp(const char* left, const char* right) {
    const caller_accesses caller = accesses_of_caller("strcasecmp");
    caller.reads_text(left, std::strlen(right) + 1);
    caller.reads_text(right, std::strlen(left) + 1);
    return ::strcasecmp(left, right);
}
int __wrap_strncasecmp(const char* left, const char* right, std::size_t size) {
    const caller_accesses caller = accesses_of_caller("strncasecmp");
    caller.reads_text(left, size);
    caller.reads_text(right, size);
    return ::strncasecmp(left, right, size);
}
int __wrap_strcoll(const char* left, const char* right) {
    const caller_accesses caller = accesses_of_caller("strcoll");
    caller.reads_text(left);
    caller.reads_text(right);
    return std::strcoll(left, right);
}
void __wrap_bzero(void* to, std::size_t size) {
    accesses_of_caller("bzero").writes(to, size);
    std::memset(to, 0, size);
}
void __wrap_explicit_bzero(void* to, std::size_t size) {
    accesses_of_caller("explicit_bzero").writes(to, size);
    ::explicit_bzero(to, size);
}

wchar_t* __wrap_wmemcpy(wchar_t* to, const wchar_t* from, std::size_t count) {
    accesses_of_caller("wmemcpy").copies(to, from, bytes(count));
    return std::wmemcpy(to, from, count);
}
wchar_t* __wrap_wmemmove(wchar_t* to, const wchar_t* from, std::size_t count) {
    accesses_of_caller("wmemmove").copies(to, from, bytes(count));
    return std::wmemmove(to, from, count);
}
wchar_t* __wrap_wmemset(wchar_t* to, wchar_t value, std::size_t count) {
    accesses_of_caller("wmemset").writes(to, bytes(count));
    return std::wmemset(to, value, count);
}
int __wrap_wmemcmp(const wchar_t* left, const wchar_t* right, std::size_t count) {
    const caller_accesses caller = accesses_of_caller("wmemcmp");
    caller.reads(left, compared(left, right, count, false));
    caller.reads(right, compared(left, right, count, false));
    return std::wmemcmp(left, right, count);
}
wchar_t* __wrap_wmemchr(const wchar_t* from, wchar_t value, std::size_t count) {
    const wchar_t* const found = std::wmemchr(from, value, count);
    const std::size_t looked_at = found == nullptr ? count : static_cast<std::size_t>(found - from) + 1;
    accesses_of_caller("wmemchr").reads(from, bytes(looked_at));
    return const_cast<wchar_t*>(found);
}
std::size_t __wrap_wcslen(const wchar_t* text) {
    accesses_of_caller("wcslen").reads(text, size_of(text));
    return std::wcslen(text);
}
wchar_t* __wrap_wcscpy(wchar_t* to, const wchar_t* from) {
    accesses_of_caller("wcscpy").copies(to, from, size_of(from));
    return std::wcscpy(to, from);
}
wchar_t* __wrap_wcsncpy(wchar_t* to, const wchar_t* from, std::size_t count) {
    const caller_accesses caller = accesses_of_caller("wcsncpy");
    caller.reads(from, std::min(bytes(::wcsnlen(from, count) + 1), bytes(count)));
    caller.writes(to, bytes(count));
    return std::wcsncpy(to, from, count);
}
wchar_t* __wrap_wcscat(wchar_t* to, const wchar_t* from) {
    const caller_accesses caller = accesses_of_caller("wcscat");
    caller.reads(to, size_of(to));
    caller.copies(to + std::wcslen(to), from, size_of(from));
    return std::wcscat(to, from);
}
int __wrap_wcscmp(const wchar_t* left, const wchar_t* right) {
    const caller_accesses caller = accesses_of_caller("wcscmp");
    caller.reads(left, compared(left, right, no_limit, true));
    caller.reads(right, compared(left, right, no_limit, true));
    return std::wcscmp(left, right);
}
int __wrap_wcsncmp(const wchar_t* left, const wchar_t* right, std::size_t count) {
    const caller_accesses caller = accesses_of_caller("wcsncmp");
    caller.reads(left, compared(left, right, count, true));
    caller.reads(right, compared(left, right, count, true));
    return std::wcsncmp(left, right, count);
}
wchar_t* __wrap_wcschr(const wchar_t* text, wchar_t value) {
    const wchar_t* const found = std::wcschr(text, value);
    accesses_of_caller("wcschr").reads(
        text, found == nullptr ? size_of(text) : bytes(static_cast<std::size_t>(found - text) + 1));
    return const_cast<wchar_t*>(found);
}

// The functions lock the streams; the memory is the caller's.
std::size_t __wrap_fwrite(const void* from, std::size_t size, std::size_t count, std::FILE* file) {
    refuse_without_room(file, size * count, "the function fwrite, where it would wait,");
    accesses_of_caller("fwrite").reads(from, size * count);
    return std::fwrite(from, size, count, file);
}
std::size_t __wrap_fread(void* to, std::size_t size, std::size_t count, std::FILE* file) {
    refuse_if_it_blocks(fileno(file), "the function fread, but for files,");
    const caller_accesses caller = accesses_of_caller("fread");
    const std::size_t got = std::fread(to, size, count, file);
    caller.writes(to, size * got);
    return got;
}
char* __wrap_fgets(char* to, int room, std::FILE* file) {
    refuse_if_it_blocks(fileno(file), "the function fgets, but for files,");
    const caller_accesses caller = accesses_of_caller("fgets");
    char* const got = std::fgets(to, room, file);
    if (got != nullptr) caller.writes_text(got);
    return got;
}
int __wrap_fputs(const char* text, std::FILE* file) {
    refuse_without_room(file, std::strlen(text), "the function fputs, where it would wait,");
    accesses_of_caller("fputs").reads_text(text);
    return std::fputs(text, file);
}
int __wrap_puts(const char* text) {
    accesses_of_caller("puts").reads_text(text);
    return std::puts(text);
}
void __wrap_perror(const char* text) {
    if (text != nullptr) accesses_of_caller("perror").reads_text(text);
    std::perror(text);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // namespace ordeal::detail
