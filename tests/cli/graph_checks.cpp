// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graph_checks.hpp"

#include <catch2/catch.hpp>

#include <utility>

namespace ordeal::test {

finished graph_check(const char* path, const std::vector<std::string>& scenarios,
                     const std::vector<std::string>& options) {
    std::vector<std::string> line{"check"};
    line.insert(line.end(), scenarios.begin(), scenarios.end());
    line.insert(line.end(), {"--engine", "graph", "--time-budget", "0", "--quiet"});
    line.insert(line.end(), options.begin(), options.end());
    return run(path, std::move(line));
}

nlohmann::json report_of(const finished& result) {
    CAPTURE(result.err, result.out);
    REQUIRE(result.out.starts_with('{'));
    nlohmann::json report = nlohmann::json::parse(result.out);
    report.erase("seconds");
    for (nlohmann::json& each : report.at("scenarios")) each.erase("seconds");
    return report;
}

nlohmann::json report_of_graph_check(const char* path, const std::vector<std::string>& scenarios,
                                     std::vector<std::string> options) {
    options.insert(options.end(), {"--outcomes", "--json", "-"});
    return report_of(graph_check(path, scenarios, options));
}

}  // namespace ordeal::test
