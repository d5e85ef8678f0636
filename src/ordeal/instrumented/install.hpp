// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace ordeal {

/// Lets the engines run instrumented code in this process. Called before main wherever this front end is linked in.
void install_instrumented_front_end();

}  // namespace ordeal
