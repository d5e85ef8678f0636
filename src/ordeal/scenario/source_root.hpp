// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Separate, and without the standard library: every trial library compiles it.
#pragma once

namespace ordeal::detail {

/// Names sources under this folder relative to it, so that names are the same on every machine. Called before main by
/// code on trial compiled in a project of its own.
void register_source_root(const char* folder);

}  // namespace ordeal::detail
