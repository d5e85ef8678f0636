// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace ordeal::detail {

/// Starts this program anew, once, without address space randomisation: the globals of code on trial are then where
/// they were when a replay token or a checkpoint was made. Does nothing in a program without such code, and where the
/// system does not let it; what is replayed may then differ where the code goes by addresses. `always`: though no such
/// code has registered a scenario.
void disable_address_randomisation(char** argv, bool always = false) noexcept;

}  // namespace ordeal::detail
