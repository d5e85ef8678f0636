// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/process/temporary_folder.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace ordeal::detail {

namespace {

namespace fs = std::filesystem;

// Opens the folder itself, which must belong to this user and be no symbolic link.
int opened(const fs::path& folder) {
    const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat status{};
    if (file < 0 || (fstat(file, &status) == 0 && status.st_uid == geteuid())) return file;
    close(file);
    return -1;
}

void remove_left(const std::string& parent, const std::string& kind) {
    std::error_code error;
    for (const auto& each : fs::directory_iterator(parent, fs::directory_options::skip_permission_denied, error)) {
        if (!each.path().filename().string().starts_with(kind)) continue;
        const int file = opened(each.path());
        if (file < 0) continue;
        std::error_code ignored;
        if (flock(file, LOCK_EX | LOCK_NB) == 0) fs::remove_all(each.path(), ignored);
        close(file);
    }
}

}  // namespace

// It gets its name once it is locked; until then no process takes it for an abandoned one.
temporary_folder::temporary_folder(const std::string& parent, const std::string& kind) {
    remove_left(parent, kind);
    std::string made = (fs::path(parent) / ('.' + kind + "XXXXXX")).string();
    const auto fail = [&] {
        throw std::system_error(errno, std::generic_category(), "cannot make a temporary folder in " + parent);
    };
    if (mkdtemp(made.data()) == nullptr) fail();
    path_ = (fs::path(parent) / fs::path(made).filename().string().substr(1)).string();
    lock_ = opened(made);
    if (lock_ >= 0 && flock(lock_, LOCK_EX | LOCK_NB) == 0 && rename(made.c_str(), path_.c_str()) == 0) return;
    const int why = errno;
    rmdir(made.c_str());
    if (lock_ >= 0) close(lock_);
    errno = why;
    fail();
}

temporary_folder::~temporary_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    if (lock_ >= 0) close(lock_);
}

}  // namespace ordeal::detail
