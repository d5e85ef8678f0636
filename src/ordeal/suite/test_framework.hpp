// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace ordeal::detail {

/// What ordeal::check() needs from a test framework. The implementation is compiled with the tests, as code on trial.
struct test_framework {
    int (*main)(int argc, char** argv);                          ///< of the framework, or the user's own
    std::string (*test)();                                       ///< the name of the running test
    std::string (*filter)();                                     ///< the words that select this test alone
    void (*begin_body)();                                        ///< from now on a failed assertion ends an execution
    void (*end_body)();                                          ///< from now on assertions are the framework's again
    void (*pass)(const char* text);                              ///< the assertion that check() stands for has passed
    void (*fail)(const char* text, const char* file, int line);  ///< or failed; need not return
};

/// Called before main, once in a program.
void register_test_framework(const test_framework& value);

/// The `main` of a program of ordeal_add_test_program(): runs the framework's main and the checks.
[[nodiscard]] int run_test_program(int argc, char** argv);

}  // namespace ordeal::detail
