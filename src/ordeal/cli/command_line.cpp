// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/command_line.hpp"

#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/commands/commands.hpp"
#include "ordeal/cli/own_process.hpp"
#include "ordeal/cli/remote_worker.hpp"
#include "ordeal/cli/standard_streams.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/scenario/source_files.hpp"

#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <system_error>

namespace ordeal {

using namespace detail;

namespace {

exit_code run(const command_options& options) {
    switch (options.what) {
        case command::list: return detail::run_list(options);
        case command::check: return detail::run_check(options);
        case command::clients: return detail::run_clients(options);
        case command::merge: return detail::run_merge(options);
        case command::audit: return detail::run_audit_command(options);
        case command::stress: return detail::run_stress(options);
        case command::fresh: return detail::run_new(options);
        case command::tried: return detail::run_try(options);
        case command::tested: return detail::run_test(options);
        case command::replay: break;
    }
    return detail::run_replay(options);
}

exit_code run_and_report_errors(const command_options& options) {
    try {
        return run(options);
    } catch (const detail::command_error& error) {
        say_line(escaped(error.what()));
        return error.code();
    } catch (const std::exception& error) {
        say_line("failed: " + escaped(error.what()));
        return exit_code::incomplete;
    }
}

// "4:/tmp/ordeal-mpi-1/socket", from ordeal-mpi. With anything else no worker would be assigned, and nobody would be
// told.
bool is_workers_address(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::string_view number = text.substr(0, colon);
    unsigned count = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), count);
    return colon != std::string_view::npos && error == std::errc() && end == number.data() + number.size() &&
           count > 0 && text.substr(colon + 1).starts_with('/');
}

}  // namespace

int detail::run_command_line(int argc, char** argv, const search_defaults& defaults) {
    disable_address_randomisation(argv);
    set_called_as(argc > 0 ? argv[0] : "");
    reserve_standard_streams();
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may grow no further is one that cannot be written
    if (detail::is_remote_worker()) detail::serve_client();
    if (const char* const workers = std::getenv("ORDEAL_WORKERS"); workers != nullptr && !is_workers_address(workers)) {
        say_line("ORDEAL_WORKERS is not what ordeal-mpi sets, NUMBER:/SOCKET: '" + escaped(workers) + "'");
        return static_cast<int>(exit_code::usage);
    }
    const auto parsed = parse_command_line(argc, argv, defaults);
    if (const auto* code = std::get_if<exit_code>(&parsed)) return static_cast<int>(*code);
    const detail::orphaned_processes of_trials;
    const exit_code code = run_and_report_errors(std::get<command_options>(parsed));
    for (const std::string& each : refused_sources()) say_line("a source was not read: " + escaped(each));
    return static_cast<int>(code);
}

int run_command_line(int argc, char** argv) { return detail::run_command_line(argc, argv, {}); }

// What counts how often code ran writes that in a destructor, too.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): names of compilers
__attribute__((weak)) int __llvm_profile_write_file();
__attribute__((weak)) void __gcov_dump();
// NOLINTEND(bugprone-reserved-identifier)
}

void end_process(int code) {
    std::cout.flush();
    std::fflush(nullptr);
    if (__llvm_profile_write_file != nullptr) (void)__llvm_profile_write_file();
    if (__gcov_dump != nullptr) __gcov_dump();
    _exit(code);
}

}  // namespace ordeal
