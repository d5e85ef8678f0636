// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/commands/commands.hpp"
#include "ordeal/cli/files/files.hpp"
#include "ordeal/engine/engines.hpp"

namespace ordeal::detail {

namespace {

std::vector<std::string> engines_for(const scenario& what) {
    std::vector<std::string> names;
    for (const engine* each : engines()) {
        if (searches(*each, what)) names.emplace_back(each->name());
    }
    return names;
}

}  // namespace

exit_code run_list(const command_options& options) {
    require_writable(options);
    list_report report;
    for (const scenario* each : chosen_scenarios(options)) report.scenarios.push_back({each, engines_for(*each)});
    write_reports(options, report, &report_format::list);
    return exit_code::as_expected;
}

}  // namespace ordeal::detail
