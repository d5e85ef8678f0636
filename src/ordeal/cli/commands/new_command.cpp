// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/commands/commands.hpp"
#include "ordeal/cli/commands/template_files.hpp"
#include "ordeal/cli/options/option_values.hpp"
#include "ordeal/engine/persistence/output_file.hpp"
#include "ordeal/report/pasted_lines.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <ranges>
#include <system_error>
#include <vector>

namespace ordeal::detail {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view placeholder = "my_project";

[[noreturn]] void refuse(exit_code code, const fs::path& what, std::string_view why) {
    throw command_error(code, fmt::format("cannot write a project to '{}': {}", what.string(), why));
}

// Nothing is there yet, or a folder without anything in it. What `git init` makes is no part of a project.
void require_empty(const fs::path& folder) {
    std::error_code error;
    const fs::file_status there = fs::status(folder, error);
    if (there.type() == fs::file_type::not_found) return;
    if (error) refuse(exit_code::usage, folder, error.message());
    if (!fs::is_directory(there)) refuse(exit_code::usage, folder, "it is not a folder");
    for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
        if (each->path().filename() != ".git") {
            refuse(exit_code::usage, folder,
                   fmt::format("it is not empty: it has '{}'", each->path().filename().string()));
        }
    }
    if (error) refuse(exit_code::usage, folder, error.message());
}

std::string name_for(const fs::path& folder, const std::string& asked) {
    if (!asked.empty()) return asked;
    std::error_code error;
    std::string name = fs::weakly_canonical(folder, error).filename().string();
    if (const std::string why = project_name_error(name); !why.empty()) {
        throw command_error(exit_code::usage, fmt::format("{}; --name gives it one", why));
    }
    return name;
}

std::string with_name(std::string_view content, std::string_view name) {
    std::string result;
    for (std::size_t next; (next = content.find(placeholder)) != std::string_view::npos;) {
        result.append(content.substr(0, next)).append(name);
        content.remove_prefix(next + placeholder.size());
    }
    return result.append(content);
}

/// Files and folders of which nothing is left unless all of them could be written.
class written_whole {
public:
    written_whole() = default;
    written_whole(const written_whole&) = delete;
    written_whole& operator=(const written_whole&) = delete;
    ~written_whole() {
        std::error_code ignored;
        for (const fs::path& each : std::views::reverse(made_)) fs::remove(each, ignored);
    }

    // With those above it.
    void make_folder(const fs::path& folder) {
        std::error_code error;
        if (folder.empty() || fs::is_directory(folder, error)) return;
        make_folder(folder.parent_path());
        if (fs::create_directory(folder, error)) {
            made_.push_back(folder);
        } else if (error) {
            refuse(exit_code::incomplete, folder, error.message());
        }
    }

    void write(const fs::path& file, std::string_view content) {
        make_folder(file.parent_path());
        if (const auto why = output_file(file.string()).write(content)) refuse(exit_code::incomplete, file, *why);
        made_.push_back(file);
    }

    void keep() noexcept { made_.clear(); }

private:
    std::vector<fs::path> made_;
};

std::string next_steps(const fs::path& folder) {
    const std::string change = folder.lexically_normal() == "." ? "" : "cd " + shell_word(folder.string()) + " && ";
    return fmt::format(
        "\n"
        "  {}cmake --preset default\n"
        "  cmake --build build\n"
        "  ctest --test-dir build --output-on-failure\n"
        "\n"
        "The tests fail: one memory order in src/bounded_queue.hpp is wrong. README.md continues from there.\n",
        change);
}

}  // namespace

exit_code run_new(const command_options& options) {
    fs::path folder = options.fresh.folder;
    if (!folder.has_filename()) folder = folder.parent_path();  // "folder/"
    require_empty(folder);
    const std::string name = name_for(folder, options.fresh.name);
    written_whole files;
    for (const template_file& each : template_files()) files.write(folder / each.path, with_name(each.content, name));
    const std::string said = fmt::format("{}: {} files in '{}'. Next:\n{}", name, template_files().size(),
                                         options.fresh.folder, next_steps(options.fresh.folder));
    if (const auto why = output_file("-").write(said)) {
        throw command_error(exit_code::incomplete, "cannot write standard output: " + *why);
    }
    files.keep();
    return exit_code::as_expected;
}

}  // namespace ordeal::detail
