// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/audit.hpp"

#include "ordeal/audit/assignments/assignments.hpp"
#include "ordeal/audit/fix.hpp"
#include "ordeal/audit/order_claims.hpp"
#include "ordeal/audit/phases.hpp"
#include "ordeal/audit/searches.hpp"
#include "ordeal/audit/source/order_comment.hpp"
#include "ordeal/audit/source/source_sites.hpp"
#include "ordeal/audit/subjects.hpp"
#include "ordeal/engine/seconds_since.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <set>
#include <tuple>
#include <utility>

namespace ordeal::detail {

std::string_view to_string(order_verdict value) noexcept {
    constexpr std::array<std::string_view, 5> names{"required", "not required", "vacuous", "undecided", "unexercised"};
    return names[static_cast<std::size_t>(value)];
}

std::string_view to_string(site_verdict value) noexcept {
    constexpr std::array<std::string_view, 6> names{"minimal",   "stronger than needed", "vacuous", "too weak",
                                                    "undecided", "unexercised"};
    return names[static_cast<std::size_t>(value)];
}

namespace {

void run_as_written(audit_run& run, std::vector<audited_subject>& subjects) {
    search_batch batch;
    for (const audited_subject& subject : subjects) {
        for (const audited_scenario& each : subject.scenarios) batch.add(batch.size(), *each.what, {});
    }
    batch.run(run, [](const search_result&) { return false; });
    std::size_t next = 0;
    for (audited_subject& subject : subjects) {
        subject.complete = true;
        for (audited_scenario& each : subject.scenarios) {
            if (const auto& result = batch.result(next++)) {
                each.result = *result;
                each.why = explain(*each.what, *result);
                run.known.add(*each.what, {}, *result);
                account(subject, each.result);
            } else {
                each.result.message = "not searched";
                each.result.stopped = true;
                subject.complete = false;
            }
        }
        conclude(subject);
    }
}

// Sites that no scenario reaches are found only in the text of the subject's own file.
void add_unreached(std::vector<site>& known, const std::string& subject, source_cache& sources) {
    std::set<std::string> files;
    for (const site& each : known) {
        if (is_file_of(each.key.file, subject)) files.insert(each.key.file);
    }
    for (const std::string& file : files) merge_sites(known, unreached_sites(file, sources.lines(file), known));
}

// A name that matches no file may be misspelt.
void say_where(audited_subject& subject) {
    std::set<std::string> files;
    for (const audited_site& each : subject.sites) files.insert(each.where.key.file);
    if (files.empty()) return;  // the report says that there are none
    if (std::ranges::any_of(files, [&](const auto& file) { return is_file_of(file, subject.name); })) return;
    subject.scope = "no atomic site is in a file that is named " + subject.name;
    const char* before = ": the sites are those that its scenarios reach in ";
    for (const std::string& file : files) subject.scope += std::exchange(before, ", ") + file;
}

void find_sites(std::vector<audited_subject>& subjects, source_cache& sources) {
    std::vector<std::string_view> production;
    for (const audited_subject& subject : subjects) {
        if (!subject.exhibit) production.push_back(subject.name);
    }
    // A subject keeps its file even if its scenarios were not selected.
    for (const scenario& each : scenarios()) {
        if (!each.exhibit) production.push_back(each.subject);
    }
    for (audited_subject& subject : subjects) {
        auto found = sites_of(subject, production);
        if (!subject.exhibit) add_unreached(found, subject.name, sources);
        for (const site& each : found) subject.sites.emplace_back().where = each;
        if (!subject.exhibit) say_where(subject);
    }
}

void add_reasons(std::vector<audited_subject>& subjects, std::span<const site> reached, source_cache& sources) {
    std::set<std::string> files;
    for (const site& each : reached) files.insert(each.key.file);
    std::set<std::string, std::less<>> called;
    for (const std::string& file : files) add_called(sources.lines(file), called);
    for (audited_subject& subject : subjects) {
        for (audited_site& each : subject.sites) {
            each.reason = order_comment(sources.lines(each.where.key.file), each.where.key.line, each.where.key.what,
                                        each.where.declared);
            each.on_purpose = std::ranges::any_of(claims_of(each.reason), &order_claim::outside_model);
        }
        for (audited_site& each : subject.sites) each.doubts = doubts(each, subject, called);
    }
}

// "Stronger than needed" depends on the scenarios, of which there may be few.
void say_scope(audited_subject& subject) {
    std::map<std::string_view, std::size_t> threads;
    for (const audited_scenario& each : subject.scenarios) {
        if (!each.what->model.is_program) threads[each.what->name] = each.what->threads.size();
    }
    const audit_score score = score_of(subject);
    for (audited_site& value : subject.sites) {
        if (value.verdict != site_verdict::stronger_than_needed) continue;
        std::size_t most = 0;
        for (const std::string& name : value.met_in) {
            const auto found = threads.find(name);
            if (found != threads.end()) most = std::max(most, found->second);
        }
        const std::size_t count = value.met_in.size();
        value.scope = "in " + std::to_string(count) + (count == 1 ? " scenario" : " scenarios");
        if (most > 0) value.scope += (count == 1 ? " of " : " of at most ") + std::to_string(most) + " threads";
        value.scope += "; all scenarios together detect " + std::to_string(score.detected) + " of " +
                       std::to_string(score.injected) + " weaker orders";
    }
}

// Wherever a change is shown, two sites at one location are distinguished by their declared orders.
void name_changes(std::vector<audited_subject>& subjects, std::span<const site> reached) {
    std::vector<site> known;
    merge_sites(known, reached);
    for (const audited_subject& subject : subjects) {
        for (const audited_site& each : subject.sites) merge_sites(known, {&each.where, 1});
    }
    for (audited_subject& subject : subjects) {
        for (audited_site& each : subject.sites) {
            for (audited_order& tried : each.weaker) shorten(tried.overrides, known);
        }
        for (repair& each : subject.repairs) shorten(each.changes, known);
        for (joint_table& each : subject.joint) {
            if (each.all_at_once) shorten(each.all_at_once->overrides, known);
        }
    }
}

}  // namespace

audit_score score_of(const audited_subject& subject) {
    audit_score result;
    for (const audited_site& value : subject.sites) {
        for (const audited_order& each : value.weaker) {
            ++result.injected;
            if (each.verdict != order_verdict::required) continue;
            ++result.detected;
            ++result.detected_by[each.scenario];
        }
    }
    return result;
}

audit_report run_audit(std::span<const scenario* const> selected, const audit_options& options,
                       const progress_callback& on_progress) {
    const auto begin = std::chrono::steady_clock::now();
    audit_run run{.options = options, .on_progress = on_progress, .stopped = false};
    audit_report report;
    if (options.with != nullptr) report.engine = options.with->name();
    report.model = options.search.model;
    report.how = options.search;
    report.subjects = group_by_subject(selected);
    run_as_written(run, report.subjects);
    source_cache sources;
    find_sites(report.subjects, sources);
    weaken_sites(run, report.subjects);
    for (audited_subject& subject : report.subjects) {
        if (subject.verdict == verdict::violated) {
            find_repairs(run, subject);
        } else {
            find_joint(run, subject, report.subjects);
        }
        std::ranges::sort(subject.sites, {},
                          [](const audited_site& each) { return std::tie(each.where.key, each.where.declared); });
    }
    for (audited_subject& subject : report.subjects) {
        note_exercise(subject, report.subjects);
        note_costs(subject);
        for (repair& each : subject.repairs) note_costs(each, subject.sites);
        say_scope(subject);
        note_objects(run, subject);
    }
    add_reasons(report.subjects, run.known.reached(), sources);
    name_changes(report.subjects, run.known.reached());
    for (audited_subject& subject : report.subjects) {
        for (std::size_t i = 0; i != subject.repairs.size(); ++i) {
            subject.repairs[i].diff = unified_diff(find_fix(subject, i + 1).patch);
        }
    }
    report.stopped = run.stopped;
    report.seconds = seconds_since(begin);
    return report;
}

}  // namespace ordeal::detail
