// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/unchecked/unchecked_code.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/symbols/loaded_modules.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <set>

namespace ordeal::detail::unchecked_lists {

namespace {

struct all_lists {
    std::vector<unchecked_item> code;
    std::set<std::string, std::less<>> allowed;
    std::map<std::string, std::string, std::less<>> target_of;  // by file name
};

std::string_view without_folder(std::string_view path) noexcept {
    return path.substr(std::min(path.size(), path.find_last_of('/') + 1));  // npos + 1 is 0
}

// "liba.so.1" -> "a"
std::string_view bare(std::string_view file) noexcept {
    if (file.starts_with("lib")) file.remove_prefix(3);
    return file.substr(0, std::min(file.find(".so"), file.size() - (file.ends_with(".a") ? 2 : 0)));
}

// "increment(int*)" -> "increment"
std::string_view without_arguments(std::string_view function) noexcept {
    return function.substr(0, function.find('('));
}

std::vector<std::string> fields_of(std::string_view line) {
    std::vector<std::string> result;
    for (std::size_t end = 0; end != std::string_view::npos;) {
        end = line.find('\t');
        result.emplace_back(line.substr(0, end));
        if (end != std::string_view::npos) line.remove_prefix(end + 1);
    }
    result.resize(4);
    return result;
}

void read(const std::string& path, all_lists& into) {
    std::ifstream file(path + ".unseen");
    if (!file) {
        into.code.push_back({.kind = unchecked_kind::unlisted, .name = std::string(without_folder(path))});
    }
    for (std::string line; std::getline(file, line);) {
        const std::vector<std::string> fields = fields_of(line);
        if (fields[0] == "object") {
            into.code.push_back({unchecked_kind::object, fields[1], fields[2], fields[3]});
        } else if (fields[0] == "assembler" || fields[0] == "unlooked") {
            into.code.push_back({.kind = unchecked_kind::assembler, .name = fields[1]});
        } else if (fields[0] == "assertions") {
            into.code.push_back({.kind = unchecked_kind::assertions, .name = fields[1]});
        } else if (fields[0] == "target") {
            into.target_of.emplace(fields[2], fields[1]);
        } else if (fields[0] == "allowed") {
            into.allowed.insert(fields[1]);
        }
    }
}

const all_lists& lists() {
    static const all_lists& instance = *[] {
        const harness_scope harness;
        auto* const result = new all_lists;
        for (const std::string& path : trial_libraries()) read(path, *result);
        return result;
    }();
    return instance;
}

std::string target_of(std::string_view file) {
    const auto found = lists().target_of.find(file);
    return found == lists().target_of.end() ? "" : found->second;
}

// These are listed function by function: library_functions.cpp.
bool is_of_the_system(std::string_view file) noexcept {
    constexpr std::array<std::string_view, 10> libraries{"libc.so",      "libm.so",  "libmvec.so", "libstdc++.so",
                                                         "libgcc_s.so",  "libdl.so", "librt.so",   "libpthread.so",
                                                         "libatomic.so", "ld-linux"};
    return std::ranges::any_of(libraries, [&](std::string_view each) { return file.starts_with(each); });
}

}  // namespace

bool allow(std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(names, [](std::string_view each) {
        return !each.empty() && (lists().allowed.contains(each) || lists().allowed.contains(without_folder(each)));
    });
}

std::vector<unchecked_item> listed() {
    const harness_scope harness;
    std::vector<unchecked_item> result = lists().code;
    for (unchecked_item& each : result) {
        each.allowed =
            allow({each.name, without_arguments(each.name), each.container, bare(each.container), each.target});
    }
    return result;
}

std::string words_for_call(const std::string& name, std::uintptr_t address) {
    const harness_scope harness;
    const auto module = module_at(address);
    const std::string file(module ? without_folder(module->path) : "");
    const std::string target = target_of(file);
    const bool in_program = is_in_program(address);
    if (is_of_the_system(file) || allow({name, without_arguments(name), file, bare(file), target})) {
        return "what a function of a library does to memory was not seen: " + name;
    }
    std::string words = std::string(not_checked) + name;
    words += in_program ? " (linked to the program, not to the trial)" : " (" + file + ")";
    words += in_program       ? ": add its source to SOURCES, or make it one of LIBRARIES and INSTRUMENT it"
             : target.empty() ? ": compile it for the trial, or ALLOW_UNSEEN " + file
                              : ": add its source to SOURCES, or INSTRUMENT " + target;
    return words;
}

std::string words_for_place(const std::string& what, const std::string& file, const std::string& function) {
    if (allow({file, function})) return "not seen: " + what;
    return std::string(not_checked) + what + ": write it in C++, or ALLOW_UNSEEN " + std::string(without_folder(file));
}

}  // namespace ordeal::detail::unchecked_lists
