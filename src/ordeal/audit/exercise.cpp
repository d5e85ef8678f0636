// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/phases.hpp"

#include "ordeal/audit/subjects.hpp"

#include <algorithm>

namespace ordeal::detail {

namespace {

// Records how one scenario exercised the site.
void note_scenario(audited_site& value, const audited_scenario& scenario) {
    const reached_site* const reached = find_reached(scenario.result, value.where);
    if (reached == nullptr) return;
    // A fence itself has no reads-from edges.
    const bool met = reached->crossed || value.where.key.what == role::fence;
    (met ? value.met_in : value.run_in).push_back(scenario.what->name);
    merge_sites(value.reads_from, reached->writers);
    for (const reached_site& other : scenario.result.sites) {
        for (const site& writer : other.writers) {
            if (same_site(writer, value.where)) merge_sites(value.read_by, {&other.where, 1});
        }
    }
}

}  // namespace

void note_exercise(audited_subject& subject, std::span<const audited_subject> subjects) {
    for (audited_site& value : subject.sites) {
        for (const audited_subject& each : subjects) {
            for (const audited_scenario& scenario : each.scenarios) note_scenario(value, scenario);
        }
    }
}

namespace {

audited_site* unnamed(audited_subject& subject, const site& where) {
    const auto found = std::ranges::find_if(
        subject.sites, [&](const audited_site& each) { return each.object.empty() && same_site(each.where, where); });
    return found == subject.sites.end() ? nullptr : &*found;
}

void note_names(audited_subject& subject, const trace& steps) {
    for (const trace_step& step : steps) {
        if (!step.where.atomic || step.name.empty()) continue;
        if (audited_site* const value = unnamed(subject, step.where)) value->object = step.name;
    }
}

}  // namespace

void note_objects(audit_run& run, audited_subject& subject) {
    for (const audited_scenario& each : subject.scenarios) {
        note_names(subject, each.result.trace);
        for (const reached_site& reader : each.result.sites) {
            for (std::size_t i = 0; i != reader.writer_examples.size() && !run.stopped; ++i) {
                if (reader.writer_examples[i].text.empty()) continue;
                if (unnamed(subject, reader.where) == nullptr && unnamed(subject, reader.writers[i]) == nullptr)
                    continue;
                search_batch batch;
                batch.replay(*each.what, reader.writer_examples[i]);
                batch.run(run, [](const search_result&) { return false; });
                if (const auto& replayed = batch.result(0)) note_names(subject, replayed->trace);
            }
        }
    }
}

}  // namespace ordeal::detail
