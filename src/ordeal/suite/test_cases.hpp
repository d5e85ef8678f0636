// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace ordeal::detail {

/// The `main` of a program of ordeal_add_tests(): asks the tests for their test cases, each of which becomes a
/// scenario, and runs the command line over them.
[[nodiscard]] int run_existing_tests(int argc, char** argv);

}  // namespace ordeal::detail
