// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ordeal::detail {

/// A file that is written whole or not at all: to a temporary file beside it, which then replaces it. "-" is standard
/// output; a device or a pipe is written to directly. An existing file keeps its permissions.
class output_file {
public:
    explicit output_file(std::string path) : path_(std::move(path)) {}

    [[nodiscard]] bool is_standard_output() const noexcept { return path_ == "-"; }
    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    /// The file that is written if the path is a symbolic link.
    [[nodiscard]] std::string target() const;

    /// Why it cannot be written, or nothing; leaves no trace. Checked before a long search begins.
    [[nodiscard]] std::optional<std::string> obstacle() const;

    /// The same for a file that is read again later, which must be a regular file: a device or a pipe does not keep
    /// what was written, and reading from one may block for ever.
    [[nodiscard]] std::optional<std::string> obstacle_to_keeping() const;

    /// Returns the reason for a failure, or nothing. SIGINT and SIGTERM are deferred while a file is replaced; a pipe
    /// must have a reader.
    [[nodiscard]] std::optional<std::string> write(std::string_view content) const;

private:
    std::string path_;
};

}  // namespace ordeal::detail
