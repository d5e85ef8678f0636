// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/command_line.hpp"

int main(int argc, char** argv) { ordeal::end_process(ordeal::run_command_line(argc, argv)); }
