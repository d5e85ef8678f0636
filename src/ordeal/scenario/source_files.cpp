// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/source_files.hpp"

#include "ordeal/scenario/source_root.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

namespace ordeal {

namespace {

// A function's own, not a global: it is needed before the constructors of globals have run.
std::vector<std::string>& roots() {
    static std::vector<std::string> instance;
    return instance;
}

bool is_under(std::string_view path, std::string_view folder) {
    return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

// The program carries no path of the folder that it was built from, which nobody else has. Where it was installed, and where it was
// built, there is share/ordeal instead: in /usr for /usr/bin/ordeal, in the build folder for all programs below that.
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

}  // namespace

void register_source_root(const char* folder) {
    std::string name = std::filesystem::path(folder).lexically_normal().string();
    while (name.ends_with('/')) name.pop_back();
    auto& all = roots();
    if (name.empty() || std::ranges::find(all, name) != all.end()) return;
    // A project inside another one is asked first.
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
    const auto is_there = [](const std::string& place) { return std::ifstream(place).good(); };
    if (is_there(path)) return path;
    if (path.starts_with('/')) return {};
    std::vector<std::string> folders = roots();
    if (!own_sources().empty()) folders.push_back(own_sources());
    for (const std::string& folder : folders) {
        const std::string place = (std::filesystem::path(folder) / path).string();
        if (is_there(place)) return place;
    }
    return {};
}

std::ifstream open_source(const std::string& path) { return std::ifstream(find_source(path)); }

}  // namespace ordeal
