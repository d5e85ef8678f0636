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

/// What is refused on trial: atomic objects of 16 bytes or of an odd size, and nand.
void beyond_the_model();

}  // namespace catalogue
