// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite.hpp"

#include "ordeal/cli/command_line.hpp"

ORDEAL_SCENARIO("counts/here", counts);

int main(int argc, char** argv) { return ordeal::run_command_line(argc, argv); }
