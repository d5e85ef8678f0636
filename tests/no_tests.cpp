// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compiles headers in advance needs a source.
