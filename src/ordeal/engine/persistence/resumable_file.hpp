// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// A file from which a later process of the same program resumes: its text, and what must be as it was when it was
// written, the build of the program and its environment.
namespace ordeal::detail {

/// A text that the program writes for itself: "ordeal KIND VERSION", lines, and a checksum of everything before it.
struct sealed_kind {
    std::string_view name;     ///< "checkpoint": in the first line and in messages
    std::string_view version;  ///< of the format
    std::size_t lines = 0;     ///< between the first and the last
};

/// The text of such a file; no line may contain a newline.
[[nodiscard]] std::string seal(const sealed_kind& kind, std::span<const std::string> lines);

/// The lines sealed in `text`, the content of the file `path`. Throws std::runtime_error with a reason if it is of
/// another kind or version, or incomplete.
[[nodiscard]] std::vector<std::string> unseal(const sealed_kind& kind, const std::string& path, std::string_view text);

/// Sixteen digits that identify the running program and its shared libraries, trials included: their code, constants
/// and initial values of variables, not their paths. Computed once, from the state when they were loaded; thread-safe.
/// Throws std::runtime_error if a file cannot be read.
[[nodiscard]] const std::string& build_identity();

/// Fingerprints of environment variables, by name: not the values, which may be secret.
using environment_values = std::map<std::string, std::string>;

/// Of these variables, as this process was started with them; "*" is all of them together.
[[nodiscard]] environment_values values_in_environment(std::span<const std::string> names);

/// The first of these variables with another value in this process; empty if there is none.
[[nodiscard]] std::string changed_variable(const environment_values& recorded);

/// Freezes the environment seen by values_in_environment(), whatever changes it later.
void keep_environment();

}  // namespace ordeal::detail
