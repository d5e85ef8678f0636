// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the listings and tables of the documents anew, from runs of the programs and from the sources.
//
//   ordeal_update_docs                  all documents but those of the examples
//   ordeal_update_docs PATH...          these, by their paths from the root of the project
//   ordeal_update_docs --check PATH...  says where they differ, and writes nothing
//   ordeal_update_docs --check --printed COMMAND FILE PATH...   FILE has what the command prints: it is not run again
#include "listing.hpp"
#include "memory_orders.hpp"
#include "program_run.hpp"
#include "state_charts.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

std::filesystem::path in_project(const std::string& path) { return std::filesystem::path(ORDEAL_SOURCE_ROOT) / path; }

void write(const std::string& path, const std::string& text) {
    std::ofstream out(in_project(path), std::ios::binary);
    out << text;
    if (!out.flush()) throw std::runtime_error("cannot write " + path);
    std::printf("%s\n", path.c_str());
}

void update(const std::string& path) {
    const auto document = ordeal::docs::load(path);
    const auto wanted = ordeal::docs::updated(document);
    if (wanted == document.text) return;
    std::string text;
    for (const auto& line : wanted) text += line + '\n';
    write(path, text);
}

// Whether it says what it must.
bool is_up_to_date(const std::string& path) {
    const auto document = ordeal::docs::load(path);
    const auto wanted = ordeal::docs::updated(document);
    const auto [is, must_be] = std::ranges::mismatch(document.text, wanted);
    if (is == document.text.end() && must_be == wanted.end()) return true;
    const auto shown = [](const auto& line, const auto& end) { return line == end ? "(the end)" : line->c_str(); };
    std::printf("%s:%td:\n  is:      %s\n  must be: %s\nThe target update_docs writes it anew.\n", path.c_str(),
                is - document.text.begin() + 1, shown(is, document.text.end()), shown(must_be, wanted.end()));
    return false;
}

// They are written whole, and may be missing.
void update_whole(const char* path, std::string (&wanted)()) {
    const std::string text = wanted();
    if (std::filesystem::exists(in_project(path)) && ordeal::docs::content(path) == text) return;
    write(path, text);
}

}  // namespace

int main(int argc, char** argv) {
    int failures = 0;
    const auto attempt = [&](const std::string& path, const auto& make) {
        try {
            make();
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s: %s\n", path.c_str(), error.what());
            ++failures;
        }
    };
    using namespace ordeal::docs;
    std::vector<std::string> paths(argv + 1, argv + argc);
    if (!paths.empty() && paths.front() == "--check") {
        paths.erase(paths.begin());
        if (paths.size() > 2 && paths.front() == "--printed") {
            attempt(paths[2], [&] { take_as_printed(paths[1], paths[2]); });
            paths.erase(paths.begin(), paths.begin() + 3);
        }
        for (const auto& path : paths) {
            attempt(path, [&] { failures += is_up_to_date(path) ? 0 : 1; });
        }
        return failures == 0 ? 0 : 1;
    }
    if (!paths.empty()) {
        for (const auto& path : paths) attempt(path, [&] { update(path); });
        return failures == 0 ? 0 : 1;
    }
    attempt(memory_orders_json, [] { update_whole(memory_orders_json, memory_orders_as_json); });
    attempt(memory_orders_markdown, [] { update_whole(memory_orders_markdown, memory_orders_as_markdown); });
    attempt(state_charts_markdown, [] { update_whole(state_charts_markdown, state_charts_as_markdown); });
    for (const auto& path : document_paths()) attempt(path, [&] { update(path); });
    return failures == 0 ? 0 : 1;
}
