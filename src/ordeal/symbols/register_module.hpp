// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Alone, and with nothing of the standard library: every trial library compiles it anew.
#pragma once

namespace ordeal {

/// The module that this address lies in is code on trial. Before main, or at least before anything asks. `has_plugin`: it
/// was compiled with ordeal's plugin for its compiler.
void register_trial_module(const void* address_inside, bool has_plugin);

}  // namespace ordeal
