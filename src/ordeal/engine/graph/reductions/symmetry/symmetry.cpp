// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/symmetry/symmetry.hpp"

#include "ordeal/engine/graph/core/run/locations.hpp"
#include "ordeal/engine/graph/core/state/freed_blocks.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ordeal::detail::graph {

namespace {

using belongs_to = symmetry::belongs_to;

// What a read reads, as far as no later event changes it.
enum class comes_from : std::uint8_t { initial_or_other, own };

/// What an event did, in terms that an exchange of threads does not change, as a number by which it is ordered: of the
/// kind, whose object it is, whether it takes a block that was freed, what a read reads from, the place in coherence,
/// whether it fails spuriously, and the variant. The names of objects are not among them, for they may be by thread: an
/// element of an array for each. What a thread reads from itself counts by its own point in time, and so does what
/// happens to its own objects, as far as others have no part in it.
class event_key {
public:
    event_key(const event& each, belongs_to object, comes_from source, coherence_position place,
              std::uint8_t variant) noexcept
        : all_(byte(each.kind()) << 56 | byte(object) << 48 | byte(each.takes_freed_block()) << 40 |
               byte(source) << 32 | std::uint64_t{place} << 16 | byte(each.is_spurious()) << 8 | byte(variant)) {}
    explicit event_key(std::uint64_t all) noexcept : all_(all) {}
    [[nodiscard]] std::uint64_t all() const noexcept { return all_; }

    /// Without what may yet change, or cannot be compared before the end.
    [[nodiscard]] std::uint64_t without_choice() const noexcept { return all_ >> 16; }
    [[nodiscard]] std::uint64_t without_place() const noexcept { return all_ >> 32; }
    /// Its place stays, whatever comes between others.
    [[nodiscard]] bool keeps_place() const noexcept {
        return object() == belongs_to::thread || static_cast<comes_from>(all_ >> 32 & 0xff) == comes_from::own;
    }

private:
    template <class Value>
    [[nodiscard]] static constexpr std::uint64_t byte(Value value) noexcept {
        return static_cast<std::uint8_t>(value);
    }
    [[nodiscard]] belongs_to object() const noexcept { return static_cast<belongs_to>(all_ >> 48 & 0xff); }

    std::uint64_t all_;
};

// Whether a wait was at its limit. For whom a notification is, which is a variant too, depends on the numbers of
// threads.
std::uint8_t own_variant(const event& each) noexcept {
    return each.is_read() && each.read().wakes ? each.variant() : std::uint8_t{0};
}

event_key event_key_of(const execution_graph& graph, const event& each, belongs_to object) {
    const std::uint8_t variant = own_variant(each);
    coherence_position place = each.is_write() ? each.write().co : 0;
    if (each.is_read()) {
        if (each.read().rf != initial_write && graph[each.read().rf].thread_id == each.thread_id) {
            return {each, object, comes_from::own, graph[each.read().rf].index, variant};
        }
        place = graph.co_of(each.read().rf);
    }
    // Others may yet come before it in coherence.
    if (object == belongs_to::thread) place = each.reads_event() ? 1 : 0;
    return {each, object, comes_from::initial_or_other, place, variant};
}

// So many renamings are tried; where there are more, several executions of a class may be run.
constexpr std::size_t most_renamings = 5'040;

}  // namespace

symmetry::symmetry(const std::vector<int>& threads) {
    std::vector<std::uint8_t> members;
    for (const int thread : threads) {
        if (thread >= 0 && static_cast<std::size_t>(thread) + 1 < max_thread_ids) {
            members.push_back(static_cast<std::uint8_t>(thread + 1));
        }
    }
    std::ranges::sort(members);
    const auto twice = std::ranges::unique(members);
    members.erase(twice.begin(), twice.end());
    if (members.size() > 1) groups_.push_back(std::move(members));
    index_members();
}

symmetry::symmetry(groups all) : groups_(std::move(all)) { index_members(); }

void symmetry::index_members() {
    for (std::size_t group = 0; group < groups_.size(); ++group) {
        members_.insert(members_.end(), groups_[group].begin(), groups_[group].end());
        group_of_.resize(members_.size(), group);
    }
}

// Returns whether the graph says all that is compared: one that came as text has no locations before it has been run.
bool symmetry::collect(const execution_graph& graph) {
    paths_.clear();
    created_under_.fill(0);
    some_ids_reused_ = false;
    for (const std::uint8_t member : members_) {
        created_under_[member] = member;
        event_keys_[member].clear();
    }
    bool known = true;
    for (std::size_t id = 0; id < graph.size(); ++id) {
        const event& each = graph[static_cast<event_id>(id)];
        paths_.add(each.thread_id, static_cast<event_id>(id));
        known &= !each.accesses_memory() || each.where != no_location;
        some_ids_reused_ |= each.kind() == event_kind::beginning;
        // A thread is created by an event that was added before all of its own.
        if (each.kind() == event_kind::creation && each.creation().created < max_thread_ids &&
            created_under_[each.creation().created] == 0) {
            created_under_[each.creation().created] = created_under_[each.thread_id];
        }
    }
    return known;
}

// With an event, all that it depends on is settled.
void symmetry::settle(event_id id, const execution_graph& graph) {
    to_settle_.assign(1, id);
    while (!to_settle_.empty()) {
        const event& last = graph[to_settle_.back()];
        to_settle_.pop_back();
        const path& thread = paths_[last.thread_id];
        for (event_index& count = settled_[last.thread_id]; count <= last.index; ++count) {
            const event& mine = graph[thread[count]];
            if (mine.reads_event()) to_settle_.push_back(mine.read().rf);
        }
    }
}

// An event that no later write can revisit or delete is settled.
void symmetry::find_settled(const execution_graph& graph) {
    settled_.fill(0);
    maximality_.begin_for_any_write(graph);
    for (std::size_t id = 0; id < graph.size(); ++id) {
        const auto each = static_cast<event_id>(id);
        if (!maximality_.is_maximally_added(graph, each)) settle(each, graph);
    }
}

symmetry::belongs_to symmetry::owner_at(const execution_graph& graph, event_id id) const {
    const auto owner = owner_of(graph[id].where);
    if (!owner) return belongs_to::nobody;
    if (owner->thread_id == graph[id].thread_id) return belongs_to::thread;
    const bool by_member = created_under_[static_cast<std::size_t>(owner->thread_id)] != 0;
    return by_member ? belongs_to::another_member : belongs_to::nobody;
}

// Whether the event may yet be one that failed spuriously, or has another variant: a read that a revisit let succeed
// has these choices when its thread goes on.
bool symmetry::undecided(const execution_graph& graph, event_id id) const {
    const event& mine = graph[id];
    return mine.is_read() && mine.read().revisited && paths_[mine.thread_id].back() == id;
}

// Most threads differ early, and each is compared with two others.
std::uint64_t symmetry::event_key_at(const execution_graph& graph, std::uint8_t member, std::size_t index) {
    std::vector<std::uint64_t>& known = event_keys_[member];
    while (known.size() <= index) {
        const event_id id = paths_[member][known.size()];
        known.push_back(event_key_of(graph, graph[id], owner_at(graph, id)).all());
    }
    return known[index];
}

// Before the end only what stays as it is counts: two places in coherence keep their order where they are of one
// object.
symmetry::difference symmetry::compare(const execution_graph& graph, std::uint8_t first, std::uint8_t second,
                                       bool ended) {
    const path& left = paths_[first];
    const path& right = paths_[second];
    std::size_t index = 0;
    for (; index < left.size() && index < right.size(); ++index) {
        const event_key mine(event_key_at(graph, first, index));
        const event_key others(event_key_at(graph, second, index));
        if (const auto order = mine.without_place() <=> others.without_place(); order != 0) return {order, index};
        if (!ended && !mine.keeps_place() && graph[left[index]].where != graph[right[index]].where) return {};
        if (const auto order = mine.without_choice() <=> others.without_choice(); order != 0) return {order, index};
        if (!ended && (undecided(graph, left[index]) || undecided(graph, right[index]))) return {};
        if (const auto order = mine.all() <=> others.all(); order != 0) return {order, index};
    }
    if (!ended) return {};
    return {left.size() <=> right.size(), index};
}

// The execution in which threads have the parts of others, compared with the one that it was made from.
std::strong_ordering symmetry::renamed_to_own(const execution_graph& graph) const {
    struct place {
        event_kind kind;
        std::uint8_t thread_id;
        std::uint32_t index;
        bool spurious;
        std::uint8_t variant;
        auto operator<=>(const place&) const = default;
    };
    const auto place_of = [&](const event& each, const renaming& names) {
        place result{each.kind(), 0, each.is_write() ? each.write().co : 0, each.is_spurious(), own_variant(each)};
        if (each.takes_freed_block()) {
            const free_name taken = free_name::of(each.allocation().block);
            result.thread_id = names[taken.thread_id];
            result.index = taken.ordinal;
        }
        if (each.is_read()) {
            result.index = 0;
            if (each.read().rf == initial_write) return result;
            result.thread_id = names[graph[each.read().rf].thread_id];
            result.index = graph[each.read().rf].index;
        }
        return result;
    };
    renaming same{};
    std::iota(same.begin(), same.end(), std::uint8_t{0});
    for (std::size_t thread_id = 0; thread_id < max_thread_ids; ++thread_id) {
        const path& renamed = paths_[from_[thread_id]];
        const path& own = paths_[thread_id];
        for (std::size_t index = 0; index < renamed.size() && index < own.size(); ++index) {
            const auto order = place_of(graph[renamed[index]], to_) <=> place_of(graph[own[index]], same);
            if (order != 0) return order;
        }
        if (renamed.size() != own.size()) return renamed.size() <=> own.size();
    }
    return std::strong_ordering::equal;
}

// Of executions whose threads come in order, those that are one class differ by an exchange of threads that compare
// equal.
bool symmetry::least_of_equals(const execution_graph& graph) {
    const auto has_other_names = [&](const event& each) {
        return each.kind() == event_kind::creation && created_under_[each.thread_id] != 0;
    };
    if (std::ranges::adjacent_find(equals_) == equals_.end()) return true;
    if (std::ranges::any_of(graph.events(), has_other_names)) return true;
    // Each arrangement of the members that keeps those of one group together is tried.
    std::vector<std::pair<std::size_t, std::uint8_t>> arrangement;
    for (std::size_t i = 0; i < members_.size(); ++i) arrangement.emplace_back(equals_[i], members_[i]);
    const auto next = [&] {
        for (auto end = arrangement.end(); end != arrangement.begin();) {
            const auto begin = std::find_if(arrangement.begin(), end,
                                            [&](const auto& each) { return each.first == std::prev(end)->first; });
            if (std::ranges::next_permutation(begin, end).found) return true;
            end = begin;
        }
        return false;
    };
    for (std::size_t tried = 0; tried < most_renamings && next(); ++tried) {
        std::iota(from_.begin(), from_.end(), std::uint8_t{0});
        to_ = from_;
        for (std::size_t i = 0; i < members_.size(); ++i) {
            from_[members_[i]] = arrangement[i].second;
            to_[arrangement[i].second] = members_[i];
        }
        if (renamed_to_own(graph) < 0) return false;
    }
    return true;
}

// Of a representative each two are in order, also where those between them have not done anything yet.
bool symmetry::leads_to_a_representative(const execution_graph& graph) {
    if (!collect(graph) || some_ids_reused_) return true;
    bool found = false;
    for (std::size_t i = 1; i < members_.size(); ++i) {
        const std::uint8_t right = members_[i];
        if (paths_[right].empty()) continue;
        for (std::size_t k = 0; k < i; ++k) {
            if (group_of_[k] != group_of_[i]) continue;
            const std::uint8_t left = members_[k];
            const difference first = compare(graph, left, right, false);
            if (first.order <= 0) continue;
            if (!std::exchange(found, true)) find_settled(graph);
            if (settled_[left] > first.index && settled_[right] > first.index) return false;
        }
    }
    return true;
}

bool symmetry::is_representative(const execution_graph& graph) {
    (void)collect(graph);
    if (some_ids_reused_) return true;
    equals_.assign(members_.size(), 0);
    for (std::size_t i = 1; i < members_.size(); ++i) {
        if (group_of_[i] != group_of_[i - 1]) {
            equals_[i] = equals_[i - 1] + 1;
            continue;
        }
        const auto order = compare(graph, members_[i - 1], members_[i], true).order;
        if (order > 0) return false;
        equals_[i] = equals_[i - 1] + (order < 0 ? 1 : 0);
    }
    return least_of_equals(graph);
}

}  // namespace ordeal::detail::graph
