// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the listings and tables of the documents anew, from runs of the program and from the sources.
#include "listing.hpp"

#include <cstdio>
#include <exception>
#include <fstream>

namespace {

void update(const std::string& path) {
    const auto document = ordeal::docs::load(path);
    const auto wanted = ordeal::docs::updated(document);
    if (wanted == document.text) return;
    std::ofstream out(std::string(ORDEAL_SOURCE_ROOT "/") + path, std::ios::binary);
    for (const auto& line : wanted) out << line << '\n';
    if (!out.flush()) throw std::runtime_error("cannot write " + path);
    std::printf("%s\n", path.c_str());
}

}  // namespace

int main() {
    int failures = 0;
    for (const auto& path : ordeal::docs::document_paths()) {
        try {
            update(path);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s: %s\n", path.c_str(), error.what());
            ++failures;
        }
    }
    return failures == 0 ? 0 : 1;
}
