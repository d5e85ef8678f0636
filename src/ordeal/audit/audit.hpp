// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/common_results.hpp"
#include "ordeal/audit/fix.hpp"
#include "ordeal/engine/process/isolation.hpp"
#include "ordeal/explain/explanation.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// The verdict of the searches with one weaker order at one site.
enum class order_verdict : std::uint8_t {
    required,      ///< some scenario is violated
    not_required,  ///< with this change alone every scenario that reaches the site held, all executions explored
    vacuous,       ///< the same, but no scenario has the accesses that the order would order: nothing is known of it
    undecided,     ///< no violation, but some search was bounded
    unexercised,   ///< no scenario reaches the site, or a value crosses threads there in none
};
[[nodiscard]] std::string_view to_string(order_verdict value) noexcept;  ///< "required", "not required", ...

/// The verdict on a site, from those on its weaker orders.
enum class site_verdict : std::uint8_t {
    minimal,               ///< every weaker order is required, or there is none
    stronger_than_needed,  ///< some weaker order is part of a minimal assignment that only weakens the declared orders
    vacuous,               ///< every weaker order is required or vacuous, and some order is vacuous
    too_weak,  ///< the subject is violated as written, and strengthening this site is a repair, or part of one
    undecided,
    unexercised,
};
[[nodiscard]] std::string_view to_string(site_verdict value) noexcept;  ///< "minimal", "stronger than needed", ...

/// A violation under changed orders. `scenario`, the engine, `overrides` and `replay` make a replay token.
struct shown_violation {
    std::vector<order_override> overrides;  ///< the changes
    std::string scenario;
    std::optional<violation_kind> kind;
    std::string message;
    std::optional<models_of_violation> models;
    std::vector<limit> limits;  ///< the limits that the violation rests on
    std::optional<choices> replay;
    ordeal::detail::trace trace;
    explanation why{};  ///< of the trace
};

/// One weaker order at one site; with the violation if it is required. `overrides` always has the one change.
struct audited_order : shown_violation {
    order tried = order::relaxed;
    order_verdict verdict = order_verdict::undecided;
    /// Undecided: why, e.g. "no violation; bounded by: ...". Vacuous: the access that no scenario makes. Otherwise
    /// empty.
    std::string note;
    std::vector<target_cost> costs;  ///< of the operation with this order

    std::size_t searches = 0;  ///< made for this order
    std::uint64_t executions = 0;
};

/// The audit of one site: the verdict on its order, the evidence, and where scenarios reach it.
struct audited_site {
    site where;
    std::string object;  ///< the atomic it operated on, by its source name: "event.state_"; may be empty
    site_verdict verdict = site_verdict::undecided;
    std::string note;                 ///< one line: "release -> data race in task/...", what is undecided
    std::string reason;               ///< the author's `order:` comment above the site, one paragraph; may be empty
    std::vector<std::string> doubts;  ///< contradictions between that comment and the evidence
    /// Stronger than needed: the scenarios that say so, and how good they are at it. "in 2 scenarios of at most 3
    /// threads; all scenarios together detect 5 of 8 weaker orders".
    std::string scope;
    bool on_purpose = false;            ///< the comment gives a reason outside the model for an order this strong
    std::vector<audited_order> weaker;  ///< weakest first
    std::optional<order> stronger;      ///< too weak: the weakest order that repairs it
    std::vector<target_cost> costs;     ///< of the operation as written

    // How scenarios, as written, exercise the site. Its partners are known from the engine graph only.
    std::vector<std::string> met_in;  ///< scenarios in which a value crosses threads there
    std::vector<std::string> run_in;  ///< the other scenarios that reach it
    std::vector<site> reads_from;     ///< sites of other threads whose writes it reads
    std::vector<site> read_by;        ///< sites of other threads that read its writes
};

/// Orders for the sites of a joint_table under which every scenario held, each in a search of its own. None of them can
/// be weakened.
struct joint_assignment {
    std::vector<order> orders;  ///< of joint_table::sites, in their order
    std::vector<limit> limits;  ///< empty: every scenario held, all executions explored
    bool weaker = false;        ///< no order is stronger than declared, and some order is weaker
    std::vector<target_cost> costs{};
};

/// All minimal assignments of those sites of a subject that scenarios reach together. Sites of other tables do not
/// affect them.
struct joint_table {
    std::vector<site> sites;
    std::vector<site> vacuous;              ///< those with a vacuous order, which stays as written
    std::vector<target_cost> costs;         ///< as written
    std::vector<joint_assignment> minimal;  ///< first those that only weaken the declared orders, then by total cost
    bool complete = false;                  ///< there are no others
    std::string note;                       ///< not complete: what cut the search short; otherwise empty
    /// The violation with all orders at once at the weakest that is not required by itself. Empty: that holds, or there
    /// are no two such orders.
    std::optional<shown_violation> all_at_once;
};

/// A scenario as written.
struct audited_scenario {
    const scenario* what = nullptr;
    bool as_expected = false;
    search_result result;
    explanation why{};  ///< of the result
};

/// Each weaker order at a site is an injected bug. The share that the scenarios detect measures them as tests.
struct audit_score {
    std::size_t injected = 0;
    std::size_t detected = 0;
    std::map<std::string, std::size_t> detected_by;  ///< by the scenario shown, the first to detect it
};

/// The audit of one subject: its scenarios as written, its sites, and its assignments or repairs.
struct audited_subject {
    std::string name;
    bool exhibit = false;  ///< all of its scenarios are exhibits
    /// As written: the worst of its scenarios' verdicts, violated before inconclusive before held within before held.
    ordeal::detail::verdict verdict = ordeal::detail::verdict::inconclusive;
    std::optional<violation_kind> kind;  ///< of the first violated scenario
    bool as_expected = false;            ///< all of its scenarios are
    std::string scope;                   ///< where its sites were looked for if no file has its name; otherwise empty
    std::string note;  ///< on repairs: "no strengthening of memory orders repairs it", ...; may be empty
    std::vector<audited_scenario> scenarios;
    std::vector<audited_site> sites;  ///< ordered by file, line, column, role
    std::vector<joint_table> joint;   ///< of a subject that holds as written
    std::vector<repair> repairs;      ///< fewest sites first

    // Totals of the searches made for this subject, as written and changed.
    std::uint64_t searches = 0;
    std::uint64_t executions = 0;
    std::uint64_t repeated = 0;  ///< not made: an earlier search had the same orders at all sites that it reached
    std::uint64_t implied = 0;   ///< not made: violated with stronger orders, or held with weaker ones
    double seconds = 0;          ///< the sum over searches, which may have run in parallel
    bool complete = false;       ///< every search that was needed was made, and none was cut short
};

struct audit_report {
    std::string engine;
    memory_model model = default_memory_model;
    search_options how{};                   ///< of each search, without changes
    std::vector<audited_subject> subjects;  ///< by name
    std::optional<source_fix> fix;          ///< if requested; see find_fix
    bool stopped = false;                   ///< on request; what was not searched is undecided
    double seconds = 0;                     ///< wall clock

    // Set by the caller.
    bool require_complete = false;                   ///< a search that was cut short is a failure
    std::optional<baseline_comparison> baseline{};   ///< with an earlier report
    std::optional<std::vector<shortfall>> strict{};  ///< what is not decided for every execution
};

/// Of a subject that holds as written.
[[nodiscard]] audit_score score_of(const audited_subject& subject);

/// Runs searches; run_isolated except in tests.
using search_runner = std::function<bool(std::span<const search_job> work, std::span<const std::size_t> groups,
                                         const isolation_options& options, const progress_callback& on_progress,
                                         const done_callback& on_done)>;

struct audit_options {
    engine* with = nullptr;
    search_options search;  ///< of each search; the audit sets overrides and replay
    isolation_options isolation;
    std::size_t most_searches = 4000;  ///< for the joint orders or the repairs of each subject
    search_runner run;                 ///< empty: run_isolated
};

/// Audits the subjects of the given scenarios: for each site, which weaker orders violate some scenario that is
/// expected to hold; then which assignments of orders to all sites together are minimal; and for a subject that is
/// violated as written, which stronger orders repair it. After a stop the results so far are kept.
[[nodiscard]] audit_report run_audit(std::span<const scenario* const> selected, const audit_options& options,
                                     const progress_callback& on_progress);

}  // namespace ordeal::detail
