// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/instrumented/caller/caller_accesses.hpp"

#include <cstdarg>

namespace ordeal::detail {

/// A list of arguments that can be passed by reference.
struct argument_list {
    std::va_list list;
};

/// Notes the strings that a function of the printf family reads for this format, and the objects that its %n writes.
void note_printed(const caller_accesses& caller, const char* format, argument_list& arguments);

/// Notes the objects that a function of the scanf family has written: `assigned` is its result.
void note_scanned(const caller_accesses& caller, const char* format, argument_list& arguments, int assigned);

}  // namespace ordeal::detail
