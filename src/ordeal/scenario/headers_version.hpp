// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// Ends the process with exit code 2 and a sentence with both versions if `version` and `abi` are not those of the
/// headers that this program was compiled with. `what`: the code with the other headers, "the trial 'queue'". Called
/// before anything else that passes between scenarios and the harness; its name and parameters are the same in every
/// version.
extern "C" void ordeal_require_same_headers(const char* what, const char* version, int abi) noexcept;
