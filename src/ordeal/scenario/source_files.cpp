// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/source_files.hpp"

#include "ordeal/scenario/trial_registration.hpp"

#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

namespace ordeal::detail {

namespace {

// A function-local static, as it is needed before the constructors of globals have run.
std::vector<std::string>& roots() {
    static std::vector<std::string> instance;
    return instance;
}

bool is_under(std::string_view path, std::string_view folder) {
    return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

std::vector<std::string>& refused() {
    static std::vector<std::string> instance;
    return instance;
}

void refuse(const std::string& path, std::string_view what_it_is) {
    std::string words = '\'' + path + "' is " + std::string(what_it_is);
    if (std::ranges::find(refused(), words) == refused().end()) refused().push_back(std::move(words));
}

std::string_view name_of_kind(mode_t mode) {
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return S_ISDIR(mode) ? "a folder" : "a device";
}

class opened_source {
public:
    explicit opened_source(std::string path) : path_(std::move(path)) {
        struct stat status{};
        if (stat(path_.c_str(), &status) != 0 || !is_regular(status)) return;  // opening a pipe may block
        // The file may have been replaced in between.
        file_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        if (file_ >= 0 && (fstat(file_, &status) != 0 || !is_regular(status))) close(std::exchange(file_, -1));
    }
    ~opened_source() {
        if (file_ >= 0) close(file_);
    }
    opened_source(const opened_source&) = delete;
    opened_source& operator=(const opened_source&) = delete;

    [[nodiscard]] bool is_open() const noexcept { return file_ >= 0; }
    [[nodiscard]] bool is_refused() const noexcept { return refused_; }

    // Nothing if it cannot be read to its end.
    [[nodiscard]] std::optional<std::string> text() const {
        constexpr std::size_t most = std::size_t{64} << 20;  // no source is that long; some system files are endless
        if (!is_open()) return std::nullopt;
        std::string text;
        std::array<char, 65536> block;
        while (true) {
            const ssize_t count = read(file_, block.data(), block.size());
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) return std::nullopt;
            if (count == 0) return text;
            text.append(block.data(), static_cast<std::size_t>(count));
            if (text.size() <= most) continue;
            refuse(path_, "too long for a source file");
            return std::nullopt;
        }
    }

private:
    [[nodiscard]] bool is_regular(const struct stat& status) {
        if (S_ISREG(status.st_mode)) return true;
        refused_ = true;
        refuse(path_, std::string(name_of_kind(status.st_mode)) + ", not a regular file");
        return false;
    }

    std::string path_;
    int file_ = -1;
    bool refused_ = false;
};

// Trials may be in a library that the program loads.
std::filesystem::file_time_type linked_at() {
    std::error_code error;
    auto newest = std::filesystem::last_write_time("/proc/self/exe", error);
    const auto add = [](dl_phdr_info* module, std::size_t /*size*/, void* context) {
        auto& latest = *static_cast<std::filesystem::file_time_type*>(context);
        std::error_code none;
        const auto time = std::filesystem::last_write_time(module->dlpi_name, none);
        if (!none) latest = std::max(latest, time);
        return 0;
    };
    dl_iterate_phdr(+add, &newest);
    return newest;
}

}  // namespace

// The program has no path of its build folder, which other machines lack. Installed and built programs have
// share/ordeal instead: in /usr for /usr/bin/ordeal, in the build folder for all programs below it.
const std::string& own_sources() {
    static const std::string found = [] {
        std::error_code error;
        const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
        for (auto folder = program.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
            std::filesystem::path sources = folder / "share/ordeal";
            if (std::filesystem::is_directory(sources / "src", error)) return sources.string();
        }
        return std::string();
    }();
    return found;
}

void register_source_root(const char* folder) {
    std::string name = std::filesystem::path(folder).lexically_normal().string();
    while (name.ends_with('/')) name.pop_back();
    auto& all = roots();
    if (name.empty() || std::ranges::find(all, name) != all.end()) return;
    // A project inside another one takes precedence.
    const auto place = std::ranges::find_if(all, [&](const std::string& other) { return other.size() < name.size(); });
    all.insert(place, std::move(name));
}

std::string source_name(std::string_view path) {
    std::string name = std::filesystem::path(path).lexically_normal().string();
    const auto root = std::ranges::find_if(roots(), [&](const std::string& folder) { return is_under(name, folder); });
    if (root != roots().end()) name.erase(0, root->size() + 1);
    return name;
}

std::string find_source(const std::string& path) {
    std::vector<std::string> places{path};
    if (!path.starts_with('/')) {
        std::vector<std::string> folders = roots();
        if (!own_sources().empty()) folders.push_back(own_sources());
        for (const std::string& folder : folders) places.push_back((std::filesystem::path(folder) / path).string());
    }
    for (std::string& place : places) {
        const opened_source file(place);
        if (file.is_open()) return std::move(place);
        if (file.is_refused()) return {};  // no other file of that name can be meant
    }
    return {};
}

std::optional<std::string> read_source(const std::string& path) { return opened_source(find_source(path)).text(); }

bool is_newer_than_program(const std::string& path) {
    static const auto linked = linked_at();
    std::error_code error;
    const auto written = std::filesystem::last_write_time(find_source(path), error);
    return !error && written > linked;
}

std::vector<std::string> read_source_lines(const std::string& path) {
    std::istringstream text(read_source(path).value_or(""));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(std::move(line));
    return lines;
}

const std::vector<std::string>& refused_sources() { return refused(); }

}  // namespace ordeal::detail
