// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cross_check.hpp"

#include "ordeal/audit/source/order_comment.hpp"
#include "ordeal/report/tsan_report.hpp"
#include "real/child.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace ordeal::tests {

using namespace detail;

namespace {

using nlohmann::json;

// A number of a line means something for one version of the source only.
void check_source(const required_order& what, detail::source_cache& sources) {
    const site_key& key = what.change.site;
    const auto lines = sources.lines(key.file);
    if (detail::order_comment(lines, key.line, key.what, what.declared) == what.reason) return;
    throw std::runtime_error("the audit is of other sources: the comment at " + to_string(key) + " is not the same");
}

required_order read_order(const json& subject, const json& where, const json& weaker) {
    required_order result;
    result.subject = subject.at("name");
    const auto role = parse_role(where.at("role").get<std::string>());
    const auto declared = parse_order(where.at("declared").get<std::string>());
    const auto tried = parse_order(weaker.at("order").get<std::string>());
    if (!role || !declared || !tried) throw std::runtime_error("the audit names an unknown role or order");
    result.change = {{where.at("file"), where.at("line"), where.at("column"), *role}, *tried};
    result.declared = *declared;
    result.operation = where.at("operation");
    result.scenario = weaker.at("scenario");
    result.kind = parse_violation_kind(weaker.at("kind").get<std::string>());
    if (where.at("reason").is_string()) result.reason = where.at("reason");
    return result;
}

bool is_race(std::optional<violation_kind> kind) {
    return kind == violation_kind::data_race || kind == violation_kind::unsynchronised_destruction ||
           kind == violation_kind::use_after_free;
}

// Fills in what one run showed; false when it showed nothing.
bool conclude(cross_checked& row, const trial_outcome& ran) {
    const auto reports = parse_tsan_reports(ran.reports);
    if (!reports.empty()) {
        const search_result said = to_search_result(reports.front());
        row.why = (said.kind ? std::string(to_string(*said.kind)) + ": " : std::string()) + said.message;
    } else if (ran.result && ran.result->verdict == verdict::violated) {
        row.why = "no report, but on real threads: " + std::string(to_string(*ran.result->kind));
    } else if (!ran.result) {
        row.why = "no report, but the process crashed or hung";
    } else {
        return false;
    }
    row.result = agreement::confirmed;
    return true;
}

}  // namespace

const char* to_string(agreement value) noexcept {
    switch (value) {
        case agreement::confirmed: return "confirmed";
        case agreement::not_visible: return "not visible";
        case agreement::not_seen: break;
    }
    return "not seen";
}

std::vector<required_order> read_audit(const std::string& text) {
    std::vector<required_order> result;
    detail::source_cache sources;
    try {
        const json audit = json::parse(text);
        for (const json& subject : audit.at("subjects")) {
            for (const json& where : subject.at("sites")) {
                for (const json& weaker : where.at("weaker")) {
                    if (weaker.at("verdict") != "required") continue;
                    result.push_back(read_order(subject, where, weaker));
                    check_source(result.back(), sources);
                }
            }
        }
    } catch (const json::exception& error) {
        throw std::runtime_error(std::string("not a report of `ordeal audit --json`: ") + error.what());
    }
    return result;
}

std::string why_not_visible(const required_order& what) {
    // One of the policy's has a substitute there.
    if (what.operation == "fence")
        return "a fence: ThreadSanitizer takes no notice of it, and runs what the machine shows";
    if (is_race(what.kind)) return {};
    if (what.declared == order::seq_cst || what.kind == violation_kind::failed_requirement) {
        return "no race: it takes a stale value, and ThreadSanitizer runs what the machine shows";
    }
    return "no race: a " + std::string(what.kind ? to_string(*what.kind) : "violation") +
           " is not what ThreadSanitizer looks for";
}

cross_checked cross_check(const required_order& what, std::uint64_t seed, unsigned tries) {
    cross_checked row{what, agreement::not_seen, {}, 0, seed};
    trial_order order;
    order.scenario = what.scenario;
    order.overrides = {what.change};
    order.samples = 30'000;
    order.stop_at_report = true;
    for (unsigned i = 0; i < tries; ++i) {
        order.seed = row.seed = seed + i;
        const trial_outcome ran = run_trial(order);
        if (ran.result) row.samples += ran.result->executions;
        if (conclude(row, ran)) return row;
    }
    row.why = why_not_visible(what);
    if (!row.why.empty()) {
        row.result = agreement::not_visible;
    } else {
        row.why = "the two accesses did not meet, or something else ordered them, in " + std::to_string(row.samples) +
                  " samples";
    }
    return row;
}

std::string to_table(const std::vector<cross_checked>& rows) {
    std::size_t site = 0;
    std::size_t scenario = 0;
    for (const cross_checked& row : rows) {
        site = std::max(site, to_string(row.what.change).size());
        scenario = std::max(scenario, row.what.scenario.size());
    }
    const auto padded = [](std::string text, std::size_t width) {
        text.resize(std::max(text.size(), width), ' ');
        return text + "  ";
    };
    std::string text;
    for (const cross_checked& row : rows) {
        text += padded(to_string(row.what.change), site) + padded(row.what.scenario, scenario) +
                padded(to_string(row.result), 11) + row.why + "\n";
    }
    for (const agreement each : {agreement::confirmed, agreement::not_seen, agreement::not_visible}) {
        text += std::to_string(std::ranges::count(rows, each, &cross_checked::result)) + " " + to_string(each) +
                (each == agreement::not_visible ? "\n" : ", ");
    }
    return text;
}

std::string to_json(const std::vector<cross_checked>& rows, const std::string& audit, std::uint64_t seed) {
    json result{{"schema", 1}, {"tool", "ordeal"}, {"audit", audit}, {"seed", seed}, {"orders", json::array()}};
    for (const cross_checked& row : rows) {
        const site_key& key = row.what.change.site;
        const std::string kind(row.what.kind ? to_string(*row.what.kind) : "");
        result["orders"].push_back({{"subject", row.what.subject},
                                    {"file", key.file},
                                    {"line", key.line},
                                    {"column", key.column},
                                    {"role", to_string(key.what)},
                                    {"operation", row.what.operation},
                                    {"declared", to_string(row.what.declared)},
                                    {"order", to_string(row.what.change.replacement)},
                                    {"scenario", row.what.scenario},
                                    {"model", kind},
                                    {"result", to_string(row.result)},
                                    {"why", row.why},
                                    {"samples", row.samples},
                                    {"seed", row.seed}});
    }
    return result.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace ordeal::tests
