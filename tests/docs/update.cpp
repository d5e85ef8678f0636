// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the listings and tables of the documents anew, from runs of the program and from the sources.
#include "listing.hpp"
#include "memory_orders.hpp"
#include "state_charts.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

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

// They are written whole, and may be missing.
void update_whole(const char* path, std::string (&wanted)()) {
    const std::string text = wanted();
    if (std::filesystem::exists(in_project(path)) && ordeal::docs::content(path) == text) return;
    write(path, text);
}

}  // namespace

int main() {
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
    attempt(memory_orders_json, [] { update_whole(memory_orders_json, memory_orders_as_json); });
    attempt(memory_orders_markdown, [] { update_whole(memory_orders_markdown, memory_orders_as_markdown); });
    attempt(state_charts_markdown, [] { update_whole(state_charts_markdown, state_charts_as_markdown); });
    for (const auto& path : document_paths()) attempt(path, [&] { update(path); });
    return failures == 0 ? 0 : 1;
}
