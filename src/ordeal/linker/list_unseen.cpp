// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs when the library of a trial has been linked, and writes the unchecked code of it to LIBRARY.unseen: objects that
// were not compiled for a trial, functions with atomic instructions written in assembler, sources whose assertions are
// compiled out. Each verdict names them. It is a program so that files may have any names: CMake's lists and strings
// treat some characters specially.
//
//   list_unseen LIBRARY MAP OPTION VALUE...
//     --objdump PROGRAM   used to find assembler; without it assembler is not looked for
//     --root FOLDER       to which names in the map may be relative
//     --targets FILE      lines "TARGET<tab>FILE": the build's names of the libraries and objects that it links
//     --allow NAMES       names of code that may be unchecked, separated by semicolons
//     --apart TEXT        prefixes of the names of a test framework, which is not on trial:
//                         "FUNCTIONS;ARCHIVE|ARCHIVE"
#include "ordeal/linker/map_file.hpp"
#include "ordeal/linker/object_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ordeal::linker {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(std::string_view text, char at) {
    std::vector<std::string> result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(at), text.size());
        if (end > 0) result.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

struct arguments {
    fs::path library;
    fs::path map;
    std::string objdump;
    std::vector<fs::path> roots;
    fs::path targets;
    std::vector<std::string> allowed;
    std::string functions_apart;
    std::vector<std::string> archives_apart;
};

arguments read_arguments(std::span<char* const> given) {
    if (given.size() < 2 || given.size() % 2 != 0)
        throw std::runtime_error("usage: list_unseen LIBRARY MAP OPTION VALUE...");
    arguments result;
    result.library = given[0];
    result.map = given[1];
    for (std::size_t i = 2; i < given.size(); i += 2) {
        const std::string_view option = given[i];
        const std::string value = given[i + 1];
        if (option == "--objdump") {
            result.objdump = value;
        } else if (option == "--root") {
            result.roots.emplace_back(value);
        } else if (option == "--targets") {
            result.targets = value;
        } else if (option == "--allow") {
            result.allowed = split(value, ';');
        } else if (option == "--apart") {
            const std::vector<std::string> parts = split(value, ';');
            if (parts.size() != 2) continue;
            result.functions_apart = parts[0];
            result.archives_apart = split(parts[1], '|');
        } else {
            throw std::runtime_error("unknown option: " + std::string(option));
        }
    }
    return result;
}

// A line of the list: its fields, separated by tabs.
std::string line_of(std::span<const std::string> fields) {
    std::string line;
    for (const std::string& each : fields) {
        if (!line.empty()) line += '\t';
        for (const char c : each) line += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
    return line;
}

std::string read_output(const std::string& command) {
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("no process could be started");
    std::string text;
    std::array<char, 65536> part{};
    for (std::size_t size = 0; (size = std::fread(part.data(), 1, part.size(), pipe)) > 0;) {
        text.append(part.data(), size);
    }
    if (::pclose(pipe) != 0) throw std::runtime_error("this failed: " + command);
    return text;
}

std::string shell_word(std::string_view text) {
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
    return word + "'";
}

// Takes an instruction as printed by objdump, from its name on.
bool is_atomic(std::string_view instruction) {
    const std::size_t end = std::min(instruction.find_first_of(" \t"), instruction.size());
    const std::string_view name = instruction.substr(0, end);
    if (name == "lock" || name.starts_with("mfence")) return true;
    if (name.starts_with("xchg") && name.size() <= 5) return instruction.find('(') != std::string_view::npos;
    // clang replaces an atomic load by a call and leaves the load where it was. Its result is unused.
    const std::string_view operands = instruction.substr(end);
    const std::size_t first = std::min(operands.find_first_not_of(" \t"), operands.size());
    const std::string_view target = operands.substr(first, 4);
    const bool load = name.starts_with("ldar") || name.starts_with("ldapr") || name.starts_with("ldapur");
    if (load && (target == "wzr," || target == "xzr,")) return false;
    constexpr std::array<std::string_view, 11> arm{"ldx",   "lda",   "stx",   "stl",   "cas", "swp",
                                                   "ldadd", "ldset", "ldclr", "ldeor", "dmb"};
    return std::ranges::any_of(arm, [&](std::string_view each) { return name.starts_with(each); });
}

std::vector<std::string> functions_of_assembler(const arguments& given) {
    const std::string text = read_output(shell_word(given.objdump) + " --disassemble --demangle --no-show-raw-insn " +
                                         shell_word(given.library.string()));
    std::vector<std::string> result;
    std::string function;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t name = line.find('<');
        if (line.ends_with(">:") && name != std::string_view::npos) {
            function = line.substr(name + 1, line.size() - name - 3);
            continue;
        }
        const std::size_t instruction = line.find('\t');
        if (instruction == std::string_view::npos || !is_atomic(line.substr(instruction + 1))) continue;
        const bool apart = !given.functions_apart.empty() && function.starts_with(given.functions_apart);
        if (!apart && (result.empty() || result.back() != function)) result.push_back(function);
    }
    return result;
}

// An input as named in the linker's map.
struct input {
    fs::path file;
    std::string member;  // of an archive

    auto operator<=>(const input&) const = default;
};

// "dir/lib.a(member)" if there is such an archive: either name may contain parentheses.
input input_of(const std::string& text, const std::vector<fs::path>& roots) {
    const auto find = [&](const fs::path& file) -> std::optional<fs::path> {
        std::error_code ignored;
        if (file.is_absolute()) return fs::is_regular_file(file, ignored) ? std::optional(file) : std::nullopt;
        for (const fs::path& root : roots) {
            if (fs::is_regular_file(root / file, ignored)) return root / file;
        }
        return std::nullopt;
    };
    if (auto whole = find(text)) return {*std::move(whole), ""};
    for (std::size_t open = text.find('('); text.ends_with(')') && open != std::string::npos;
         open = text.find('(', open + 1)) {
        if (auto archive = find(text.substr(0, open))) {
            return {*std::move(archive), text.substr(open + 1, text.size() - open - 2)};
        }
    }
    return {text, ""};
}

// Objects that the compiler adds to every program.
bool is_of_compiler(const input& what, const std::vector<fs::path>& roots) {
    const std::string path = what.file.lexically_normal().string();
    const bool of_project = std::ranges::any_of(
        roots, [&](const fs::path& root) { return path.starts_with((root / "").lexically_normal().string()); });
    if (of_project) return false;
    constexpr std::array<std::string_view, 14> names{
        "crt1.o",   "Scrt1.o",   "crti.o",        "crtn.o",   "crtbegin.o",  "crtbeginS.o",      "crtbeginT.o",
        "crtend.o", "crtendS.o", "crtfastmath.o", "libgcc.a", "libgcc_eh.a", "libc_nonshared.a", "libssp_nonshared.a"};
    const std::string name = what.file.filename().string();
    return std::ranges::find(names, name) != names.end() || name.starts_with("libclang_rt.") ||
           name.starts_with("clang_rt.crt");
}

// "lib.cpp.o" comes from lib.cpp.
std::string source_of(const std::string& object) {
    const fs::path name = fs::path(object).filename();
    const fs::path source = name.stem();
    return name.extension() == ".o" && source.has_extension() ? source.string() : name.string();
}

class unseen_list {
public:
    explicit unseen_list(const arguments& given) : given_(given) { read_targets(); }

    void write() {
        add_objects();
        if (given_.objdump.empty()) {
            add({"unlooked", "assembler, which nobody looked for: the build has no objdump"});
        } else {
            for (const std::string& each : functions_of_assembler(given_)) add({"assembler", each});
        }
        const std::string bytes = content(given_.library);
        const object_file library(bytes);
        add_assertions(library);
        tell_thread_variables(library);
        add_names();
        std::ofstream out(fs::path(given_.library) += ".unseen");
        for (const std::string& each : lines_) out << each << '\n';
        if (!out.flush()) throw std::runtime_error("the list cannot be written");
    }

private:
    static std::string content(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    void add(const std::vector<std::string>& fields) {
        std::string line = line_of(fields);
        if (std::ranges::find(lines_, line) == lines_.end()) lines_.push_back(std::move(line));
    }

    void read_targets() {
        std::ifstream in(given_.targets);
        for (std::string line; std::getline(in, line);) {
            const std::size_t tab = line.find('\t');
            if (tab != std::string::npos) targets_.emplace_back(line.substr(0, tab), fs::path(line.substr(tab + 1)));
        }
    }

    [[nodiscard]] std::string target_of(const fs::path& file) const {
        const auto found = std::ranges::find_if(targets_, [&](const auto& each) {
            std::error_code ignored;
            return each.second == file || fs::equivalent(each.second, file, ignored);
        });
        return found == targets_.end() ? "" : found->first;
    }

    [[nodiscard]] bool is_apart(const fs::path& file) const {
        const std::string name = file.filename().string();
        return std::ranges::any_of(given_.archives_apart,
                                   [&](const std::string& each) { return name.starts_with(each); });
    }

    // Each object compiled for a trial calls __tsan_init, except for trial_module.cpp.
    void add_objects() {
        std::ifstream map(given_.map);
        if (!map) throw std::runtime_error("there is no map " + given_.map.string());
        const std::vector<linked_section> sections = sections_in_map(map);
        if (sections.empty()) throw std::runtime_error("nobody knows this map: " + given_.map.string());
        std::set<input> known;
        for (const linked_section& each : sections) {
            const input from = input_of(each.input, given_.roots);
            const bool of_linker = each.input.starts_with('<') || each.input == "linker stubs";
            if (of_linker || known.contains(from) || is_of_compiler(from, given_.roots) || is_apart(from.file))
                continue;
            try {
                const std::vector<object_file> objects = files_.objects(from.file, from.member);
                const bool code =
                    std::ranges::any_of(objects, [&](const object_file& object) { return object.has_code(each.name); });
                if (!code) continue;
                known.insert(from);
                const bool seen = std::ranges::all_of(objects, [](const object_file& object) {
                    return object.has_symbol("__tsan_init") || object.has_symbol("ordeal_not_on_trial");
                });
                if (seen) continue;
            } catch (const std::runtime_error&) {
                known.insert(from);  // unreadable, so unchecked
            }
            const std::string name = source_of(from.member.empty() ? from.file.string() : from.member);
            add({"object", name, from.member.empty() ? "" : from.file.filename().string(), target_of(from.file)});
        }
    }

    // The overlay's assert.h leaves a marker where NDEBUG is defined.
    void add_assertions(const object_file& library) {
        for (const object_file::section& each : library.sections()) {
            if (each.name != "ordeal_ndebug") continue;
            for (const std::string& source : split(each.bytes, '\0')) add({"assertions", source});
        }
    }

    // clang is told to emit a table for each thread-local variable. A library compiled otherwise lacks it: then linking
    // fails for a missing symbol that appears nowhere in the source.
    static void tell_thread_variables(const object_file& library) {
        constexpr std::string_view table = "__emutls_v.";
        std::set<std::string> variables;
        for (const object_file::symbol& each : library.symbols()) {
            if (!each.defined && each.name.starts_with(table)) variables.insert(each.name.substr(table.size()));
        }
        // The harness has those of libstdc++.
        variables.erase("_ZSt11__once_call");
        variables.erase("_ZSt15__once_callable");
        if (variables.empty()) return;
        std::string names;
        for (const std::string& each : variables) names += (names.empty() ? "" : ", ") + each;
        std::cerr
            << "ordeal: thread-local variables of a library: " << names
            << ". A trial by clang is compiled with -femulated-tls. Where the linker finds no __emutls_v of that name, "
               "compile the library with -femulated-tls, too, or make its sources those of the trial.\n";
    }

    // The names that the program passes to INSTRUMENT or ALLOW_UNSEEN.
    void add_names() {
        for (const auto& [target, file] : targets_) {
            if (file.extension() != ".o") add({"target", target, file.filename().string()});
        }
        for (const std::string& each : given_.allowed) add({"allowed", each});
    }

    const arguments& given_;
    std::vector<std::pair<std::string, fs::path>> targets_;
    input_files files_;
    std::vector<std::string> lines_;
};

}  // namespace

}  // namespace ordeal::linker

int main(int argc, char** argv) {
    try {
        const auto given = ordeal::linker::read_arguments(std::span(argv, static_cast<std::size_t>(argc)).subspan(1));
        ordeal::linker::unseen_list(given).write();
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "ordeal: nobody could list what of a trial is not seen: " << error.what() << '\n';
        return 1;
    }
}
