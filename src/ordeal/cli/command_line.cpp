// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/command_line.hpp"

#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/commands.hpp"
#include "ordeal/cli/lent.hpp"
#include "ordeal/cli/same_addresses.hpp"
#include "ordeal/cli/standard_files.hpp"
#include "ordeal/report/called_as.hpp"
#include "ordeal/report/escaped_text.hpp"

#include <csignal>

namespace ordeal {

namespace {

exit_code run(const command_options& options) {
    switch (options.what) {
        case command::list: return detail::run_list(options);
        case command::check: return detail::run_check(options);
        case command::merge: return detail::run_merge(options);
        case command::audit: return detail::run_audit_command(options);
        case command::stress: return detail::run_stress(options);
        case command::fresh: return detail::run_new(options);
        case command::replay: break;
    }
    return detail::run_replay(options);
}

exit_code run_and_report_errors(const command_options& options) {
    try {
        return run(options);
    } catch (const detail::command_error& error) {
        say("ordeal: " + escaped(error.what()) + '\n');
        return error.code();
    } catch (const std::exception& error) {
        say("ordeal: failed: " + escaped(error.what()) + '\n');
        return exit_code::incomplete;
    }
}

}  // namespace

int run_command_line(int argc, char** argv) {
    keep_addresses(argv);
    if (argc > 0) set_called_as(argv[0]);
    occupy_standard_files();
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may grow no further is one that cannot be written
    if (detail::is_lent()) detail::work_for_borrower();
    const auto parsed = parse_command_line(argc, argv);
    if (const auto* code = std::get_if<exit_code>(&parsed)) return static_cast<int>(*code);
    return static_cast<int>(run_and_report_errors(std::get<command_options>(parsed)));
}

}  // namespace ordeal
