// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main of programs of ordeal_add_tests(); that of the tests is in the library with them.
#include "ordeal/cli/command_line.hpp"
#include "ordeal/suite/test_cases.hpp"

int main(int argc, char** argv) { ordeal::end_process(ordeal::detail::run_existing_tests(argc, argv)); }
