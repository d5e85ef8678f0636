// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/commands.hpp"
#include "ordeal/report/json.hpp"
#include "ordeal/report/text.hpp"

namespace ordeal::detail {

exit_code run_list(const command_options& options) {
    require_writable(options);
    const std::vector<const scenario*> chosen = chosen_scenarios(options);
    write_reports(options, [&] { return list_text(chosen, style_of(options)); }, [&] { return list_json(chosen); });
    return exit_code::as_expected;
}

}  // namespace ordeal::detail
