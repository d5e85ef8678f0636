// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/commands/commands.hpp"
#include "ordeal/engine/engines.hpp"
#include "ordeal/report/json/json.hpp"
#include "ordeal/report/text/text.hpp"

namespace ordeal::detail {

namespace {

std::vector<std::string> names_of_engines_for(const scenario& what) {
    std::vector<std::string> names;
    for (const engine* each : engines()) {
        if (searches(*each, what)) names.emplace_back(each->name());
    }
    return names;
}

}  // namespace

exit_code run_list(const command_options& options) {
    require_writable(options);
    const std::vector<const scenario*> chosen = chosen_scenarios(options);
    write_reports(options, {.text = [&] { return list_text(chosen, style_of(options)); },
                            .json = [&] { return list_json(chosen, names_of_engines_for); }});
    return exit_code::as_expected;
}

}  // namespace ordeal::detail
