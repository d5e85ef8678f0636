// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Alone, and with nothing of the standard library: every trial library compiles it anew.
#pragma once

namespace ordeal {

/// Sources under this folder are named relative to it, on every machine alike. Called before main by code on trial that
/// was compiled in a project of its own.
void register_source_root(const char* folder);

}  // namespace ordeal
