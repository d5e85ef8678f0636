// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/cli/options/options.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

// What is wrong with the text of an option, as a sentence; empty when nothing is.

[[nodiscard]] std::string search_error(const std::string& text);
[[nodiscard]] std::string seconds_error(const std::string& text);
[[nodiscard]] std::string memory_error(const std::string& text);
[[nodiscard]] std::string whole_number_error(const std::string& text);
[[nodiscard]] std::string file_error(const std::string& text);
[[nodiscard]] std::string kept_file_error(const std::string& text);  ///< of a checkpoint or a soak
[[nodiscard]] std::string reductions_error(const std::string& text);
[[nodiscard]] std::string names_of_reductions();  ///< "retries, blocked, ..."
[[nodiscard]] std::string shard_error(const std::string& text);
[[nodiscard]] std::string framework_error(const std::string& text);
[[nodiscard]] std::string project_name_error(const std::string& text);
[[nodiscard]] std::string engine_error(const std::string& text);
[[nodiscard]] std::string client_size_error(const std::string& text);
[[nodiscard]] std::optional<client_size> parse_client_size(std::string_view text);  ///< "3x2"
[[nodiscard]] std::string acceptance_error(const std::string& text);                ///< one, or "@FILE"

/// Of existing tests: "googletest", ..., and "plain", which is none.
[[nodiscard]] const std::vector<std::string>& test_frameworks();

/// Adds the acceptances of a file: one a line, and comments that begin with #. Returns what is wrong, with the line.
[[nodiscard]] std::string read_acceptances(const std::string& file, std::vector<acceptance>& into);

/// "512M", "2G", "1.5G": bytes.
[[nodiscard]] std::optional<std::uint64_t> parse_memory(std::string_view text) noexcept;
/// "2/8" into a search_shard; false when it is no shard.
[[nodiscard]] bool parse_shard(std::string_view text, search_options& into);

[[nodiscard]] std::optional<colour_choice> parse_colour(std::string_view text);

}  // namespace ordeal::detail
