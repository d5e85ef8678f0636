// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace ordeal::tests {

/// The seed of the delays on real threads: 1, or what the environment says. Every failure prints its own.
[[nodiscard]] inline std::uint64_t first_seed() {
    const char* const asked = std::getenv("ORDEAL_TEST_SEED");
    return asked == nullptr ? 1 : std::stoull(asked);
}

}  // namespace ordeal::tests
