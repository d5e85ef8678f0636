// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A marker in each source that defines NDEBUG, whose assertions are unchecked. The build removes the definition if it
// comes from an option, see ordeal_trial.cmake. No `#pragma once`: it is checked again wherever assertions are defined.
#if defined(NDEBUG) && !defined(ORDEAL_NOTED_NDEBUG)
#define ORDEAL_NOTED_NDEBUG
__attribute__((used, section("ordeal_ndebug"))) static const char ordeal_source_with_ndebug[] = __BASE_FILE__;
#endif
