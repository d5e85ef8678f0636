// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/order_claims.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/text/audit_parts.hpp"
#include "ordeal/report/text/trace_layout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ordeal::detail {

namespace {

// The violation that a weaker order causes, and how to see it again; or why there is no verdict on that order.
std::string order_evidence(const audited_subject& subject, const audited_order& tried, const text_options& options,
                           const std::string& token, limit_notes& notes) {
    const std::string heading = fmt::format("{}: {}", to_string(tried.tried), words_of(tried.verdict));
    if (tried.verdict != order_verdict::required) return indented(heading + ": " + tried.note, 2);
    return violation_text(subject, heading, tried, options, token, notes);
}

// "set (:115), is_set (:91)", each once.
std::string partners(const std::vector<site>& sites) {
    std::vector<std::string> names;
    for (const site& each : sites) {
        std::string name = fmt::format("{} ({})", each.function, short_place(each.key));
        if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
    return listed(names);
}

// What a scenario would need for a verdict on the site.
std::string missing(const audited_site& audited) {
    std::vector<std::string> names;
    for (const order_claim& claim : claims_of(audited.reason)) {
        for (const std::string& each : claim.partners) {
            if (std::ranges::find(names, each) == names.end()) names.push_back(each);
        }
    }
    if (names.empty()) return {};
    return fmt::format("; wanted is a scenario in which another thread runs {}", listed(names));
}

// What the scenarios have it do: a verdict is about no more than that.
std::string exercise(const audited_site& audited) {
    if (audited.met_in.empty() && audited.run_in.empty()) return indented("no scenario runs it" + missing(audited), 2);
    if (audited.met_in.empty()) {
        return indented(
            fmt::format("runs in {}, and never meets another thread there{}", listed(audited.run_in), missing(audited)),
            2);
    }
    std::string text = fmt::format("meets other threads in {}", listed(audited.met_in));
    if (!audited.reads_from.empty()) text += fmt::format("; reads what is written by {}", partners(audited.reads_from));
    if (!audited.read_by.empty()) text += fmt::format("; is read by {}", partners(audited.read_by));
    return indented(text, 2);
}

// "relaxed: x86-64: mov in place of xchg; the same instructions on aarch64".
std::string instructions(const audited_site& audited, const audited_order& tried) {
    std::string text;
    std::vector<std::string> same;
    for (std::size_t i = 0; i != audited.costs.size(); ++i) {
        const std::string name(to_string(audited.costs[i].on));
        if (audited.costs[i].instructions == tried.costs[i].instructions) {
            same.push_back(name);
        } else {
            text +=
                fmt::format("{}{}: '{}' in place of '{}'", text.empty() ? "" : "; ", name,
                            fmt::join(tried.costs[i].instructions, ""), fmt::join(audited.costs[i].instructions, ""));
        }
    }
    if (!same.empty()) {
        text += fmt::format("{}the same instructions on {}", text.empty() ? "" : "; ", fmt::join(same, ", "));
    }
    if (text.empty()) return text;
    return indented(fmt::format("{}: not required by itself; {}", to_string(tried.tried), text), 2);
}

}  // namespace

std::string_view words_of(order_verdict value) noexcept {
    return value == order_verdict::not_required ? "not required by itself" : to_string(value);
}

std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t most = 6;
    std::string text;
    for (std::size_t i = 0; i != std::min(names.size(), most); ++i) text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
    return text;
}

std::string site_text(const audited_subject& subject, const audited_site& audited, const text_options& options,
                      const audit_token& token_of, limit_notes& notes) {
    const site& where = audited.where;
    std::string text = '\n' +
                       options.style.strong(escaped(fmt::format("{}:{} {} {}", where.key.file, where.key.line,
                                                                operation_of(where), to_string(where.declared)))) +
                       '\n';
    if (!audited.reason.empty()) text += indented("the author: " + audited.reason, 2);
    for (const std::string& doubt : audited.doubts) {
        for (const std::string& line : wrapped(doubt, report_width - 2)) {
            text += "  " + options.style.doubtful(line) + '\n';
        }
    }
    text += exercise(audited);
    if (!audited.scope.empty()) text += indented("stronger than needed " + audited.scope, 2);
    for (const audited_order& tried : audited.weaker) {
        if (tried.verdict == order_verdict::not_required) text += instructions(audited, tried);
        if (tried.verdict != order_verdict::required && tried.note.empty()) continue;
        text += order_evidence(subject, tried, options, token_of(tried), notes);
    }
    return text;
}

}  // namespace ordeal::detail
