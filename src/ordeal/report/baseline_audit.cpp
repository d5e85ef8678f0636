// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/baseline.hpp"

#include "ordeal/engine/persistence/json_fields.hpp"
#include "ordeal/report/check_report.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace ordeal::detail {

namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& why) { throw std::runtime_error(why); }

const json& field(const json& of, const char* key) {
    if (!of.is_object()) fail(std::string("there is no object where '") + key + "' is looked for");
    const auto found = of.find(key);
    if (found == of.end()) fail(std::string("it has no '") + key + "'");
    return *found;
}

std::string text_of(const json& of, const char* key) {
    const json& value = field(of, key);
    if (!value.is_string()) fail(std::string("its '") + key + "' is no text");
    return value.get<std::string>();
}

// Null means that there is none.
std::string text_or_nothing(const json& of, const char* key) {
    return field(of, key).is_null() ? std::string() : text_of(of, key);
}

std::uint32_t number_of(const json& of, const char* key) {
    const json& value = field(of, key);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > UINT32_MAX) {
        fail(std::string("its '") + key + "' is no number of a line or column");
    }
    return value.get<std::uint32_t>();
}

bool truth_of(const json& of, const char* key) {
    const json& value = field(of, key);
    if (!value.is_boolean()) fail(std::string("its '") + key + "' is neither true nor false");
    return value.get<bool>();
}

const json& list_of(const json& of, const char* key) {
    const json& value = field(of, key);
    if (!value.is_array()) fail(std::string("its '") + key + "' is no list");
    return value;
}

baseline_site place_of(const json& value) {
    baseline_site result;
    result.file = text_of(value, "file");
    result.line = number_of(value, "line");
    result.column = number_of(value, "column");
    result.role = text_of(value, "role");
    result.declared = text_or_nothing(value, "declared");
    return result;
}

baseline_site site_of(const json& value) {
    baseline_site result = place_of(value);
    result.function = text_of(value, "function");
    result.operation = text_of(value, "operation");
    result.verdict = text_of(value, "verdict");
    result.stronger = text_or_nothing(value, "stronger");
    for (const json& each : list_of(value, "weaker")) {
        result.weaker.push_back({text_of(each, "order"), text_of(each, "verdict"), text_or_nothing(each, "kind")});
    }
    return result;
}

// A change of a place with one site does not name the declared order.
std::size_t index_of(std::vector<baseline_site>& sites, baseline_site wanted) {
    const auto found = std::ranges::find_if(sites, [&](const baseline_site& each) {
        return std::tie(each.file, each.line, each.column, each.role) ==
                   std::tie(wanted.file, wanted.line, wanted.column, wanted.role) &&
               (wanted.declared.empty() || each.declared == wanted.declared);
    });
    const auto index = static_cast<std::size_t>(found - sites.begin());
    if (found == sites.end()) sites.push_back(std::move(wanted));
    return index;
}

baseline_scenario scenario_of(const json& value) {
    baseline_scenario result{text_of(value, "name"), text_of(value, "verdict"), text_or_nothing(value, "kind"), {}};
    if (!value.contains("accepted")) return result;  // a report without any is older than they are, or has none
    for (const json& each : list_of(value, "accepted")) {
        result.accepted.push_back({text_of(each, "kind"), text_of(each, "file"), number_of(each, "line")});
    }
    return result;
}

void add_assignments(baseline_subject& subject, const json& table) {
    std::vector<std::size_t> sites;
    for (const json& each : list_of(table, "sites")) sites.push_back(index_of(subject.sites, place_of(each)));
    subject.all_assignments = subject.all_assignments && truth_of(table, "complete");
    for (const json& each : list_of(table, "assignments")) {
        const json& orders = list_of(each, "orders");
        if (orders.size() != sites.size()) fail("its minimal assignments do not fit their sites");
        baseline_orders kept;
        for (std::size_t i = 0; i != sites.size(); ++i) {
            if (!orders[i].is_string()) fail("its 'orders' are no texts");
            kept[sites[i]] = orders[i].get<std::string>();
        }
        subject.assignments.push_back(std::move(kept));
    }
}

baseline_subject subject_of(const json& value) {
    baseline_subject result;
    result.name = text_of(value, "name");
    result.verdict = text_of(value, "verdict");
    result.kind = text_or_nothing(value, "kind");
    for (const json& each : list_of(value, "scenarios")) result.scenarios.push_back(scenario_of(each));
    for (const json& each : list_of(value, "sites")) result.sites.push_back(site_of(each));
    std::ranges::sort(result.sites, {}, [](const baseline_site& each) {
        return std::tie(each.file, each.line, each.column, each.role, each.declared);
    });
    for (const json& each : list_of(value, "minimal_assignments")) add_assignments(result, each);
    for (const json& each : list_of(value, "repairs")) {
        baseline_orders changes;
        for (const json& change : list_of(each, "changes")) {
            changes[index_of(result.sites, place_of(change))] = text_of(change, "order");
        }
        result.repairs.push_back(std::move(changes));
    }
    return result;
}

}  // namespace

baseline_audit parse_baseline_audit(std::string_view text) {
    const json value = parsed_or_discarded(text);
    if (value.is_discarded()) fail("it is no JSON");
    if (!value.is_object()) fail("it is no JSON object");
    if (!value.contains("tool") || value.at("tool") != "ordeal") fail("ordeal did not write it");
    const json wanted = report_schema;
    if (field(value, "schema") != wanted) {
        fail("its schema is " + json_text(field(value, "schema")) + ", and this program reads " + json_text(wanted));
    }
    if (!value.contains("subjects")) fail("it is a report of another command: it has no 'subjects'");
    if (truth_of(value, "stopped_early")) fail("that audit was stopped early");
    baseline_audit result{text_of(value, "engine"), text_of(value, "model"), {}};
    for (const json& each : list_of(value, "subjects")) result.subjects.push_back(subject_of(each));
    return result;
}

}  // namespace ordeal::detail
