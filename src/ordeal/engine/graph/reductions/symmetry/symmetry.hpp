// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/graph/core/events/maximality.hpp"
#include "ordeal/engine/graph/core/events/thread_paths.hpp"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// Groups of threads that are interchangeable: declared so by a scenario, or found. Executions that differ by an
/// exchange of such threads are one class, and the one whose threads come in order is its representative: threads are
/// compared by what they do, one operation after the other, by the place in coherence of what is read and written.
/// Threads that compare equal so are compared by the whole execution: the representative is the least of those that an
/// exchange of these makes.
///
/// A graph may be left out when nothing that it can still become is a representative. That is so when two threads are
/// in the wrong order by operations that no revisit can delete or change any more.
class symmetry {
public:
    /// Whose an object is: of the thread that uses it, or of another of the threads, or those that they created.
    enum class belongs_to : std::uint8_t { thread, another_member, nobody };

    using groups = std::vector<std::vector<std::uint8_t>>;

    /// One group: threads of the scenario, from 0.
    explicit symmetry(const std::vector<int>& threads);
    /// Ids, ascending in each group, which has two at least.
    explicit symmetry(groups all);

    [[nodiscard]] bool any() const noexcept { return !groups_.empty(); }
    [[nodiscard]] const groups& all() const noexcept { return groups_; }

    [[nodiscard]] bool leads_to_a_representative(const execution_graph& graph);
    /// For the graph of an execution that has ended.
    [[nodiscard]] bool is_representative(const execution_graph& graph);

private:
    using path = thread_paths::path;
    using renaming = std::array<std::uint8_t, max_thread_ids>;

    /// Where two threads first differ, of what both have done; `order` is equal: nowhere.
    struct difference {
        std::strong_ordering order = std::strong_ordering::equal;
        std::size_t index = 0;
    };

    bool collect(const execution_graph& graph);
    void find_settled(const execution_graph& graph);
    void settle(event_id id, const execution_graph& graph);
    [[nodiscard]] std::uint64_t event_key_at(const execution_graph& graph, std::uint8_t member, std::size_t index);
    [[nodiscard]] belongs_to owner_at(const execution_graph& graph, event_id id) const;
    [[nodiscard]] bool undecided(const execution_graph& graph, event_id id) const;
    [[nodiscard]] difference compare(const execution_graph& graph, std::uint8_t first, std::uint8_t second, bool ended);
    [[nodiscard]] std::strong_ordering renamed_to_own(const execution_graph& graph) const;
    [[nodiscard]] bool least_of_equals(const execution_graph& graph);

    void index_members();

    groups groups_;
    std::vector<std::uint8_t> members_;  // of all groups, one after the other
    std::vector<std::size_t> group_of_;  // of each of these
    thread_paths paths_;
    std::array<std::vector<std::uint64_t>, max_thread_ids>
        event_keys_;  // of members: what each of its events did, as far as asked
    // By thread: of so many events, from its first, no revisit can delete or change any.
    std::array<event_index, max_thread_ids> settled_{};
    maximality maximality_;
    std::vector<event_id> to_settle_;
    renaming created_under_{};      // of a thread: the member that it is or that created it, directly or not; 0: none
    bool some_ids_reused_ = false;  // some thread has the id of a joined one: such executions are taken as they come
    std::vector<std::size_t> equals_;  // of each member: which come together because they compare equal
    renaming from_{};                  // in the renamed execution: whose part a thread has
    renaming to_{};
};

}  // namespace ordeal::detail::graph
