// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/json/json_parts.hpp"

namespace ordeal::detail {

namespace {

class json_writer final : public report_format {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "json"; }
    [[nodiscard]] std::string_view about() const noexcept override { return "Write a JSON report"; }
    [[nodiscard]] bool has(report_kind /*which*/) const noexcept override { return true; }

    [[nodiscard]] std::string list(const list_report& report, const report_context& /*with*/) const override {
        return dumped(list_document(report));
    }
    [[nodiscard]] std::string check(const check_report& report, const report_context& /*with*/) const override {
        return dumped(check_document(report));
    }
    [[nodiscard]] std::string replay(const replay_report& report, const report_context& /*with*/) const override {
        return dumped(replay_document(report));
    }
    [[nodiscard]] std::string stress(const stress_report& report, const report_context& /*with*/) const override {
        return dumped(stress_document(report));
    }
    [[nodiscard]] std::string audit(const audit_report& report, const report_context& with) const override {
        return dumped(audit_document(report, with.token_of));
    }
};

}  // namespace

const report_format& json_format() {
    static const json_writer it;
    return it;
}

}  // namespace ordeal::detail
