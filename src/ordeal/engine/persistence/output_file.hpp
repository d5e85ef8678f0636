// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ordeal {

/// A file that is written whole or not at all: into another file beside it, which then takes its place. "-" is
/// standard output; a device or a pipe is written to directly. A file that was there keeps its permissions.
class output_file {
public:
    explicit output_file(std::string path) : path_(std::move(path)) {}

    [[nodiscard]] bool is_standard_output() const noexcept { return path_ == "-"; }
    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    /// What is written where the path is a link.
    [[nodiscard]] std::string target() const;

    /// Why it cannot be written, or nothing; leaves no trace. Asked before a long search begins.
    [[nodiscard]] std::optional<std::string> obstacle() const;

    /// The same for a file that is read again later: that must be a regular one, for what goes into a device or a pipe is
    /// gone, and reading from one may wait for ever.
    [[nodiscard]] std::optional<std::string> obstacle_to_keeping() const;

    /// Returns why it failed, or nothing. SIGINT and SIGTERM wait while a file is replaced; a pipe must have a reader.
    [[nodiscard]] std::optional<std::string> write(std::string_view content) const;

private:
    std::string path_;
};

}  // namespace ordeal
