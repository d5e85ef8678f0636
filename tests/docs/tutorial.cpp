// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tutorial.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <stdexcept>
#include <utility>

namespace ordeal::docs {

namespace {

namespace fs = std::filesystem;

// A folder that is gone at the end.
class scratch_folder {
public:
    scratch_folder() {
        std::string name = (fs::temp_directory_path() / "ordeal-tutorial-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder for the tutorial");
        path_ = name;
    }
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;
    ~scratch_folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    [[nodiscard]] const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

// What a command prints, and its exit code; -1 if it was ended by a signal.
std::pair<std::string, int> run_shell(const std::string& command) {
    std::FILE* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("cannot run a shell");
    std::string text;
    std::array<char, 4096> buffer{};
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
        text.append(buffer.data(), n);
    }
    const int status = pclose(pipe);
    return {std::move(text), WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

struct tutorial_results {
    std::map<std::size_t, lines> by_line;     // of the directive
    std::map<std::string, lines> by_command;  // the first time
    std::map<std::string, lines> files;       // the first text
};

// The lines between the fences of the block that follows a directive.
lines block_after(const document& in, const directive& of) {
    const auto begin = in.text.begin() + static_cast<std::ptrdiff_t>(of.last) + 1;
    if (begin == in.text.end() || !begin->starts_with("```")) {
        throw std::runtime_error(in.path + ":" + std::to_string(of.last + 1) + ": no block follows");
    }
    return {begin + 1, std::find(begin + 1, in.text.end(), "```")};
}

// Seconds are no two times the same: the last column of a table of verdicts, and the end of a summary.
std::string without_times(const std::string& line) {
    static const std::regex column(R"(( +\d+(?: +\d+)?) +\d+\.\d+$)");
    static const std::regex summary(R"(; \d+\.\d s\.$)");
    return std::regex_replace(std::regex_replace(line, column, "$1  ..."), summary, "; ...");
}

class walk {
public:
    tutorial_results go(const document& page) {
        for (const directive& each : page.directives) {
            if (each.kind == "file") write(each.argument, block_after(page, each));
            if (each.kind == "shell") {
                for (const std::string& command : block_after(page, each)) run(command + " 2>&1", 0);
            }
            if (each.kind == "step") step(each);
        }
        return std::move(results_);
    }

private:
    void write(const std::string& name, const lines& text) {
        fs::create_directories((folder_.path() / name).parent_path());
        std::ofstream out(folder_.path() / name, std::ios::binary);
        for (const std::string& line : text) out << line << '\n';
        if (!out.flush()) throw std::runtime_error("cannot write " + name);
        results_.files.emplace(name, text);
    }

    void step(const directive& of) {
        int code = 0;
        for (const auto& [key, value] : of.options) {
            if (key == "exit") code = std::stoi(value);
        }
        lines printed = run(of.argument + " 2>/dev/null", code);
        results_.by_command.emplace(of.argument, printed);
        results_.by_line.emplace(of.first, std::move(printed));
    }

    lines run(const std::string& command, int wanted) {
        const auto [text, code] = run_shell("cd '" + folder_.path().string() +
                                            "' && export ordeal_DIR='" ORDEAL_BUILD_DIR "' && PATH='" ORDEAL_BUILD_DIR
                                            "/bin':\"$PATH\" && export XDG_CACHE_HOME=\"$PWD/.cache\" && " +
                                            command + " </dev/null");
        if (code != wanted) {
            throw std::runtime_error("in an executed page `" + command + "` ended with " + std::to_string(code) +
                                     ":\n" + text);
        }
        lines result = lines_of(text);
        for (std::string& line : result) line = without_times(line);
        return result;
    }

    scratch_folder folder_;
    tutorial_results results_;
};

const tutorial_results& results(const std::string& page) {
    static std::map<std::string, tutorial_results> kept;
    auto found = kept.find(page);
    if (found == kept.end()) found = kept.emplace(page, walk().go(load(page))).first;
    return found->second;
}

}  // namespace

lines tutorial_output(const directive& of) {
    if (of.kind == "step") return results(of.page).by_line.at(of.first);
    const auto& all = results(tutorial_page).by_command;
    const auto found = all.find(of.argument);
    if (found == all.end()) throw std::runtime_error("the tutorial has no step " + of.argument);
    return found->second;
}

lines tutorial_file(const std::string& name) {
    const auto& all = results(tutorial_page).files;
    const auto found = all.find(name);
    return found == all.end() ? lines{} : found->second;
}

}  // namespace ordeal::docs
