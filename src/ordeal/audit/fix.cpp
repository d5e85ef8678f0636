// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/fix.hpp"

#include "ordeal/audit/audit.hpp"
#include "ordeal/audit/subjects.hpp"
#include "ordeal/engine/persistence/output_file.hpp"
#include "ordeal/scenario/source_files.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>

namespace ordeal::detail {

namespace {

site_change change_of(const audited_subject& subject, const site& where, order replacement) {
    site_change result{where, replacement, {}};
    if (const audited_site* const found = find_site(subject, where)) {
        result.reason = found->reason;
        result.object = last_name(found->object);
    }
    return result;
}

void add(source_fix& fix, const audited_subject& subject, const joint_table& table, const joint_assignment& chosen) {
    for (std::size_t i = 0; i != table.sites.size(); ++i) {
        const site& where = table.sites[i];
        if (chosen.orders[i] == where.declared) continue;
        fix.changes.push_back(change_of(subject, where, chosen.orders[i]));
    }
    std::ranges::copy(chosen.limits, std::back_inserter(fix.limits));
}

void add(source_fix& fix, const audited_subject& subject, const repair& chosen) {
    for (const order_override& change : chosen.changes) {
        if (adds_fence(change)) {
            fix.fences.push_back(change);
            continue;
        }
        for (const audited_site& each : subject.sites) {
            if (concerns(change, each.where)) fix.changes.push_back(change_of(subject, each.where, change.replacement));
        }
    }
    fix.limits = chosen.limits;
}

void choose_repair(source_fix& fix, const audited_subject& subject) {
    if (subject.repairs.empty()) {
        fix.nothing = "it is violated as written, and no repair is known";
        if (!subject.note.empty()) fix.nothing += ": " + subject.note;
        return;
    }
    if (fix.number == 0) {
        const auto first = std::ranges::find_if(
            subject.repairs, [](const repair& each) { return std::ranges::none_of(each.changes, adds_fence); });
        fix.number = first == subject.repairs.end() ? 1 : static_cast<std::size_t>(first - subject.repairs.begin()) + 1;
    }
    add(fix, subject, subject.repairs[fix.number - 1]);
}

void choose_assignment(source_fix& fix, const audited_subject& subject) {
    std::size_t before = 0;
    for (const joint_table& table : subject.joint) {
        if (fix.number == 0) {
            const auto first = std::ranges::find(table.minimal, true, &joint_assignment::weaker);
            if (first != table.minimal.end()) add(fix, subject, table, *first);
        } else if (fix.number > before && fix.number <= before + table.minimal.size()) {
            add(fix, subject, table, table.minimal[fix.number - before - 1]);
        }
        before += table.minimal.size();
    }
    if (!fix.changes.empty()) return;
    if (fix.number != 0) {
        fix.nothing = "that is what is written";
    } else if (fix.choices == 0) {
        fix.nothing = "no minimal assignment is known";
    } else if (std::ranges::all_of(subject.joint, &joint_table::complete)) {
        fix.nothing = "no assignment only weakens what is written: the orders are minimal as written";
        if (fix.choices > subject.joint.size()) fix.nothing += ", and the others are chosen by number";
    } else {
        fix.nothing = "no assignment was found that only weakens what is written, and perhaps not all were";
    }
}

// Empty if there is something to choose from.
std::string why_undecided(const audited_subject& subject) {
    return subject.verdict == verdict::inconclusive ? "what is written was not decided" : "";
}

std::vector<site> sites_of(const audited_subject& subject) {
    std::vector<site> result;
    for (const audited_site& each : subject.sites) result.push_back(each.where);
    return result;
}

// With scenarios of both kinds a column may refer to either.
source_kind kind_of(const audited_subject& subject) {
    const bool any =
        std::ranges::any_of(subject.scenarios, [](const audited_scenario& each) { return each.what->instrumented; });
    return any ? source_kind::without_policy : source_kind::with_policy;
}

std::vector<std::string> objects_of(const audited_subject& subject) {
    std::vector<std::string> result;
    for (const audited_site& each : subject.sites) {
        std::string name = last_name(each.object);
        if (!name.empty()) result.push_back(std::move(name));
    }
    return result;
}

bool weakens(const site_change& change) { return weaker(change.replacement, change.where.declared); }

// A line of a file that has changed since may contain anything.
source_patch make_where_unchanged(std::span<const site_change> changes, const audited_subject& subject,
                                  const source_reader& read) {
    std::vector<site_change> unchanged;
    std::vector<site_change> changed;
    for (const site_change& each : changes) {
        (is_newer_than_program(each.where.key.file) ? changed : unchanged).push_back(each);
    }
    source_patch result = make_patch(unchanged, sites_of(subject), kind_of(subject), read, objects_of(subject));
    std::set<std::string> files;
    for (const site_change& each : changed) files.insert(each.where.key.file);
    for (const std::string& file : files) {
        result.refusals.push_back(file + ": it was written to after this program was built: build again");
    }
    std::ranges::copy(changed, std::back_inserter(result.left));
    return result;
}

// An assignment stronger than one that holds also holds. So of changes that only weaken, or only strengthen, each may
// be left out; but one that weakens may depend on another that strengthens.
void make_what_can_be(source_fix& fix, const audited_subject& subject, const source_reader& read) {
    fix.patch = make_where_unchanged(fix.changes, subject, read);
    const bool some_not_stronger =
        !fix.fences.empty() ||
        std::ranges::any_of(fix.patch.left, [](const site_change& each) { return !weakens(each); });
    if (!some_not_stronger || std::ranges::none_of(fix.changes, weakens)) return;
    std::vector<site_change> stronger = fix.changes;
    std::erase_if(stronger, weakens);
    const std::vector<std::string> refusals = fix.patch.refusals;
    fix.patch = make_where_unchanged(stronger, subject, read);
    fix.patch.refusals = refusals;
    for (const site_change& each : fix.changes) {
        if (!weakens(each)) continue;
        fix.patch.left.push_back(each);
        fix.patch.refusals.push_back(each.where.key.file + ":" + std::to_string(each.where.key.line) +
                                     ": it stays as it is, for a stronger order elsewhere comes first");
    }
}

// A file elsewhere is not the user's: a system header, or one of an installed library.
bool is_in_the_project(const std::string& file) { return !file.starts_with('/') && !file.starts_with("../"); }

}  // namespace

std::size_t count_fixes(const audited_subject& subject) {
    if (subject.verdict == verdict::violated) return subject.repairs.size();
    std::size_t count = 0;
    for (const joint_table& table : subject.joint) count += table.minimal.size();
    return count;
}

source_fix find_fix(const audited_subject& subject, std::size_t number, const source_reader& read) {
    source_fix fix;
    fix.subject = subject.name;
    fix.repairs = subject.verdict == verdict::violated;
    fix.number = number;
    fix.choices = count_fixes(subject);
    fix.nothing = why_undecided(subject);
    if (number > fix.choices) fix.nothing = "it has no such number";
    if (!fix.nothing.empty()) return fix;
    if (fix.repairs) {
        choose_repair(fix, subject);
    } else {
        choose_assignment(fix, subject);
    }
    std::set<std::string> seen;
    std::erase_if(fix.limits, [&](const limit& each) { return !seen.insert(each.sentence).second; });
    if (!fix.nothing.empty()) return fix;
    make_what_can_be(fix, subject, read);
    // Reading text does not tell where a statement ends or how a policy's fence is spelled.
    for (const order_override& each : fix.fences) {
        fix.patch.refusals.push_back(each.site.file + ":" + std::to_string(each.site.line) + ": " +
                                     std::string(with_article(each.replacement)) + " fence is wanted " +
                                     std::string(to_string(each.position)) + " this operation: write it by hand");
    }
    return fix;
}

void write_fix(source_fix& fix) {
    std::vector<output_file> files;
    for (const file_patch& each : fix.patch.files) {
        if (!is_in_the_project(each.file)) {
            fix.trouble = each.file + " is under no source root of this program: apply the patch by hand";
            return;
        }
        files.emplace_back(find_source(each.file));
        if (read_source(each.file) != each.before) {
            fix.trouble = "'" + files.back().path() + "' has just been changed by something else";
            return;
        }
        if (const auto why = files.back().obstacle()) {
            fix.trouble = "cannot write '" + files.back().path() + "': " + *why;
            return;
        }
    }
    for (std::size_t i = 0; i != files.size(); ++i) {
        const auto why = files[i].write(fix.patch.files[i].after);
        if (!why) {
            fix.written.push_back(files[i].path());
            continue;
        }
        fix.trouble = "cannot write '" + files[i].path() + "': " + *why;
        for (std::size_t j = 0; j != i; ++j) {
            if (const auto again = files[j].write(fix.patch.files[j].before)) {
                fix.trouble += "; and '" + files[j].path() + "' keeps its change: " + *again;
            }
        }
        fix.written.clear();
        return;
    }
}

}  // namespace ordeal::detail
