// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Run by the build: turns clang's output for operations.cpp for each target into C++.
//
//   write_tables OUTPUT COMPILER [TARGET FILE | TARGET "absent: SENTENCE"]...
#include "ordeal/audit/cost/assembly.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

namespace {

constexpr std::string_view absent = "absent: ";

struct table {
    std::string name;
    std::map<std::string, std::string> functions;
    std::string absent_because;
};

std::string content(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) throw std::runtime_error("cannot read " + path);
    return text.str();
}

std::string quoted(const std::string& text) {
    if (text.find_first_of("\"\\\n") != std::string::npos) throw std::runtime_error("cannot be quoted: " + text);
    return '"' + text + '"';
}

table read_table(const std::string& name, const std::string& value) {
    const auto of = parse_target(name);
    if (!of) throw std::runtime_error("no target of that name: " + name);
    if (value.starts_with(absent)) return {name, {}, value.substr(absent.size())};
    table result{name, functions_in(*of, content(value)), {}};
    if (result.functions.empty()) throw std::runtime_error("no function in " + value);
    return result;
}

// All tables come from one source: functions missing in some of them were not recognised.
void require_same_functions(const std::vector<table>& tables) {
    const table* first = nullptr;
    for (const table& each : tables) {
        if (!each.absent_because.empty()) continue;
        if (first == nullptr) first = &each;
        const bool same = std::ranges::equal(first->functions, each.functions, [](const auto& left, const auto& right) {
            return left.first == right.first;
        });
        if (!same) throw std::runtime_error(each.name + " has other functions than " + first->name);
    }
}

std::string source(const std::string& compiler, const std::vector<table>& tables) {
    std::string result =
        "// Written by write_tables from what clang makes of src/ordeal/audit/cost/operations.cpp.\n"
        "#include \"ordeal/audit/cost/instruction_cost.hpp\"\n\n"
        "namespace ordeal::detail {\n\nnamespace {\n\n";
    std::string all;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const table& each = tables[i];
        const std::string rows = "rows_" + std::to_string(i);
        all += "    {" + quoted(each.name) + ", " + (each.functions.empty() ? "{}" : rows) + ", " +
               quoted(each.absent_because) + "},\n";
        if (each.functions.empty()) continue;
        result += "// " + each.name + "\nconstexpr instruction_row " + rows + "[]{\n";
        for (const auto& [name, text] : each.functions) {
            result += "    {" + quoted(name) + ", " + quoted(text) + "},\n";
        }
        result += "};\n\n";
    }
    result += "constexpr instruction_table all_tables[]{\n" + all + "};\n\n}  // namespace\n\n";
    result += "std::span<const instruction_table> instruction_tables() noexcept { return all_tables; }\n\n";
    result += "std::string_view instruction_compiler() noexcept { return " + quoted(compiler) + "; }\n\n";
    return result + "}  // namespace ordeal::detail\n";
}

void write_tables(const std::vector<std::string>& arguments) {
    if (arguments.size() < 4 || arguments.size() % 2 != 0) {
        throw std::runtime_error("usage: write_tables OUTPUT COMPILER [TARGET FILE | TARGET \"absent: SENTENCE\"]...");
    }
    std::vector<table> tables;
    for (std::size_t i = 2; i < arguments.size(); i += 2) tables.push_back(read_table(arguments[i], arguments[i + 1]));
    require_same_functions(tables);
    std::ofstream out(arguments[0], std::ios::binary);
    out << source(arguments[1], tables);
    if (!out.flush()) throw std::runtime_error("cannot write " + arguments[0]);
}

}  // namespace

}  // namespace ordeal::detail

int main(int argc, char** argv) {
    try {
        ordeal::detail::write_tables({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "write_tables: %s\n", error.what());
        return 1;
    }
    return 0;
}
