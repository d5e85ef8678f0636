// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/atomic_states.hpp"
#include "ordeal/engine/limit.hpp"
#include "ordeal/engine/outcome_example.hpp"
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

namespace ordeal {

/// What a search of all executions says. Only `held` says that every execution was explored.
enum class verdict : std::uint8_t { held, held_within, violated, inconclusive };

[[nodiscard]] std::string_view to_string(verdict value) noexcept;  ///< "held", "held within", ...
[[nodiscard]] std::optional<verdict> parse_verdict(std::string_view text) noexcept;

/// A site as a search saw it.
struct reached_site {
    site where;
    /// Some execution had another thread read from it, or it read from another thread, and creating and joining threads did not
    /// order the two.
    bool crossed = false;
    /// Those that, in some execution, another thread wrote at what was read here. Engine graph only.
    std::vector<site> writers{};

    // Where wanted_results::used_orders asks for them: whether in some execution an edge of synchronisation to which the order of this
    // operation lends its release, or its acquire, lies on the way from one plain access to another that conflicts with it,
    // and creating and joining threads does not order the two.
    bool release_used = false;
    bool acquire_used = false;
    /// For each of `writers` an execution in which they meet; empty: none.
    std::vector<choices> writer_examples{};
};

/// A violation that was accepted, and in how many executions it was met.
struct accepted_violation {
    violation_kind kind = violation_kind::notification_after_destruction;
    std::string file;
    std::uint32_t line = 0;
    std::uint64_t executions = 0;
};

/// What an automatic search that would not be finished in time tried beside it, in turns: never all executions.
struct tried_search {
    search_mode mode = search_mode::random;  ///< random, pct or preemptions
    std::uint64_t bound = 0;                 ///< preemptions only: so many at most
    unsigned depth = 0;                      ///< pct only
    std::uint64_t seed = 0;                  ///< random and pct only
    std::uint64_t executions = 0;
    std::uint64_t different = 0;  ///< of random and pct executions, about; the others all differ
    bool complete = false;        ///< preemptions only: every execution within the bound was explored
};

/// How much of the behaviour a search has seen, whatever it has left: a figure that stands still says that more of the same
/// would show nothing new. A reads-from pair is a site that reads and one of another thread that wrote the value.
struct seen_so_far {
    std::uint64_t graphs = 0;             ///< executions and blocked ones, no two of them the same
    std::uint64_t pairs = 0;              ///< reads-from pairs
    std::uint64_t newest_pair_after = 0;  ///< executions, when the last of the pairs came
    std::uint64_t more_pairs = 0;         ///< that only tried_search saw

    bool operator==(const seen_so_far&) const = default;
};

/// Adds what another search, or another part of it, has met.
void merge_accepted(const std::vector<accepted_violation>& more, std::vector<accepted_violation>& into);

struct search_result {
    ordeal::verdict verdict = ordeal::verdict::inconclusive;
    std::optional<violation_kind> kind;  ///< of the violation
    std::string message;                 ///< the violation in words, or why inconclusive
    std::vector<limit> limits;           ///< what the verdict rests on; of a violation, what may make it a false alarm
    std::uint64_t executions = 0;
    std::uint64_t blocked = 0;  ///< executions that could not be finished
    bool complete = false;      ///< the search as asked for was not cut short
    bool stopped = false;       ///< by a signal
    double seconds = 0;
    int threads = 0;         ///< the most that one execution had; 0: not known
    bool concurrent = true;  ///< two of them were at work at once, or one synchronised while another was there
    std::map<std::string, std::uint64_t> outcomes;
    outcome_examples examples;          ///< where wanted_results::examples asks for them
    std::uint64_t faults_injected = 0;  ///< real threads only: allocations made to fail by the scenario
    std::uint64_t faults_survived = 0;  ///< those of them after which everything went on to its end as it should
    std::vector<reached_site> sites;
    std::vector<atomic_states> atomics;  ///< the atomics, where wanted_results::atomic_states asks for them; by id
    std::vector<accepted_violation> accepted;
    std::vector<tried_search> tried;            ///< of an automatic search that was cut short
    seen_so_far seen;                           ///< engine graph only; of a search of all executions
    std::optional<models_of_violation> models;  ///< nothing: not a violation, or not looked into
    bool simpler_may_exist = false;             ///< the search for an execution that is simpler to read was cut short
    std::optional<choices> replay;              ///< of the violating execution
    ordeal::trace trace;                        ///< of the violating execution
    std::string part;                           ///< of a shard: what it counted, for search_shard::parts
    std::vector<std::string> environment;       ///< the variables that code without a policy has asked for; sorted
};

/// Shared with the process that watches the search; written by the search, read at any time.
struct search_progress {
    volatile std::uint64_t executions = 0;
    volatile std::uint64_t steps = 0;
    volatile double expected = 0;        ///< executions of the whole search, estimated; 0: not known
    volatile double expected_error = 0;  ///< standard error of that
    volatile std::uint64_t pairs = 0;    ///< seen_so_far::pairs, and with them newest_pair_after
    volatile std::uint64_t newest_pair_after = 0;
    volatile std::uint64_t tried = 0;  ///< executions of all tried_search
    /// Counts on for as long as the search takes processor time and gets somewhere; code on trial that hangs does not.
    volatile std::uint64_t heartbeats = 0;
    volatile std::uint8_t found = 0;  ///< 1 + the kind of the first violation, from when it is met; 0: none yet
};

/// Tells that a violation was met, unless one was told before.
inline void note_found(search_progress& progress, violation_kind kind) noexcept {
    if (progress.found == 0) progress.found = static_cast<std::uint8_t>(static_cast<unsigned>(kind) + 1);
}

/// What a search may be asked for, or be made on, that not every engine has.
struct engine_features {
    bool code_without_policy = false;  ///< scenarios compiled by ordeal_add_trial()
    bool spurious_failures = false;    ///< execution_bounds::spurious
    bool reuse = false;                ///< execution_bounds::reuse
    bool acceptances = false;          ///< search_options::accept
    bool pct = false;                  ///< search_mode::pct
    bool reductions = false;           ///< search_options::reductions
    bool memory_models = false;        ///< search_options::model
    bool checkpoints = false;          ///< search_options::checkpoint
    bool shards = false;               ///< search_options::shard
    bool examples = false;             ///< wanted_results::examples and ::words
    bool used_orders = false;          ///< wanted_results::used_orders
    bool memory_limit = false;         ///< search_resources::memory
};

/// An engine implements `runtime` and searches the executions of one scenario.
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
    /// Throws std::runtime_error when this search cannot go on from the checkpoint that is there; before it begins.
    virtual void require_own_checkpoint(const scenario& /*what*/, const search_options& /*how*/) const {}
    [[nodiscard]] virtual search_result search(const scenario& what, const search_options& how,
                                               search_progress& progress) = 0;
};

/// Why the engine cannot search this scenario; empty when it can.
[[nodiscard]] std::string obstacle(const engine& with, const scenario& what);

/// Asks a running search to end after the current execution and report what it has; safe in a signal handler.
void request_stop() noexcept;
[[nodiscard]] bool stop_requested() noexcept;

}  // namespace ordeal
