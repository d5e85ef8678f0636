// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "document.hpp"

namespace ordeal::docs {

inline constexpr const char* schema_folder = "reference-data/schema";

/// `schema REPORT [PART]`: the keys of a report in JSON, or of a part of it, with their types, as its JSON Schema has them.
[[nodiscard]] lines schema_table(const lines& words);

/// The reports that have a schema, by name.
[[nodiscard]] lines schema_names();

/// The parts that a schema describes by themselves.
[[nodiscard]] lines schema_parts(const std::string& name);

}  // namespace ordeal::docs
