// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mark in each source that has defined NDEBUG: nobody checks its assertions. The build takes the definition out where it comes
// from an option, see ordeal_trial.cmake. No `#pragma once`: it is looked for again wherever assertions are defined.
#if defined(NDEBUG) && !defined(ORDEAL_NOTED_NDEBUG)
#define ORDEAL_NOTED_NDEBUG
__attribute__((used, section("ordeal_ndebug"))) static const char ordeal_source_with_ndebug[] = __BASE_FILE__;
#endif
