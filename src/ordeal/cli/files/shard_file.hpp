// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/persistence/environment.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ordeal::detail {

/// What one shard of a check leaves for `merge`: each of its searches, and what they are searches of.
struct shard_file {
    search_options how;  ///< with shard and shards
    std::string engine;
    std::vector<std::string> scenarios;                   ///< that the check is of, in its order
    std::vector<std::optional<search_result>> results{};  ///< one for each; nothing: it was not begun
    environment_values environment{};                     ///< of a file: what the code on trial asked for

    /// Throws std::runtime_error when it cannot be read, is damaged, or is of another build of the program.
    [[nodiscard]] static shard_file read(const std::string& path);
    /// Throws std::runtime_error when it cannot be written.
    void write(const std::string& path) const;
};

/// The files, ordered by their shards. Throws command_error when they are not all shards of one check, each once.
[[nodiscard]] std::vector<shard_file> all_shards(const std::vector<std::string>& paths);

}  // namespace ordeal::detail
