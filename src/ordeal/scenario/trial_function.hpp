// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace ordeal::detail {

/// Registers the scenario `name`, with a subject of the same name, that consists of `run` on one thread, which creates
/// further threads itself. Called before main by each trial library that has a function `void trial()`.
void register_trial_function(const char* name, void (*run)(void* object, int thread));

}  // namespace ordeal::detail
