// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/process_state/file_changes.hpp"

#include "ordeal/runtime/execution.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace ordeal::detail {

namespace {

constexpr off_t most_bytes = off_t{64} << 20;  // of a file that is kept as it was

struct file_as_it_was {
    std::string path;
    bool there = false;
    struct stat about{};
    std::string content;  // or where a symbolic link leads to
};

struct used_files {
    std::vector<file_as_it_was> changed;  // in the order of their first changes
    int lock = -1;                        // what all processes of a search have inherited
    bool locked = false;
};

used_files& files() {
    static auto& instance = *new used_files;  // never destroyed: exit handlers may still use files
    return instance;
}

// Locks are bytes of a file. They are a process's own, so that one that is killed gives them back. Whoever is to have
// the files next holds the door: otherwise a process that goes on to its next execution would always be the first.
enum class lock_byte : off_t { files = 0, door = 1 };

bool set_lock(lock_byte which, int how, int kind) noexcept {
    struct flock byte{};
    byte.l_type = static_cast<short>(kind);
    byte.l_whence = SEEK_SET;
    byte.l_start = static_cast<off_t>(which);
    byte.l_len = 1;
    int result = 0;
    do result = ::fcntl(files().lock, how, &byte);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

std::string whole_path(int folder, const char* path) {
    if (*path == '/') return path;
    std::array<char, PATH_MAX> base{};
    if (folder == AT_FDCWD) {
        if (::getcwd(base.data(), base.size()) == nullptr) return path;
    } else {
        const std::string link = "/proc/self/fd/" + std::to_string(folder);
        if (::readlink(link.c_str(), base.data(), base.size() - 1) < 0) return path;
    }
    return std::string(base.data()) + '/' + path;
}

std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string target_of(const std::string& path) {
    std::array<char, PATH_MAX> target{};
    return ::readlink(path.c_str(), target.data(), target.size() - 1) < 0 ? "" : target.data();
}

bool is_below(std::string_view path, std::string_view folder) {
    return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
}

// What is there was made in this execution, and goes with its end.
bool is_new(const std::string& path) {
    return std::ranges::any_of(files().changed, [&](const file_as_it_was& each) {
        return !each.there && (each.path == path || is_below(path, each.path));
    });
}

bool is_kept(const std::string& path) {
    return std::ranges::find(files().changed, path, &file_as_it_was::path) != files().changed.end();
}

bool keep(std::string path, file_changes::kind what) {
    struct stat about{};
    bool there = ::lstat(path.c_str(), &about) == 0;
    if (there && S_ISLNK(about.st_mode) && what == file_changes::kind::content) {
        std::array<char, PATH_MAX> target{};
        if (::realpath(path.c_str(), target.data()) == nullptr) return false;
        path = target.data();
        there = ::lstat(path.c_str(), &about) == 0;
    }
    if (is_new(path) || is_kept(path)) return true;
    file_as_it_was now{.path = std::move(path), .there = there, .about = about, .content = {}};
    if (there && is_below(now.path, "/proc")) return false;
    if (there && is_below(now.path, "/sys")) return false;
    if (there && S_ISREG(about.st_mode)) {
        if (about.st_size > most_bytes || ::access(now.path.c_str(), R_OK) != 0) return false;
        now.content = content_of(now.path);
    } else if (there && S_ISLNK(about.st_mode)) {
        now.content = target_of(now.path);
    } else if (there && S_ISDIR(about.st_mode)) {
        if (what == file_changes::kind::moved) return false;
    } else if (there) {
        return what == file_changes::kind::content;  // a device holds nothing; a pipe or a socket cannot be made again
    }
    files().changed.push_back(std::move(now));
    return true;
}

void put_content_back(const file_as_it_was& before, bool there) {
    if (!there || content_of(before.path) != before.content) {
        if (!there) ::close(::open(before.path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, before.about.st_mode & 07777));
        std::ofstream(before.path, std::ios::binary | std::ios::trunc) << before.content;
    }
    ::chmod(before.path.c_str(), before.about.st_mode & 07777);
    const std::array<timespec, 2> times{before.about.st_atim, before.about.st_mtim};
    ::utimensat(AT_FDCWD, before.path.c_str(), times.data(), 0);
}

void put_back(const file_as_it_was& before) {
    struct stat now{};
    bool there = ::lstat(before.path.c_str(), &now) == 0;
    if (there && (!before.there || (now.st_mode & S_IFMT) != (before.about.st_mode & S_IFMT))) {
        std::error_code ignored;
        std::filesystem::remove_all(before.path, ignored);
        there = false;
    }
    if (!before.there) return;
    if (S_ISDIR(before.about.st_mode)) {
        if (!there) ::mkdir(before.path.c_str(), before.about.st_mode & 07777);
        ::chmod(before.path.c_str(), before.about.st_mode & 07777);
    } else if (S_ISLNK(before.about.st_mode)) {
        if (there && target_of(before.path) == before.content) return;
        if (there) ::unlink(before.path.c_str());
        (void)!::symlink(before.content.c_str(), before.path.c_str());
    } else {
        put_content_back(before, there);
    }
}

}  // namespace

void file_changes::prepare() {
    const int made = ::memfd_create("files", MFD_CLOEXEC);
    if (made < 0) return;
    files().lock = ::fcntl(made, F_DUPFD_CLOEXEC, first_descriptor_of_harness);
    ::close(made);
}

void file_changes::begin_use() {
    used_files& all = files();
    if (all.locked || all.lock < 0) return;
    const int error = errno;
    const bool at_door = set_lock(lock_byte::door, F_SETLKW, F_WRLCK);
    all.locked = set_lock(lock_byte::files, F_SETLKW, F_WRLCK);
    if (at_door) (void)set_lock(lock_byte::door, F_SETLK, F_UNLCK);
    errno = error;
}

bool file_changes::may_change(int folder, const char* path, kind what) {
    const harness_scope harness;
    const int error = errno;
    const bool kept = path == nullptr || *path == '\0' || keep(whole_path(folder, path), what);
    errno = error;
    return kept;
}

void file_changes::note_created(const char* path) {
    const harness_scope harness;
    const int error = errno;
    std::string whole = whole_path(AT_FDCWD, path);
    if (!is_new(whole))
        files().changed.push_back({.path = std::move(whole), .there = false, .about = {}, .content = {}});
    errno = error;
}

void file_changes::undo() noexcept {
    used_files& all = files();
    if (!all.changed.empty()) {
        const harness_scope harness;
        std::ranges::for_each(all.changed.rbegin(), all.changed.rend(), put_back);
        all.changed.clear();
    }
    if (std::exchange(all.locked, false)) (void)set_lock(lock_byte::files, F_SETLK, F_UNLCK);
}

}  // namespace ordeal::detail
