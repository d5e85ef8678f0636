// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/json/json_documents.hpp"
#include "ordeal/report/json/json_parts.hpp"
#include "ordeal/report/text/trace_layout.hpp"

#include <algorithm>
#include <string>

namespace ordeal::detail {

namespace {

void add_trace(ordered_json& entry, const scenario& what, const search_result& result) {
    if (result.trace.empty()) return;
    entry["threads"] = thread_names(what, result.trace);
    entry["explanation"] = json_of(explain(what, result), result.trace);
    entry["trace"] = json_of(result.trace);
}

void add_trace(ordered_json& entry, const audited_subject& subject, const shown_violation& shown) {
    const auto of = std::ranges::find_if(
        subject.scenarios, [&](const audited_scenario& each) { return each.what->name == shown.scenario; });
    if (of == subject.scenarios.end()) return;
    search_result result;
    result.verdict = verdict::violated;
    result.kind = shown.kind;
    result.message = shown.message;
    result.models = shown.models;
    result.limits = shown.limits;
    result.trace = shown.trace;
    add_trace(entry, *of->what, result);
}

void add_traces(ordered_json& entry, const audited_subject& subject) {
    for (std::size_t i = 0; i < subject.scenarios.size(); ++i) {
        add_trace(entry["scenarios"][i], *subject.scenarios[i].what, subject.scenarios[i].result);
    }
    for (std::size_t i = 0; i < subject.sites.size(); ++i) {
        const auto& weaker = subject.sites[i].weaker;
        for (std::size_t j = 0; j < weaker.size(); ++j) add_trace(entry["sites"][i]["weaker"][j], subject, weaker[j]);
    }
    for (std::size_t i = 0; i < subject.joint.size(); ++i) {
        const auto& shown = subject.joint[i].all_at_once;
        if (shown) add_trace(entry["minimal_assignments"][i]["all_at_once"], subject, *shown);
    }
}

}  // namespace

void add_traces(ordered_json& document, const audit_report& report) {
    for (std::size_t i = 0; i < report.subjects.size(); ++i) {
        add_traces(document["subjects"][i], report.subjects[i]);
    }
}

}  // namespace ordeal::detail
