// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/persistence/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

namespace ordeal::detail {

namespace {

std::string last_error() { return std::strerror(errno); }

class signals_held {
public:
    signals_held() noexcept {
        sigset_t held;
        sigemptyset(&held);
        sigaddset(&held, SIGINT);
        sigaddset(&held, SIGTERM);
        sigprocmask(SIG_BLOCK, &held, &before_);
    }
    ~signals_held() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
    signals_held(const signals_held&) = delete;
    signals_held& operator=(const signals_held&) = delete;

private:
    sigset_t before_{};
};

// Whether the path is something other than a regular file: a device, a pipe.
bool is_special(const std::string& path) {
    struct stat status{};
    return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

// A symbolic link stays, and its target is written.
std::string target_of(const std::string& path) {
    constexpr int most_links = 40;
    std::filesystem::path target = path;
    std::error_code error;
    for (int i = 0; i < most_links && !is_special(target) && std::filesystem::is_symlink(target, error); ++i) {
        target = target.parent_path() / std::filesystem::read_symlink(target, error);
        if (error) return path;
    }
    return target.string();
}

// An empty file beside `target` with the permissions of the file that it will replace; -1 and errno on failure. `name`
// becomes its name.
int open_temporary_file(const std::string& target, std::string& name) {
    name = target + ".XXXXXX";
    const int file = mkostemp(name.data(), O_CLOEXEC);
    if (file < 0) return -1;
    const mode_t mask = umask(0);
    umask(mask);
    struct stat old{};
    const bool replaces = stat(target.c_str(), &old) == 0 && S_ISREG(old.st_mode);
    fchmod(file, replaces ? old.st_mode & 0777 : 0666 & ~mask);
    return file;
}

bool write_all(int file, std::string_view content) {
    while (!content.empty()) {
        const ssize_t n = write(file, content.data(), content.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        content.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

std::optional<std::string> write_directly(int file, std::string_view content) {
    if (!write_all(file, content)) return last_error();
    return std::nullopt;
}

// Opening a pipe without a reader would block; only writing may block.
std::optional<std::string> write_special(const std::string& target, std::string_view content) {
    const int file = open(target.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0 && errno == ENXIO) return "nobody reads from it";
    if (file < 0) return last_error();
    fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
    auto why = write_directly(file, content);
    close(file);
    return why;
}

std::optional<std::string> replace(const std::string& target, std::string_view content) {
    const signals_held held;  // or the other file would be left behind
    std::string name;
    const int file = open_temporary_file(target, name);
    if (file < 0) return last_error();
    const bool written = write_all(file, content) && fsync(file) == 0;
    std::string why = written ? "" : last_error();
    if (close(file) != 0 && why.empty()) why = last_error();
    if (why.empty() && rename(name.c_str(), target.c_str()) != 0) why = last_error();
    if (why.empty()) return std::nullopt;
    unlink(name.c_str());
    return why;
}

}  // namespace

std::optional<std::string> output_file::obstacle() const {
    if (is_standard_output()) return std::nullopt;
    if (path_.empty()) return "the name is empty";
    const std::string target = target_of(path_);
    std::error_code ignored;
    if (std::filesystem::is_directory(target, ignored)) return std::strerror(EISDIR);
    if (access(target.c_str(), F_OK) == 0 && access(target.c_str(), W_OK) != 0) return last_error();
    if (is_special(target)) return std::nullopt;
    const signals_held held;
    std::string name;
    const int file = open_temporary_file(target, name);
    if (file < 0) return last_error();
    close(file);
    unlink(name.c_str());
    return std::nullopt;
}

std::optional<std::string> output_file::obstacle_to_keeping() const {
    if (auto why = obstacle()) return why;
    if (is_standard_output() || is_special(path_)) return "it is not a regular file";
    if (access(path_.c_str(), F_OK) == 0 && access(path_.c_str(), R_OK) != 0) return last_error();
    return std::nullopt;
}

std::string output_file::target() const { return target_of(path_); }

std::optional<std::string> output_file::write(std::string_view content) const {
    if (is_standard_output()) return write_directly(STDOUT_FILENO, content);
    const std::string target = target_of(path_);
    if (!is_special(target)) return replace(target, content);
    return write_special(target, content);
}

}  // namespace ordeal::detail
