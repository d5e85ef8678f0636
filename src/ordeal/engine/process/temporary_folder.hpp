// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace ordeal::detail {

/// A temporary folder of this process, removed with this object. A folder left by a killed process is removed by the
/// next process that makes one of that kind: it holds a lock, which the system releases when its process ends.
class temporary_folder {
public:
    /// In `parent`, with a name that begins with `kind`. Throws std::system_error.
    temporary_folder(const std::string& parent, const std::string& kind);
    ~temporary_folder();
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;

    [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
    std::string path_;
    int lock_ = -1;
};

}  // namespace ordeal::detail
