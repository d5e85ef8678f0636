// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/isolation.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal {

/// What the searches with one weaker order at one site say.
enum class order_verdict : std::uint8_t {
    required,      ///< some scenario is violated
    not_required,  ///< every scenario that reaches the site held, all executions explored
    undecided,     ///< no violation, but some search was bounded
    unexercised,   ///< no scenario reaches the site, or none in which it meets another thread
};
[[nodiscard]] std::string_view to_string(order_verdict value) noexcept;  ///< "required", "not required", ...

/// What the verdicts of its weaker orders say about a site.
enum class site_verdict : std::uint8_t {
    minimal,               ///< every weaker order is required, or there is none
    stronger_than_needed,  ///< some weaker order is not required
    too_weak,  ///< the subject is violated as written, and strengthening this site is a repair, or part of one
    undecided,
    unexercised,
};
[[nodiscard]] std::string_view to_string(site_verdict value) noexcept;  ///< "minimal", "stronger than needed", ...

/// One weaker order at one site.
struct audited_order {
    order tried = order::relaxed;
    order_verdict verdict = order_verdict::undecided;
    std::string note;  ///< undecided: why, e.g. "no violation; bounded by: ..."; else empty

    // When required: the violation. A replay token is made of `scenario`, the engine, `overrides` and `replay`.
    std::string scenario;
    std::optional<violation_kind> kind;
    std::string message;
    std::optional<models_of_violation> models;
    std::vector<limit> limits;              ///< what the violation rests on
    std::vector<order_override> overrides;  ///< the one that replaces the declared order by `tried`
    std::optional<choices> replay;
    ordeal::trace trace;

    std::size_t searches = 0;  ///< made for this order
    std::uint64_t executions = 0;
};

struct audited_site {
    site where;
    site_verdict verdict = site_verdict::undecided;
    std::string note;                   ///< in words, one line: "release -> data race in task/...", what is undecided
    std::string reason;                 ///< the author's `order:` comment above the site, one paragraph; may be empty
    std::vector<audited_order> weaker;  ///< weakest first
    std::optional<order> stronger;      ///< too weak: the weakest order that repairs
};

/// One change, or some together, after which no scenario of the subject is violated. None of them can be left out or
/// made weaker.
struct repair {
    std::vector<order_override> changes;
    std::vector<limit> limits;  ///< empty: every scenario held, all executions explored
};

/// A scenario as written.
struct audited_scenario {
    const scenario* what = nullptr;
    bool as_expected = false;
    search_result result;
};

struct audited_subject {
    std::string name;
    bool exhibit = false;  ///< every scenario of it is an exhibit
    /// As written: the worst of its scenarios' verdicts, violated before inconclusive before held within before held.
    ordeal::verdict verdict = ordeal::verdict::inconclusive;
    std::optional<violation_kind> kind;  ///< of the first violated scenario
    bool as_expected = false;            ///< every scenario is
    std::string note;  ///< of the repairs: "no strengthening of memory orders repairs it", ...; may be empty
    std::vector<audited_scenario> scenarios;
    std::vector<audited_site> sites;  ///< by file, line, column, role
    std::vector<repair> repairs;      ///< fewest sites first

    // Over all searches made for this subject, as written and changed.
    std::uint64_t searches = 0;
    std::uint64_t executions = 0;
    double seconds = 0;     ///< the sum over searches, which may have run in parallel
    bool complete = false;  ///< every search that was called for was made, and none was cut short
};

struct audit_report {
    std::string engine;
    memory_model model = memory_model::rc11;
    std::vector<audited_subject> subjects;  ///< by name
    bool stopped = false;                   ///< asked to stop; what was not searched is undecided
    double seconds = 0;                     ///< wall clock
};

/// Runs searches; see run_isolated, which it is outside of tests.
using search_runner = std::function<bool(std::span<const search_job> work, std::span<const std::size_t> groups,
                                         const isolation_options& options, const progress_callback& on_progress,
                                         const done_callback& on_done)>;

struct audit_options {
    engine* with = nullptr;
    search_options search;  ///< of each search; overrides and replay are the audit's own
    isolation_options isolation;
    std::size_t repair_searches = 600;  ///< for each violated subject, at most
    search_runner run;                  ///< empty: run_isolated
};

/// Audits the subjects of the given scenarios one site at a time: which weaker order, put in place of the declared
/// one, violates some scenario that is expected to hold; and for a subject that is violated as written, which stronger
/// orders repair it. A stop keeps what is done.
[[nodiscard]] audit_report run_audit(std::span<const scenario* const> selected, const audit_options& options,
                                     const progress_callback& on_progress);

}  // namespace ordeal
