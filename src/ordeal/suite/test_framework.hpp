// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace ordeal {

/// What ordeal::check() needs of a test framework. Its part is compiled with the tests, as code on trial.
struct test_framework {
    int (*main)(int argc, char** argv);  ///< of the framework, or the user's own
    std::string (*test)();               ///< the name of the test that runs
    std::string (*filter)();             ///< the words that run this test alone
    void (*begin_body)();                ///< from now on an assertion that fails ends an execution
    void (*end_body)();                  ///< and from now on it is the framework's again
    void (*pass)(const char* text);      ///< the assertion that check() is has passed
    void (*fail)(const char* text, const char* file, int line);  ///< or not; need not return
};

/// Before main, once in a program.
void register_test_framework(const test_framework& value);

/// What `main` of a program of ordeal_add_test_program() does: runs the framework's, and its checks beside it.
[[nodiscard]] int run_test_program(int argc, char** argv);

}  // namespace ordeal
