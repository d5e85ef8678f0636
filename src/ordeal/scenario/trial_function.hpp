// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace ordeal {

/// Registers the scenario `name`, on trial under the same name, that is nothing but `run` on one thread. What else it
/// needs it creates itself, threads too. Called before main by each trial library that has a function `void trial()`.
void register_trial_function(const char* name, void (*run)(void* object, int thread));

}  // namespace ordeal
