// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/execution/object_table.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Building blocks of the results of all engines.
namespace ordeal::detail {

/// Begins a search: the scenario gets its storage, and order overrides take effect. If the engine cannot search it,
/// returns a result with the reason.
[[nodiscard]] std::optional<search_result> begin_search(const engine& by, const scenario& what,
                                                        const search_options& how);

/// Flags of a site, by site id.
inline constexpr std::uint8_t site_was_reached = 1;
inline constexpr std::uint8_t site_was_crossed = 2;   ///< a value crossed threads there
inline constexpr std::uint8_t site_release_used = 4;  ///< reached_site::release_used
inline constexpr std::uint8_t site_acquire_used = 8;  ///< reached_site::acquire_used

/// The atomic sites that were reached. `writers`: by site id, the sites of other threads whose writes were read there.
[[nodiscard]] std::vector<reached_site> sites_of(const std::vector<std::uint8_t>& marks,
                                                 const std::vector<std::vector<site_id>>& writers = {});

/// Records an execution in which a write of `writer` was read at `reader`, unless one is known.
void note_reads_from(std::vector<reached_site>& sites, const site& writer, const site& reader, const std::string& path);

/// The number of pairs of a reading site and a site whose write it read.
[[nodiscard]] std::uint64_t pairs_of(const std::vector<reached_site>& sites) noexcept;

/// Updates the number of reads-from pairs, if it has grown.
void note_pairs(const std::vector<reached_site>& sites, search_progress& progress);

/// Merges sites that another process reached.
void merge_sites(const std::vector<reached_site>& more, std::vector<reached_site>& into);

/// What is wrong with an override: it matches no reached site, or several. Empty: nothing.
[[nodiscard]] std::string problem_of(const order_override& wanted, const std::vector<reached_site>& reached);

/// A verdict on a mutant whose site was not reached, or does not exist, is void: it becomes inconclusive, unless
/// order_mutant::all_overrides_reached is false.
void require_overrides_met(const search_options& how, search_result& result);

/// A search that completed no execution has shown nothing. A shard may have none. `false_assumption`: some execution
/// ended at an assumption that does not hold.
void require_executions(search_result& result, bool false_assumption = false);

/// For a search of several threads that never accessed a common object: it says nothing about shared data.
[[nodiscard]] std::string blind_search_message(bool instrumented);

/// What the code on trial does that was not checked; every verdict rests on this.
[[nodiscard]] std::vector<limit> unseen_limits(const scenario& what);

/// A step at a site with the data common to all engines; the caller adds thread, clock, index and values. Null
/// operation: the site's own name for it. Null object: none.
[[nodiscard]] trace_step step_at(site_id site, const char* operation, const tracked_object* of);

/// How an operation at this site accesses its object.
[[nodiscard]] step_access access_of(const site& where, std::string_view operation);

/// Makes the step that of a fence added by an override.
void describe_added_fence(trace_step& step, order with);

/// "data race: cell 1 is read ...", as in the last step of a trace.
[[nodiscard]] std::string violation_note(violation_kind kind, std::string_view message);

/// The deadline of a search that begins now; 0 seconds: none.
[[nodiscard]] std::chrono::steady_clock::time_point deadline_after(double seconds);

/// Shortens a trace that has thousands of steps: to its beginning and its end, and to those in between that are closest
/// to the end, by where values come from, who was at the same bytes before, and what a thread did before. A step that
/// is_gap() stands for those left out.
[[nodiscard]] trace shortened(const trace& whole);
[[nodiscard]] bool is_gap(const trace_step& step) noexcept;

}  // namespace ordeal::detail
