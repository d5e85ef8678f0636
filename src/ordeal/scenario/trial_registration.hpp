// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a trial library calls before main. Separate, and without the standard library: every trial library compiles it.
#pragma once

namespace ordeal::detail {

/// Names sources under this folder relative to it, so that names are the same on every machine. Called before main by
/// code on trial compiled in a project of its own.
void register_source_root(const char* folder);

/// Registers the module that contains this address as code on trial. Must be called before main, or at least before the
/// first query. `has_plugin`: it was compiled with ordeal's plugin for its compiler.
void register_trial_module(const void* address_inside, bool has_plugin);

}  // namespace ordeal::detail
