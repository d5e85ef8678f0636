// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/exercise.hpp"

#include "ordeal/audit/subjects.hpp"

namespace ordeal::detail {

namespace {

// What one scenario did at the site.
void note_scenario(audited_site& value, const audited_scenario& scenario) {
    const reached_site* const reached = find_reached(scenario.result, value.where);
    if (reached == nullptr) return;
    // A fence reads and is read by nothing itself.
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

}  // namespace ordeal::detail
