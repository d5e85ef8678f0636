// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <span>
#include <string>

namespace ordeal::detail {

/// Fingerprints of environment variables, by name: not the values, which may be secret.
using environment_values = std::map<std::string, std::string>;

/// Of these variables, as this process was started with them; "*" is all of them together.
[[nodiscard]] environment_values values_in_environment(std::span<const std::string> names);

/// The first of these variables with another value in this process; empty if there is none.
[[nodiscard]] std::string changed_variable(const environment_values& recorded);

/// Freezes the environment seen by values_in_environment(), whatever changes it later.
void keep_environment();

}  // namespace ordeal::detail
