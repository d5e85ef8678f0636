// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main of programs of ordeal_add_test_program(); the framework's is in the library with the tests.
#include "ordeal/suite/test_framework.hpp"

int main(int argc, char** argv) { return ordeal::detail::run_test_program(argc, argv); }
