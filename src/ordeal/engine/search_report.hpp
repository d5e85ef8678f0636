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

// What every engine's result is made with.
namespace ordeal {

/// Begins a search in the model: the scenario gets its room, and the orders that replace others are in force. Where the engine
/// cannot search it, a result that says why.
[[nodiscard]] std::optional<search_result> begin_search(const engine& by, const scenario& what,
                                                        const search_options& how);

/// What is known of a site, by site id.
inline constexpr std::uint8_t site_was_reached = 1;
inline constexpr std::uint8_t site_was_crossed = 2;   ///< a value crossed threads there
inline constexpr std::uint8_t site_release_used = 4;  ///< reached_site::release_used
inline constexpr std::uint8_t site_acquire_used = 8;  ///< reached_site::acquire_used

/// The atomic sites that were reached. `writers`: by site id, whose writes by other threads were read there.
[[nodiscard]] std::vector<reached_site> sites_of(const std::vector<std::uint8_t>& marks,
                                                 const std::vector<std::vector<site_id>>& writers = {});

/// Notes an execution in which what `writer` wrote was read at `reader`, unless one is known.
void note_reads_from(std::vector<reached_site>& sites, const site& writer, const site& reader, const std::string& path);

/// How many pairs of a site that reads and one that wrote what was read there.
[[nodiscard]] std::uint64_t pairs_of(const std::vector<reached_site>& sites) noexcept;

/// Tells how many reads-from pairs there are, when there are more than were told before.
void note_pairs(const std::vector<reached_site>& sites, search_progress& progress);

/// Adds sites that another process reached.
void merge_sites(const std::vector<reached_site>& more, std::vector<reached_site>& into);

/// What is wrong with an override: no site that was reached is the one it means, or several are. Empty: nothing.
[[nodiscard]] std::string problem_of(const order_override& wanted, const std::vector<reached_site>& reached);

/// A verdict on a mutant whose site was not reached, or is not one, is none: it becomes inconclusive, unless
/// order_mutant::all_overrides_reached is false.
void require_overrides_met(const search_options& how, search_result& result);

/// A search that followed no execution to its end has shown nothing. A shard may have none to follow.
void require_executions(search_result& result);

/// Of a search of several threads of which no two ever touched one object: it says nothing of what they share.
[[nodiscard]] std::string blind_search_message(bool instrumented);

/// What the code on trial does that was not seen. Whatever its verdict is, it rests on this.
[[nodiscard]] std::vector<limit> unseen_limits(const scenario& what);

/// A step at a site, with what every engine tells of one; the caller adds thread, clock, index and values. Null operation:
/// the site's own name for it. Null object: none.
[[nodiscard]] trace_step step_at(site_id site, const char* operation, const tracked_object* of);

/// What an operation at this place does to the object that it is about.
[[nodiscard]] step_access access_of(const site& where, std::string_view operation);

/// Makes the step that of a fence which an override has added at its site.
void describe_added_fence(trace_step& step, order with);

/// "data race: cell 1 is read ...", as the last step of a trace has it.
[[nodiscard]] std::string violation_note(violation_kind kind, std::string_view message);

/// When a search that begins now has used up its time; 0 seconds: never.
[[nodiscard]] std::chrono::steady_clock::time_point deadline_after(double seconds);

/// A livelock has thousands of steps; its beginning and its end are what one reads.
[[nodiscard]] trace shortened(const trace& whole);

}  // namespace ordeal
