// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between a program of existing tests, compiled as code on trial, and the harness. Plain functions and types: the tests
// have a standard library of their own choice of options.
#pragma once

namespace ordeal::detail {

/// A program of existing tests, as it stands.
struct existing_tests {
    const char* name;       ///< the subject of all scenarios
    const char* framework;  ///< "googletest", "catch2", "doctest", "boost"; "plain": a main() without a framework
    int (*main)(int argc, char** argv);
    const int* begun;  ///< test cases that the framework has begun in this execution
};

}  // namespace ordeal::detail

extern "C" {

/// Called before main, once in a program.
void ordeal_register_existing_tests(const ordeal::detail::existing_tests* tests);

// Called by the listener of a framework; outside an execution they do nothing.

/// A test case begins. Defined beside the tests.
void ordeal_test_begins();
/// An assertion has failed, and so the test: ends the execution.
void ordeal_test_fails(const char* message, const char* file, unsigned line);
/// The test says that it does not apply.
void ordeal_test_is_skipped(const char* message, const char* file, unsigned line);
}
