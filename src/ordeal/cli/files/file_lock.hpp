// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace ordeal::detail {

/// Keeps other processes of ordeal from a file that this one goes on from and replaces, while it lives. The lock is on
/// an empty file beside it, with the name and ".lock": the file itself gives way to another one each time it is
/// written. The system takes the lock away when the process ends, however it ends; processes that this one forks do not
/// have it.
class file_lock {
public:
    /// Throws command_error: when another process has it, and which one; when there cannot be such a file.
    explicit file_lock(const std::string& file);
    ~file_lock();
    file_lock(const file_lock&) = delete;
    file_lock& operator=(const file_lock&) = delete;

private:
    std::string name_;
    int file_ = -1;
};

}  // namespace ordeal::detail
