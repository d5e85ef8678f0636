// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"
#include "ordeal/report/check_report.hpp"
#include "ordeal/report/stress_report.hpp"
#include "ordeal/report/text/style.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ordeal::detail {

/// How much a text report shows.
struct text_options {
    text_style style = text_style();
    bool all_traces = false;           ///< of expected violations too
    bool all_steps = false;            ///< of a trace, also those that are no cause of its violation
    bool quiet = false;                ///< of an audit, one line for a subject
    std::vector<acceptance> accept{};  ///< what `replay` must be given beside a token; of an audit, its own
};

/// What `replay` takes to show a violation that an audit found under changed orders; empty when it cannot.
using audit_token = std::function<std::string(const shown_violation&)>;

/// What a format is given beside a report.
struct report_context {
    text_options text{};
    /// The options of the run by name, as given or by default, for a page that is read away from its command line.
    std::vector<std::pair<std::string, std::string>> asked{};
    audit_token token_of = [](const shown_violation&) { return std::string(); };
};

/// What is reported: of each kind a format has a report or none.
enum class report_kind : std::uint8_t { list, check, replay, stress, audit };

/// A format of reports. A class in a folder of its own implements it, and formats.hpp lists them. A format prints what
/// the report has, and computes nothing: explanations, verdicts and limits are in it.
class report_format {
public:
    report_format() = default;
    report_format(const report_format&) = delete;
    report_format& operator=(const report_format&) = delete;
    virtual ~report_format() = default;

    /// "junit": the option is --junit.
    [[nodiscard]] virtual std::string_view name() const noexcept = 0;
    /// Of the option, for the help: "Write JUnit XML".
    [[nodiscard]] virtual std::string_view about() const noexcept = 0;
    /// Why this program cannot write it; empty when it can.
    [[nodiscard]] virtual std::string obstacle() const { return {}; }
    /// Those of findings, if it does not say otherwise.
    [[nodiscard]] virtual bool has(report_kind which) const noexcept {
        return which == report_kind::check || which == report_kind::audit;
    }

    // Each is asked for only where has() says so.
    [[nodiscard]] virtual std::string list(const list_report&, const report_context&) const { return {}; }
    [[nodiscard]] virtual std::string check(const check_report&, const report_context&) const { return {}; }
    [[nodiscard]] virtual std::string replay(const replay_report&, const report_context&) const { return {}; }
    [[nodiscard]] virtual std::string stress(const stress_report&, const report_context&) const { return {}; }
    [[nodiscard]] virtual std::string audit(const audit_report&, const report_context&) const { return {}; }
};

}  // namespace ordeal::detail
