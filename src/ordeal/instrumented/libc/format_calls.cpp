// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of <cstdio> with a format, called by code on trial, which is linked with --wrap. Their accesses to strings
// and assigned objects are the caller's.
#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/kernel/blocking_calls.hpp"
#include "ordeal/instrumented/libc/format_arguments.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdio>

namespace ordeal::detail {

namespace {

// The bytes written for `length` characters, as the functions return it, with room for `room`.
std::size_t written(int length, std::size_t room) noexcept {
    return length < 0 ? 0 : std::min(static_cast<std::size_t>(length) + 1, room);
}

constexpr auto no_limit = static_cast<std::size_t>(-1);

void note_arguments(const caller_accesses& caller, const char* format, std::va_list given) {
    argument_list arguments;
    va_copy(arguments.list, given);
    note_printed(caller, format, arguments);
    va_end(arguments.list);
}

void note_assigned(const caller_accesses& caller, const char* format, std::va_list given, int assigned) {
    argument_list arguments;
    va_copy(arguments.list, given);
    note_scanned(caller, format, arguments, assigned);
    va_end(arguments.list);
}

}  // namespace

// Macros, because variable arguments end with the function that takes them.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
#define ORDEAL_PRINT(name, call) \
    const caller_accesses caller = accesses_of_caller(name); \
    std::va_list arguments; \
    va_start(arguments, format); \
    note_arguments(caller, format, arguments); \
    const int length = call; \
    va_end(arguments)
#define ORDEAL_FORMAT(name, room, call) \
    ORDEAL_PRINT(name, call); \
    caller.writes(to, written(length, room)); \
    return length
#define ORDEAL_FORMAT_LIST(name, room, call) \
    const caller_accesses caller = accesses_of_caller(name); \
    note_arguments(caller, format, arguments); \
    const int length = call; \
    caller.writes(to, written(length, room)); \
    return length

extern "C" {

// With _FORTIFY_SOURCE: `there` is the size available at `to`. They end the process if it is too small.
int __vsprintf_chk(char* to, int flag, std::size_t there, const char* format, std::va_list arguments);
int __vsnprintf_chk(char* to, std::size_t room, int flag, std::size_t there, const char* format,
                    std::va_list arguments);

int __wrap_vsprintf(char* to, const char* format, std::va_list arguments) {
    ORDEAL_FORMAT_LIST("vsprintf", no_limit, std::vsprintf(to, format, arguments));
}
int __wrap_vsnprintf(char* to, std::size_t room, const char* format, std::va_list arguments) {
    ORDEAL_FORMAT_LIST("vsnprintf", room, std::vsnprintf(to, room, format, arguments));
}
int __wrap___vsprintf_chk(char* to, int flag, std::size_t there, const char* format, std::va_list arguments) {
    ORDEAL_FORMAT_LIST("vsprintf", no_limit, __vsprintf_chk(to, flag, there, format, arguments));
}
int __wrap___vsnprintf_chk(char* to, std::size_t room, int flag, std::size_t there, const char* format,
                           std::va_list arguments) {
    ORDEAL_FORMAT_LIST("vsnprintf", room, __vsnprintf_chk(to, room, flag, there, format, arguments));
}

int __wrap_sprintf(char* to, const char* format, ...) {
    ORDEAL_FORMAT("sprintf", no_limit, std::vsprintf(to, format, arguments));
}
int __wrap_snprintf(char* to, std::size_t room, const char* format, ...) {
    ORDEAL_FORMAT("snprintf", room, std::vsnprintf(to, room, format, arguments));
}
int __wrap___sprintf_chk(char* to, int flag, std::size_t there, const char* format, ...) {
    ORDEAL_FORMAT("sprintf", no_limit, __vsprintf_chk(to, flag, there, format, arguments));
}
int __wrap___snprintf_chk(char* to, std::size_t room, int flag, std::size_t there, const char* format, ...) {
    ORDEAL_FORMAT("snprintf", room, __vsnprintf_chk(to, room, flag, there, format, arguments));
}

int __wrap_printf(const char* format, ...) {
    ORDEAL_PRINT("printf", std::vprintf(format, arguments));
    return length;
}
int __wrap_fprintf(std::FILE* file, const char* format, ...) {
    refuse_without_room(file, 0, "the function fprintf, where it would wait,");
    ORDEAL_PRINT("fprintf", std::vfprintf(file, format, arguments));
    return length;
}
int __wrap___printf_chk(int /*flag*/, const char* format, ...) {
    ORDEAL_PRINT("printf", std::vprintf(format, arguments));
    return length;
}
int __wrap___fprintf_chk(std::FILE* file, int /*flag*/, const char* format, ...) {
    refuse_without_room(file, 0, "the function fprintf, where it would wait,");
    ORDEAL_PRINT("fprintf", std::vfprintf(file, format, arguments));
    return length;
}
int __wrap_vprintf(const char* format, std::va_list arguments) {
    note_arguments(accesses_of_caller("vprintf"), format, arguments);
    return std::vprintf(format, arguments);
}
int __wrap_vfprintf(std::FILE* file, const char* format, std::va_list arguments) {
    refuse_without_room(file, 0, "the function vfprintf, where it would wait,");
    note_arguments(accesses_of_caller("vfprintf"), format, arguments);
    return std::vfprintf(file, format, arguments);
}

int __wrap_vsscanf(const char* from, const char* format, std::va_list arguments) {
    const caller_accesses caller = accesses_of_caller("vsscanf");
    caller.reads_text(from);
    std::va_list again;
    va_copy(again, arguments);
    const int assigned = std::vsscanf(from, format, arguments);
    note_assigned(caller, format, again, assigned);
    va_end(again);
    return assigned;
}
[[gnu::alias("__wrap_vsscanf")]] int __wrap___isoc99_vsscanf(const char* from, const char* format,
                                                             std::va_list arguments);
#define ORDEAL_SCAN(name, file, arguments_begin, arguments_end) \
    refuse_if_it_blocks(fileno(file), "the function " name ", but for files,"); \
    const caller_accesses caller = accesses_of_caller(name); \
    arguments_begin; \
    std::va_list again; \
    va_copy(again, arguments); \
    const int assigned = std::vfscanf(file, format, arguments); \
    note_assigned(caller, format, again, assigned); \
    va_end(again); \
    arguments_end; \
    return assigned
#define ORDEAL_SCAN_LIST(name, file) ORDEAL_SCAN(name, file, (void)0, (void)0)
#define ORDEAL_SCAN_REST(name, file) \
    std::va_list arguments; \
    ORDEAL_SCAN(name, file, va_start(arguments, format), va_end(arguments))

int __wrap_vfscanf(std::FILE* file, const char* format, std::va_list arguments) { ORDEAL_SCAN_LIST("vfscanf", file); }
int __wrap_vscanf(const char* format, std::va_list arguments) { ORDEAL_SCAN_LIST("vscanf", stdin); }
int __wrap_fscanf(std::FILE* file, const char* format, ...) { ORDEAL_SCAN_REST("fscanf", file); }
int __wrap_scanf(const char* format, ...) { ORDEAL_SCAN_REST("scanf", stdin); }
[[gnu::alias("__wrap_vfscanf")]] int __wrap___isoc99_vfscanf(std::FILE* file, const char* format,
                                                             std::va_list arguments);
[[gnu::alias("__wrap_vscanf")]] int __wrap___isoc99_vscanf(const char* format, std::va_list arguments);
[[gnu::alias("__wrap_fscanf")]] int __wrap___isoc99_fscanf(std::FILE* file, const char* format, ...);
[[gnu::alias("__wrap_scanf")]] int __wrap___isoc99_scanf(const char* format, ...);

int __wrap_sscanf(const char* from, const char* format, ...) {
    const caller_accesses caller = accesses_of_caller("sscanf");
    caller.reads_text(from);
    std::va_list arguments;
    va_start(arguments, format);
    std::va_list again;
    va_copy(again, arguments);
    const int assigned = std::vsscanf(from, format, arguments);
    note_assigned(caller, format, again, assigned);
    va_end(again);
    va_end(arguments);
    return assigned;
}
[[gnu::alias("__wrap_sscanf")]] int __wrap___isoc99_sscanf(const char* from, const char* format, ...);

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // namespace ordeal::detail
