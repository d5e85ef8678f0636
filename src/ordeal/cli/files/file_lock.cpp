// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/files/files.hpp"

#include "ordeal/cli/command_parts.hpp"
#include "ordeal/engine/persistence/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace ordeal::detail {

namespace {

[[noreturn]] void cannot_lock(const std::string& name, const std::string& why) {
    throw command_error(exit_code::usage, fmt::format("cannot lock '{}': {}", name, why));
}

[[noreturn]] void in_use(const std::string& file, int lock) {
    struct flock held{};
    held.l_type = F_WRLCK;
    const bool known = fcntl(lock, F_GETLK, &held) == 0 && held.l_type != F_UNLCK && held.l_pid > 0;
    close(lock);
    throw command_error(
        exit_code::usage,
        fmt::format("'{}' is in use by {}", file, known ? fmt::format("process {}", held.l_pid) : "another process"));
}

// The one that had the lock may have taken the file away before this process got it.
bool is_same_file(const std::string& name, const struct stat& opened) {
    struct stat now{};
    return stat(name.c_str(), &now) == 0 && now.st_dev == opened.st_dev && now.st_ino == opened.st_ino;
}

}  // namespace

file_lock::file_lock(const std::string& file) : name_(output_file(file).target() + ".lock") {
    while (file_ < 0) {
        const int lock = open(name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
        if (lock < 0) cannot_lock(name_, std::strerror(errno));
        struct stat status{};
        if (fstat(lock, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size != 0) {
            close(lock);
            cannot_lock(name_, "a file that is not a lock of this program has that name");
        }
        struct flock wanted{};
        wanted.l_type = F_WRLCK;
        wanted.l_whence = SEEK_SET;
        if (fcntl(lock, F_SETLK, &wanted) != 0) {
            if (errno == EACCES || errno == EAGAIN) in_use(file, lock);
            const std::string why = std::strerror(errno);
            close(lock);
            cannot_lock(name_, why);
        }
        if (is_same_file(name_, status)) {
            file_ = lock;
        } else {
            close(lock);
        }
    }
}

file_lock::~file_lock() {
    unlink(name_.c_str());
    close(file_);
}

}  // namespace ordeal::detail
