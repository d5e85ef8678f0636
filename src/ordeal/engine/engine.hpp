// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/limit.hpp"
#include "ordeal/engine/observations.hpp"
#include "ordeal/engine/search_options.hpp"
#include "ordeal/runtime/site.hpp"
#include "ordeal/runtime/trace.hpp"
#include "ordeal/runtime/violation.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// The verdict of a search. Only `held` says that every execution was explored.
enum class verdict : std::uint8_t { held, held_within, violated, inconclusive };

[[nodiscard]] std::string_view to_string(verdict value) noexcept;  ///< "held", "held within", ...
[[nodiscard]] std::optional<verdict> parse_verdict(std::string_view text) noexcept;

/// A site with what a search observed there.
struct reached_site {
    site where;
    /// In some execution another thread read from it, or it read from another thread, and creating and joining threads
    /// did not order the two.
    bool crossed = false;
    /// The sites of other threads whose writes were read here in some execution. Engine graph only.
    std::vector<site> writers{};

    // If requested by wanted_results::used_orders: whether in some execution the release, or acquire, of this operation
    // is part of a synchronisation edge that orders two conflicting non-atomic accesses which creating and joining
    // threads does not order.
    bool release_used = false;
    bool acquire_used = false;
    /// For each of `writers` an execution in which its write is read here; empty: none.
    std::vector<choices> writer_examples{};
};

/// An accepted violation, with the number of executions that have it.
struct accepted_violation {
    violation_kind kind = violation_kind::notification_after_destruction;
    std::string file;
    std::uint32_t line = 0;
    std::uint64_t executions = 0;
};

/// A partial search that an automatic search made in a time slice because it would not finish in time.
struct portfolio_result {
    search_mode mode = search_mode::random;  ///< random, pct, preemptions, or full: of one in which less may happen
    std::uint64_t bound = 0;                 ///< preemptions, or full: spurious failures and reuses; so many at most
    unsigned depth = 0;                      ///< pct only
    std::uint64_t seed = 0;                  ///< random and pct only
    std::uint64_t executions = 0;
    std::uint64_t different = 0;  ///< approximate, for random and pct executions; the others are all distinct
    bool complete = false;        ///< of those with a bound: every execution within it was explored
};

/// How much of the behaviour a search has seen. A figure that no longer grows suggests that further executions would
/// show nothing new. A reads-from pair is a reading site and a site of another thread that wrote the value.
struct seen_so_far {
    std::uint64_t graphs = 0;             ///< complete and blocked executions, all distinct
    std::uint64_t pairs = 0;              ///< reads-from pairs
    std::uint64_t newest_pair_after = 0;  ///< the number of executions when the last pair was found
    std::uint64_t more_pairs = 0;         ///< found by the portfolio only

    bool operator==(const seen_so_far&) const = default;
};

/// Merges the violations of another search, or of another part of it.
void merge_accepted(const std::vector<accepted_violation>& more, std::vector<accepted_violation>& into);

/// The result of one search: verdict, limits, counts, and the violating execution if there is one.
struct search_result {
    ordeal::detail::verdict verdict = ordeal::detail::verdict::inconclusive;
    std::optional<violation_kind> kind;  ///< of the violation
    std::string message;                 ///< the violation in words, or why inconclusive
    std::vector<limit> limits;  ///< of a held verdict, what it rests on; of a violation, what may make it a false alarm
    std::uint64_t executions = 0;
    std::uint64_t blocked = 0;  ///< executions that could not be completed
    bool complete = false;      ///< the search as asked for was not cut short
    bool stopped = false;       ///< by a signal
    double seconds = 0;
    int threads = 0;         ///< the most in one execution; 0: not known
    bool concurrent = true;  ///< two threads accessed data concurrently, or one synchronised while another existed
    std::map<std::string, std::uint64_t> outcomes;
    outcome_examples examples;          ///< if requested by wanted_results::examples
    std::uint64_t faults_injected = 0;  ///< real threads only: allocations that the scenario made fail
    std::uint64_t faults_survived = 0;  ///< those after which everything completed correctly
    std::vector<reached_site> sites;
    std::vector<atomic_states> atomics;  ///< if requested by wanted_results::atomic_states; by id
    std::vector<accepted_violation> accepted;
    std::vector<portfolio_result> portfolio_results;  ///< of an automatic search that was cut short
    seen_so_far seen;                                 ///< engine graph only; of a search of all executions
    std::optional<models_of_violation> models;        ///< nothing: no violation, or not determined
    bool printed = false;                             ///< the code on trial printed something, which was dropped
    bool simpler_may_exist = false;                   ///< the search for a simpler execution was cut short
    std::optional<choices> replay;                    ///< of the violating execution
    ordeal::detail::trace trace;                      ///< of the violating execution
    std::string part;                                 ///< of a shard: its counts, for search_shard::parts
    std::vector<std::string> environment;             ///< the variables read by code without a policy; sorted
};

/// Shared with the process that watches the search: written by the search, read at any time.
struct search_progress {
    volatile std::uint64_t executions = 0;
    volatile std::uint64_t steps = 0;
    volatile double expected = 0;        ///< executions of the whole search, estimated; 0: not known
    volatile double expected_error = 0;  ///< standard error of the estimate
    volatile std::uint64_t pairs = 0;    ///< seen_so_far::pairs, and with them newest_pair_after
    volatile std::uint64_t newest_pair_after = 0;
    volatile std::uint64_t portfolio_executions = 0;  ///< of all portfolio_results
    /// Grows as long as the search uses processor time and makes progress; it stops if the code on trial hangs.
    volatile std::uint64_t heartbeats = 0;
    volatile std::uint8_t found = 0;  ///< 1 + the kind of the first violation, once there is one; 0: none yet
};

/// Reports a violation, unless one was reported before.
inline void note_found(search_progress& progress, violation_kind kind) noexcept {
    if (progress.found == 0) progress.found = static_cast<std::uint8_t>(static_cast<unsigned>(kind) + 1);
}

/// Features that not every engine has.
struct engine_features {
    bool code_without_policy = false;  ///< scenarios compiled by ordeal_add_trial()
    bool spurious_failures = false;    ///< execution_bounds::spurious
    bool reuse = false;                ///< execution_bounds::reuse
    bool length = false;               ///< execution_bounds::length
    bool timeouts = false;             ///< execution_bounds::time_limits
    bool acceptances = false;          ///< search_options::accept
    bool samplers = false;             ///< search_mode::pct, ::pos and ::surw
    bool reductions = false;           ///< search_options::reductions
    bool memory_models = false;        ///< search_options::model
    bool checkpoints = false;          ///< search_options::checkpoint
    bool shards = false;               ///< search_options::shard
    bool examples = false;             ///< wanted_results::examples and ::atomic_states
    bool used_orders = false;          ///< wanted_results::used_orders
    bool memory_limit = false;         ///< search_resources::memory
};

/// Searches the executions of one scenario, which it runs on a `runtime` of its own.
///
/// A search must have a process of its own: it may crash, hang or leak, and it is not repeatable in a process whose
/// globals the code on trial has changed.
class engine {
public:
    engine() = default;
    engine(const engine&) = delete;
    engine& operator=(const engine&) = delete;
    virtual ~engine() = default;

    [[nodiscard]] virtual std::string_view name() const noexcept = 0;
    [[nodiscard]] virtual std::size_t max_threads() const noexcept = 0;
    [[nodiscard]] virtual engine_features features() const noexcept { return {}; }
    /// Throws std::runtime_error if this search cannot resume from the existing checkpoint; called before it begins.
    virtual void require_own_checkpoint(const scenario& /*what*/, const search_options& /*how*/) const {}
    [[nodiscard]] virtual search_result search(const scenario& what, const search_options& how,
                                               search_progress& progress) = 0;
};

/// Why the engine cannot search this scenario; empty if it can.
[[nodiscard]] std::string obstacle(const engine& with, const scenario& what);

/// Asks a running search to end after the current execution and report its result; async-signal-safe.
void request_stop() noexcept;
[[nodiscard]] bool stop_requested() noexcept;

}  // namespace ordeal::detail
