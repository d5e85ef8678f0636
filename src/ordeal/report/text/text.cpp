// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/text/text.hpp"

#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/formats.hpp"
#include "ordeal/report/text/client_groups.hpp"
#include "ordeal/report/text/table.hpp"

namespace ordeal::detail {

namespace {

std::string lines(const std::string& text, const report_context& with) {
    return escaped_lines(text, with.text.style.has_colour());
}

// A trial creates its threads itself: how many, an execution shows.
std::string threads_of(const scenario& what) {
    return what.model.is_program && what.threads.size() == 1 ? "" : std::to_string(what.threads.size());
}

class text_writer final : public report_format {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "text"; }
    [[nodiscard]] std::string_view about() const noexcept override { return "Write text"; }
    [[nodiscard]] bool has(report_kind /*which*/) const noexcept override { return true; }

    [[nodiscard]] std::string list(const list_report& report, const report_context& with) const override {
        text_table table({"scenario", ">threads", "expected", "about"});
        for (const table_row<list_report::entry>& row : rows_of(report.scenarios)) {
            const scenario* const what = row.entries.front()->what;
            table.add({{row.name},
                       {threads_of(*what)},
                       {words(what->expected), what->expected.violation ? tone::doubtful : tone::good},
                       {what->about, tone::faint}});
        }
        return lines(table.text(with.text.style), with);
    }
    [[nodiscard]] std::string check(const check_report& report, const report_context& with) const override {
        return lines(check_text(report, with.text), with);
    }
    [[nodiscard]] std::string replay(const replay_report& report, const report_context& with) const override {
        return lines(replay_text(report, with.text), with);
    }
    [[nodiscard]] std::string stress(const stress_report& report, const report_context& with) const override {
        return lines(stress_text(report, with.text.style), with);
    }
    [[nodiscard]] std::string audit(const audit_report& report, const report_context& with) const override {
        return lines(audit_text(report, with.text, with.token_of), with);
    }
};

}  // namespace

const report_format& text_format() {
    static const text_writer it;
    return it;
}

}  // namespace ordeal::detail
