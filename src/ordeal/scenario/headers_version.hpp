// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// Ends the process, with exit code 2 and a sentence with both versions, where `version` and `abi` are not those of the headers that
/// this program was compiled with. `what`: whose they are, "the trial 'queue'". It is called before anything else that
/// scenarios hand over, and keeps its name and its parameters in every version.
extern "C" void ordeal_require_same_headers(const char* what, const char* version, int abi) noexcept;
