// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/report_format.hpp"

#include <array>
#include <span>

namespace ordeal::detail {

// The formats, each defined in its folder, and named here alone.

/// What is printed for people.
[[nodiscard]] const report_format& text_format();

/// One JSON object: "schema", "tool", "version", and the report. `schema` counts up when a key changes its meaning;
/// keys may be added.
[[nodiscard]] const report_format& json_format();

/// One HTML file that needs no other file and no network. It holds the JSON report, traces of an audit too, and the
/// source lines that the report refers to.
[[nodiscard]] const report_format& html_format();

/// JUnit XML, for programs that show test results. A test case is one scenario under one engine: a verdict other than
/// the expected one is a failure, or an error when it is inconclusive. Scenarios that were not begun, and a run of
/// nothing, are errors too. Of an audit each site is a test case, too, which is skipped where it is undecided or
/// unexercised. After a comparison with an earlier report a test case is a subject: its differences are the failure,
/// and a verdict that is known from there is none. So is what a strict reader does not let pass.
[[nodiscard]] const report_format& junit_format();

/// For the summary of a CI job, or to be kept beside the code. Of a check a table, and for what did not simply hold the
/// conclusion, the trace, folded, the line that replays it, and the limits. Of an audit verdicts, sites, minimal
/// assignments and repairs, without counts, times and tokens, so that it changes only when what it says does.
[[nodiscard]] const report_format& markdown_format();

/// SARIF 2.1.0, for programs that show findings beside the source. Every verdict other than the expected one is an
/// error, at the place of the violating step, with the trace as a code flow and the line that replays it. In an audit
/// an order that is too weak is a warning (a note in an exhibit, which is there to be so), one that is stronger than
/// needed a note; with the author's reason for it, the other sites that have to change with it and the changes of the
/// source as fixes.
[[nodiscard]] const report_format& sarif_format();

/// The findings of SARIF as compilers write theirs, for editors and for problem matchers: `FILE:LINE:COLUMN: LEVEL:
/// WORDS`, a line each, where LEVEL is error, warning or note. What has no place in the source begins with `ordeal`
/// instead. Empty when nothing was found.
[[nodiscard]] const report_format& problems_format();

/// Those that are written into files, each by an option of its name, in the order of the help.
///
/// A list, and no registration by constructors: a linker leaves out the object of a static library that nobody names.
[[nodiscard]] inline std::span<const report_format* const> report_formats() {
    static const std::array all{&json_format(),     &html_format(),  &junit_format(),
                                &markdown_format(), &sarif_format(), &problems_format()};
    return all;
}

}  // namespace ordeal::detail
