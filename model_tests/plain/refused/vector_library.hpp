// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace ordeal::model_tests {

using eight_numbers [[gnu::vector_size(32)]] = int;

/// Of a shared library: the arguments come in registers of 32 bytes.
[[gnu::target("avx")]] long sum_of(eight_numbers first, eight_numbers second);

}  // namespace ordeal::model_tests
