// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace ordeal::model_tests::rc11 {

/// The whole number in an environment variable, or the usual one.
[[nodiscard]] inline std::uint64_t from_environment(const char* name, std::uint64_t usual) {
    const char* const asked = std::getenv(name);
    return asked == nullptr ? usual : std::stoull(asked);
}

/// The seed of the first random program; every failure prints the seed of its own.
[[nodiscard]] inline std::uint64_t first_seed() { return from_environment("ORDEAL_SEED", 1); }

}  // namespace ordeal::model_tests::rc11
