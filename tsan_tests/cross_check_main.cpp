// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every order that the audit calls required, weakened on real threads under ThreadSanitizer.
//
//   cross_check AUDIT.json [--json FILE] [--seed N] [--tries N] [--subject NAME]
//
// Exit: 0 every order is confirmed, or why it cannot be is known; 1 some were not seen; 2 usage; 4 nothing to check.
#include "cross_check.hpp"

#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

namespace {

struct request {
    std::string audit;
    std::string json = "out/tsan_cross_check.json";
    std::string subject;
    std::uint64_t seed = 1;
    unsigned tries = 8;
};

bool parse(int argc, char** argv, request& into) {
    if (argc < 2 || argc % 2 != 0) return false;
    into.audit = argv[1];
    for (int i = 2; i < argc; i += 2) {
        const std::string_view name = argv[i];
        const std::string value = argv[i + 1];
        if (name == "--json") {
            into.json = value;
        } else if (name == "--subject") {
            into.subject = value;
        } else if (name == "--seed") {
            into.seed = std::stoull(value);
        } else if (name == "--tries") {
            into.tries = static_cast<unsigned>(std::stoul(value));
        } else {
            return false;
        }
    }
    return true;
}

int run(const request& asked) {
    std::ifstream in(asked.audit);
    if (!in) {
        std::cerr << "cross_check: cannot read " << asked.audit << "\n";
        return 2;
    }
    std::ostringstream text;
    text << in.rdbuf();
    std::vector<ordeal::tests::cross_checked> rows;
    bool all = true;
    for (const auto& each : ordeal::tests::read_audit(text.str())) {
        if (!asked.subject.empty() && each.subject != asked.subject) continue;
        rows.push_back(ordeal::tests::cross_check(each, asked.seed, asked.tries));
        all = all && rows.back().result != ordeal::tests::agreement::not_seen;
        std::cerr << "." << std::flush;
    }
    std::cerr << "\n";
    if (rows.empty()) {
        std::cerr << "cross_check: no order to check\n";
        return 4;
    }
    std::cout << ordeal::tests::to_table(rows) << "seed " << asked.seed << "\n";
    std::ofstream out(asked.json);
    out << ordeal::tests::to_json(rows, asked.audit, asked.seed);
    if (!out.flush()) {
        std::cerr << "cross_check: cannot write " << asked.json << "\n";
        return 2;
    }
    return all ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    request asked;
    try {
        if (parse(argc, argv, asked)) return run(asked);
        std::cerr << "usage: cross_check AUDIT.json [--json FILE] [--seed N] [--tries N] [--subject NAME]\n";
    } catch (const std::exception& error) {
        std::cerr << "cross_check: " << error.what() << "\n";
    }
    return 2;
}
