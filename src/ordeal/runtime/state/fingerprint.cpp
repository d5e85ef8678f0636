// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/runtime/state/fingerprint.hpp"

#include "ordeal/runtime/state/hash.hpp"
#include "ordeal/runtime/state/virtual_time.hpp"

#define XXH_INLINE_ALL  // NOLINT(readability-identifier-naming): xxHash asks for it
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace ordeal::detail {

namespace {

std::uint64_t hash_of(const void* bytes, std::size_t size) noexcept {
#if defined(__x86_64__)
    static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
    if (has_avx2) return xxh3_with_avx2(bytes, size);
#endif
    return XXH3_64bits(bytes, size);
}

// So much is copied at once: nothing may be allocated here, and stacks on trial are small.
std::array<std::uint64_t, 8192> copied;
constexpr std::size_t part = sizeof(copied);

const void* shifted_back(const void* bytes, std::size_t size, std::int64_t passed) noexcept {
    const std::span words(copied.data(), (size + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
    if (!words.empty()) words.back() = 0;
    std::memcpy(words.data(), bytes, size);
    for (std::uint64_t& each : words) each = virtual_time::shifted_back(each, passed);
    return words.data();
}

}  // namespace

std::uint64_t fingerprint_of_bytes(std::uintptr_t address, std::size_t size, std::uint64_t hash,
                                   std::int64_t passed) noexcept {
    do {
        const std::size_t now = std::min(size, part);
        const auto* const bytes = reinterpret_cast<const void*>(address);
        hash = hash_of_number(hash_of(passed == 0 ? bytes : shifted_back(bytes, now, passed), now), hash);
        address += now;
        size -= now;
    } while (size != 0);
    return hash;
}

}  // namespace ordeal::detail
