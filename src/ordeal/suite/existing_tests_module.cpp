// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of the library with existing tests, and not on trial itself: tells the harness what main is. The program has
// another one.
#include "ordeal/suite/existing_tests.hpp"

#ifndef ORDEAL_TEST_FRAMEWORK
#error "ordeal: this file is compiled by ordeal_add_tests() alone"
#endif

// The compiler plugin skips a module with this symbol: compiler/clang_plugin.cpp. trial_module.cpp has it too.
extern "C" [[gnu::visibility("hidden"), gnu::weak]] const char ordeal_not_on_trial = 0;

// The framework's, or the user's: in this library.
int ordeal_main_of_tests(int argc, char** argv) asm("main");

namespace {

// In this library, so that each execution begins with none.
int begun = 0;

constexpr ordeal::detail::existing_tests tests{ORDEAL_TESTS_NAME, ORDEAL_TEST_FRAMEWORK, &ordeal_main_of_tests, &begun};

[[gnu::constructor]] void introduce() { ordeal_register_existing_tests(&tests); }

}  // namespace

extern "C" void ordeal_test_begins() { ++begun; }
