// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of <cstdio> that write to memory of code on trial, which is linked with --wrap. What they read of their
// arguments is not looked at.
#include "ordeal/instrumented/compiler_calls.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdio>

namespace ordeal {

namespace {

// What was written for `length` characters, as the functions return it, where there is room for `room`.
std::size_t written(int length, std::size_t room) noexcept {
    return length < 0 ? 0 : std::min(static_cast<std::size_t>(length) + 1, room);
}

constexpr auto no_limit = static_cast<std::size_t>(-1);

}  // namespace

}  // namespace ordeal

// A macro because the arguments end with the function that takes them.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
#define ORDEAL_FORMAT(name, room, call) \
    std::va_list arguments; \
    va_start(arguments, format); \
    const int length = call; \
    va_end(arguments); \
    ordeal::writes(to, ordeal::written(length, room), name); \
    return length

extern "C" {

// With _FORTIFY_SOURCE: `there` is what there is at `to`. They end the process if that is not enough.
int __vsprintf_chk(char* to, int flag, std::size_t there, const char* format, std::va_list arguments);
int __vsnprintf_chk(char* to, std::size_t room, int flag, std::size_t there, const char* format,
                    std::va_list arguments);

int __wrap_vsprintf(char* to, const char* format, std::va_list arguments) {
    const int length = std::vsprintf(to, format, arguments);
    ordeal::writes(to, ordeal::written(length, ordeal::no_limit), "vsprintf");
    return length;
}
int __wrap_vsnprintf(char* to, std::size_t room, const char* format, std::va_list arguments) {
    const int length = std::vsnprintf(to, room, format, arguments);
    ordeal::writes(to, ordeal::written(length, room), "vsnprintf");
    return length;
}
int __wrap___vsprintf_chk(char* to, int flag, std::size_t there, const char* format, std::va_list arguments) {
    const int length = __vsprintf_chk(to, flag, there, format, arguments);
    ordeal::writes(to, ordeal::written(length, ordeal::no_limit), "vsprintf");
    return length;
}
int __wrap___vsnprintf_chk(char* to, std::size_t room, int flag, std::size_t there, const char* format,
                           std::va_list arguments) {
    const int length = __vsnprintf_chk(to, room, flag, there, format, arguments);
    ordeal::writes(to, ordeal::written(length, room), "vsnprintf");
    return length;
}

int __wrap_sprintf(char* to, const char* format, ...) {
    ORDEAL_FORMAT("sprintf", ordeal::no_limit, std::vsprintf(to, format, arguments));
}
int __wrap_snprintf(char* to, std::size_t room, const char* format, ...) {
    ORDEAL_FORMAT("snprintf", room, std::vsnprintf(to, room, format, arguments));
}
int __wrap___sprintf_chk(char* to, int flag, std::size_t there, const char* format, ...) {
    ORDEAL_FORMAT("sprintf", ordeal::no_limit, __vsprintf_chk(to, flag, there, format, arguments));
}
int __wrap___snprintf_chk(char* to, std::size_t room, int flag, std::size_t there, const char* format, ...) {
    ORDEAL_FORMAT("snprintf", room, __vsnprintf_chk(to, room, flag, there, format, arguments));
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
