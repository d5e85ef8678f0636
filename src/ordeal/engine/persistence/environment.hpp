// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <span>
#include <string>

namespace ordeal {

/// What variables of the environment are, by name: not the values, which may be secret, but what tells them apart.
using environment_values = std::map<std::string, std::string>;

/// Of these variables, as this process was given them; "*" is all of them together.
[[nodiscard]] environment_values values_in_environment(std::span<const std::string> names);

/// The first of these variables that has another value in this process; empty when there is none.
[[nodiscard]] std::string changed_variable(const environment_values& recorded);

/// From when it is called, values_in_environment() tells the environment as it is now, whatever changes it later.
void keep_environment();

}  // namespace ordeal
