// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/demands.hpp"
#include "ordeal/report/search_facts.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

// What the JUnit reports share.
namespace ordeal::detail {

/// The text between two tags: its lines stay lines.
[[nodiscard]] std::string junit_text(const std::string& text);

/// What a search did, as the properties of its test case. They stand before anything else in it.
[[nodiscard]] std::string junit_properties(const search_facts& facts);

struct junit_counts {
    std::size_t tests = 0;
    std::size_t failures = 0;
    std::size_t errors = 0;
    std::size_t skipped = 0;
    double seconds = 0;

    void add(const junit_counts& other);
    [[nodiscard]] std::string attributes() const;
};

/// Suites by name: what each counts, and its test cases.
using junit_suites = std::map<std::string, std::pair<junit_counts, std::string>>;

/// Points that a strict reader does not let pass, as failures in a suite of that name.
void add_shortfalls(junit_suites& suites, const std::string& suite, const std::vector<shortfall>& values);

/// What did not run must not read as success: a suite with one error. Empty `why`: none.
void add_not_run(junit_suites& suites, const std::string& why);

[[nodiscard]] std::string junit_document(const std::string& name, const junit_suites& suites, double seconds);

}  // namespace ordeal::detail
