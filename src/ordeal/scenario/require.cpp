// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/require.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace ordeal {

namespace {

void abort_with_message(const char* message, const std::source_location& where) {
    std::fprintf(stderr, "%s:%u: failed requirement: %s\n", where.file_name(), where.line(), message);
    std::abort();
}

requirement_handler handler = abort_with_message;
assumption_handler handler_of_assumptions = nullptr;

}  // namespace

void require(bool condition, std::source_location where) {
    if (!condition) handler("", where);
}

void require(bool condition, const char* message, std::source_location where) {
    if (!condition) handler(message, where);
}

void assume(bool condition, std::source_location where) {
    if (!condition && handler_of_assumptions != nullptr) handler_of_assumptions(where);
}

assumption_handler set_assumption_handler(assumption_handler next) noexcept {
    return std::exchange(handler_of_assumptions, next);
}

requirement_handler set_requirement_handler(requirement_handler next) noexcept { return std::exchange(handler, next); }

}  // namespace ordeal
