// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled for AVX2, and for that without other headers: the linker takes their inline functions from any object.
#include "ordeal/runtime/state/fingerprint.hpp"

#define XXH_INLINE_ALL  // NOLINT(readability-identifier-naming): xxHash asks for it
#include <xxhash.h>

namespace ordeal::detail {

std::uint64_t xxh3_with_avx2(const void* bytes, std::size_t size) noexcept { return XXH3_64bits(bytes, size); }

}  // namespace ordeal::detail
