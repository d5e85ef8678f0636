// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/search_report.hpp"

#include "ordeal/engine/unchecked_code.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/memory/heap.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <stdexcept>
#include <utility>

namespace ordeal::detail {

std::optional<search_result> begin_search(const engine& by, const scenario& what, const search_options& how) {
    if (std::string why = obstacle(by, what); !why.empty()) {
        search_result refused;
        refused.message = std::move(why);
        return refused;
    }
    // Lack of memory is no fault of the code on trial: it is detected here, before the code runs.
    (void)heap::scenario_storage(what.model.size, what.model.alignment);
    sites().set_overrides(how.mutant.overrides);
    return std::nullopt;
}

std::vector<reached_site> sites_of(const std::vector<std::uint8_t>& marks,
                                   const std::vector<std::vector<site_id>>& writers) {
    // Memory beyond the end of the table may look like a site.
    const std::size_t known = std::min(sites().size(), marks.size());
    if (std::ranges::any_of(std::span(marks).subspan(known), [](std::uint8_t flags) { return flags != 0; })) {
        throw std::logic_error("an operation at a site that is not in the table");
    }
    std::vector<reached_site> result;
    for (site_id id = 1; id < known; ++id) {
        if ((marks[id] & site_was_reached) == 0 || !sites().at(id).atomic) continue;
        result.push_back({sites().at(id), (marks[id] & site_was_crossed) != 0});
        result.back().release_used = (marks[id] & site_release_used) != 0;
        result.back().acquire_used = (marks[id] & site_acquire_used) != 0;
        if (id >= writers.size()) continue;
        for (const site_id writer : writers[id]) {
            if (sites().at(writer).atomic) result.back().writers.push_back(sites().at(writer));
        }
    }
    return result;
}

namespace {

bool is_same(const site& left, const site& right) {
    return left.key == right.key && left.declared == right.declared && left.operation == right.operation;
}

// Adds the writer if it is missing, and the execution if none is known.
void note_reads_from_at(reached_site& reader, const site& writer, const std::string& path) {
    const auto known = std::ranges::find_if(reader.writers, [&](const site& other) { return is_same(other, writer); });
    const auto place = static_cast<std::size_t>(known - reader.writers.begin());
    if (known == reader.writers.end()) reader.writers.push_back(writer);
    if (path.empty()) return;
    reader.writer_examples.resize(reader.writers.size());
    if (reader.writer_examples[place].text.empty()) reader.writer_examples[place].text = path;
}

}  // namespace

void merge_sites(const std::vector<reached_site>& more, std::vector<reached_site>& into) {
    for (const reached_site& each : more) {
        const auto known =
            std::ranges::find_if(into, [&](const reached_site& other) { return is_same(other.where, each.where); });
        if (known == into.end()) {
            into.push_back(each);
            continue;
        }
        known->crossed |= each.crossed;
        known->release_used |= each.release_used;
        known->acquire_used |= each.acquire_used;
        for (std::size_t i = 0; i < each.writers.size(); ++i) {
            const std::string& path = i < each.writer_examples.size() ? each.writer_examples[i].text : std::string();
            note_reads_from_at(*known, each.writers[i], path);
        }
    }
}

void note_reads_from(std::vector<reached_site>& sites, const site& writer, const site& reader,
                     const std::string& path) {
    for (reached_site& each : sites) {
        const bool listed =
            std::ranges::any_of(each.writers, [&](const site& other) { return is_same(other, writer); });
        if (listed && is_same(each.where, reader)) return note_reads_from_at(each, writer, path);
    }
}

std::uint64_t pairs_of(const std::vector<reached_site>& sites) noexcept {
    std::uint64_t pairs = 0;
    for (const reached_site& each : sites) pairs += each.writers.size();
    return pairs;
}

void note_pairs(const std::vector<reached_site>& sites, search_progress& progress) {
    const std::uint64_t pairs = pairs_of(sites);
    if (pairs <= progress.pairs) return;
    progress.pairs = pairs;
    progress.newest_pair_after = progress.executions;
}

void merge_accepted(const std::vector<accepted_violation>& more, std::vector<accepted_violation>& into) {
    for (const accepted_violation& each : more) {
        const auto known = std::ranges::find_if(into, [&](const accepted_violation& other) {
            return other.kind == each.kind && other.file == each.file && other.line == each.line;
        });
        if (known == into.end()) {
            into.push_back(each);
        } else {
            known->executions += each.executions;
        }
    }
}

std::string problem_of(const order_override& wanted, const std::vector<reached_site>& reached) {
    std::optional<order> met;
    for (const reached_site& each : reached) {
        if (!concerns(wanted, each.where)) continue;
        if (met && *met != each.where.declared) {
            return "the override " + to_string(wanted) + " could mean the site with " + std::string(to_string(*met)) +
                   " or the one with " + std::string(to_string(each.where.declared)) + ": it must say which";
        }
        met = each.where.declared;
    }
    return met ? "" : "no execution reached the site of the override " + to_string(wanted);
}

void require_overrides_met(const search_options& how, search_result& result) {
    if (!how.mutant.all_overrides_reached) return;
    if (result.verdict == verdict::violated || result.verdict == verdict::inconclusive) return;
    std::string problems;
    for (const order_override& wanted : how.mutant.overrides) {
        const std::string problem = problem_of(wanted, result.sites);
        if (!problem.empty()) problems += (problems.empty() ? "" : "; ") + problem;
    }
    if (problems.empty()) return;
    result.verdict = verdict::inconclusive;
    result.message = problems;
}

// The engine has put into the message what such a search found.
void require_executions(search_result& result, bool false_assumption) {
    const bool holds = result.verdict == verdict::held || result.verdict == verdict::held_within;
    const bool by_portfolio =
        std::ranges::any_of(result.portfolio_results, [](const portfolio_result& each) { return each.executions > 0; });
    if (!holds || result.executions > 0 || by_portfolio || !result.part.empty()) return;
    result.verdict = verdict::inconclusive;
    result.message = "no execution was followed to its end";
    const auto names_limit = [&](const char* id) {
        return std::ranges::find(result.limits, id, &limit::id) != result.limits.end();
    };
    if (names_limit("length")) {
        result.message += ": each was longer than --length allows, or blocked";
        return;
    }
    const bool cut_short = names_limit("cut-short");
    if (result.blocked == 0) {
        if (cut_short) {
            result.message +=
                ": one takes longer than the search did; make the loops of the trial shorter, or the time budget "
                "longer";
        }
        return;
    }
    if (false_assumption) {
        result.message += ": there was none in which every assumption holds";
        return;
    }
    const char* const words = result.blocked == 1
                                  ? " was blocked: a thread waits for a write of another execution"
                                  : " were blocked: in each, a thread waits for a write of another execution";
    result.message += ": " + std::to_string(result.blocked) + words;
    if (cut_short) result.message += "; make the loops of the trial shorter, or the time budget longer";
}

std::string blind_search_message(bool instrumented) {
    if (instrumented) {
        return "no two threads accessed a common object while both ran, in any execution, so the search shows nothing; "
               "what one thread hands to another by creating or joining it does not count";
    }
    return "no two threads accessed a common object in any execution: do they share objects of the policy's types, "
           "P::atomic, P::cell and P::mutex?";
}

std::vector<limit> unseen_limits(const scenario& what) {
    if (!what.instrumented) return {};
    std::vector<limit> result;
    for (std::string& each : instrumented().limits()) {
        if (each.starts_with(not_checked)) {
            result.push_back(limit_of_unseen(each, ""));
        } else {
            result.emplace_back("trial", std::move(each), limit_effect::unseen);
        }
    }
    std::ranges::move(limits_of_linked_code(), std::back_inserter(result));
    return result;
}

step_access access_of(const site& where, std::string_view operation) {
    const bool loads =
        operation == "read" || (kind_of_operation(operation) == step_kind::load && is_within_library(operation));
    if (!where.atomic) return loads ? step_access::read : step_access::write;
    if (where.key.what == role::fence) return step_access::none;
    return where.key.what == role::load || where.key.what == role::failure ? step_access::read : step_access::write;
}

trace_step step_at(site_id site, const char* operation, const tracked_object* of) {
    trace_step result;
    result.where = sites().at(site);
    result.operation = operation != nullptr ? operation : result.where.operation;
    if (of != nullptr) {
        result.object = of->name();
        result.address = of->where.address;
        result.size = of->where.size;
        result.access = access_of(result.where, result.operation);
    }
    if (result.where.atomic) {
        result.using_order = sites().effective(site);
        result.overridden = *result.using_order != result.where.declared;
    }
    return result;
}

void describe_added_fence(trace_step& step, order with) {
    step.using_order = with;
    step.overridden = false;
    step.note = "added for this search";
}

std::string violation_note(violation_kind kind, std::string_view message) {
    std::string text(to_string(kind));
    if (!message.empty()) text.append(": ").append(message);
    return text;
}

std::chrono::steady_clock::time_point deadline_after(double seconds) {
    using clock = std::chrono::steady_clock;
    constexpr double forever = 1e9;  // more would overflow the clock
    if (seconds <= 0 || seconds >= forever) return clock::time_point::max();
    return clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace ordeal::detail
