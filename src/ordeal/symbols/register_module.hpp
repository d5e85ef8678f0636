// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Separate, and without the standard library: every trial library compiles it.
#pragma once

namespace ordeal::detail {

/// Registers the module that contains this address as code on trial. Must be called before main, or at least before the
/// first query. `has_plugin`: it was compiled with ordeal's plugin for its compiler.
void register_trial_module(const void* address_inside, bool has_plugin);

}  // namespace ordeal::detail
