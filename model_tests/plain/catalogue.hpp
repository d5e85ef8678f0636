// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace catalogue {

__extension__ using int128 = __int128;

void plain_accesses();
void objects();
void library();
void functions();
void atomics();
void synchronisation();

/// Atomic objects of 16 bytes, nand, and what is refused on trial: atomic objects of an odd size.
void beyond_the_model();

}  // namespace catalogue
