// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/runtime/state/fingerprint.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/state/hash.hpp"
#include "ordeal/runtime/state/virtual_time.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <vector>

namespace ordeal::detail {

namespace {

std::uint64_t hash_of(const void* bytes, std::size_t size) noexcept {
#if defined(__x86_64__)
    static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
    if (has_avx2) return xxh3_with_avx2(bytes, size);
#endif
    return XXH3_64bits(bytes, size);
}

}  // namespace

std::uint64_t fingerprint_of_bytes(std::uintptr_t address, std::size_t size, std::uint64_t hash) noexcept {
    return hash_of_number(hash_of(reinterpret_cast<const void*>(address), size), hash);
}

std::uint64_t fingerprint_of_bytes(std::uintptr_t address, std::size_t size, std::uint64_t hash,
                                   std::int64_t passed) noexcept {
    if (passed == 0) return fingerprint_of_bytes(address, size, hash);
    const harness_scope harness;
    static std::vector<std::uint64_t> words;  // only to reuse its memory
    words.assign((size + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t), 0);
    std::memcpy(words.data(), reinterpret_cast<const void*>(address), size);
    for (std::uint64_t& each : words) each = virtual_time::shifted_back(each, passed);
    return fingerprint_of_bytes(reinterpret_cast<std::uintptr_t>(words.data()), size, hash);
}

}  // namespace ordeal::detail
