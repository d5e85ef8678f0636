// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors, called by code on trial, which is linked with --wrap. The kernel has one table of them for all threads:
// calls are totally ordered, and every order is explored.
#include "ordeal/instrumented/kernel/blocking_calls.hpp"

#include <unistd.h>

#include <cstdio>

// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" {

int __wrap_close(int file) {
    ordeal::detail::uses_descriptors("close");
    if (!ordeal::detail::can_close(file))
        ordeal::detail::refused_on_trial("the function close, of what others have opened,");
    return close(file);
}
int __wrap_dup(int file) {
    ordeal::detail::uses_descriptors("dup");
    return dup(file);
}
int __wrap_dup2(int file, int to) {
    ordeal::detail::uses_descriptors("dup2");
    if (file != to && !ordeal::detail::can_close(to)) {
        ordeal::detail::refused_on_trial("the function dup2, to what others have opened,");
    }
    return dup2(file, to);
}
int __wrap_dup3(int file, int to, int flags) {
    ordeal::detail::uses_descriptors("dup3");
    if (file != to && !ordeal::detail::can_close(to)) {
        ordeal::detail::refused_on_trial("the function dup3, to what others have opened,");
    }
    return dup3(file, to, flags);
}
off_t __wrap_lseek(int file, off_t to, int from) {
    ordeal::detail::uses_descriptors("lseek");
    return lseek(file, to, from);
}
[[gnu::alias("__wrap_lseek")]] off_t __wrap_lseek64(int file, off_t to, int from);

int __wrap_fclose(std::FILE* stream) {
    ordeal::detail::refuse_without_room(stream, 1, "the function fclose, where it would wait,");
    ordeal::detail::uses_descriptors("fclose");
    if (!ordeal::detail::can_close(stream))
        ordeal::detail::refused_on_trial("the function fclose, of what others have opened,");
    return fclose(stream);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)
