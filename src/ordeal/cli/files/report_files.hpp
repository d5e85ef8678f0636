// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/cli/options/options.hpp"
#include "ordeal/report/report_format.hpp"

#include <functional>
#include <string>

namespace ordeal::detail {

/// Throws when a report file, the checkpoint or the file of a shard or a soak cannot be written, or when two of them
/// are one; asked before the work begins.
void require_writable(const command_options& options);

/// Whether a report takes the place of the text on standard output.
[[nodiscard]] bool has_report_on_standard_output(const command_options& options);

/// The report of a command in a format.
using report_in_format = std::function<std::string(const report_format&, const report_context&)>;

/// Writes the reports that were asked for and prints the text report, unless one of them takes its place on standard
/// output; throws when any of this failed.
void write_reports(const command_options& options, const report_in_format& report);

template <class Report>
void write_reports(const command_options& options, const Report& report,
                   std::string (report_format::*in)(const Report&, const report_context&) const) {
    write_reports(options, [&](const report_format& format, const report_context& context) {
        return (format.*in)(report, context);
    });
}

/// The pictures that were asked for, of one execution; throws when one cannot be written.
void write_pictures(const command_options& options, const scenario& what, const search_result& execution,
                    const explanation& why);

}  // namespace ordeal::detail
