// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/processors/mapping.hpp"

#include <vector>

namespace ordeal::detail::processors {

/// What an instruction depends on is not known of an execution, but each instruction depends on none of the earlier
/// reads of its thread, or on all of them, or on something between the two.
enum class dependencies : std::uint8_t { none, all };

/// Whether the axiomatic model of the processor has the execution. That read-modify-writes are atomic is given: C++
/// requires it.
///
/// - x86-64: TSO as in Alglave, Maranget, Tautschnig, "Herding Cats", TOPLAS 2014.
/// - AArch64: Pulte, Flur, Deacon, French, Sarkar, Sewell, POPL 2018; Arm Architecture Reference Manual, B2.3.
/// - RISC-V: RVWMO, the axiomatic model in the appendices of the Unprivileged ISA manual.
/// - POWER: "Herding Cats", figures 17, 18 and 25.
[[nodiscard]] bool allows(target which, const std::vector<machine_event>& execution, dependencies there_are);

}  // namespace ordeal::detail::processors
