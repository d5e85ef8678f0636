// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/graph_memory.hpp"
#include "ordeal/engine/search_report.hpp"

// What every step does; included by the files of graph_memory alone.
namespace ordeal::graph {

inline void graph_memory::enter() {
    if (self().guess.active) [[unlikely]]
        give_up_guess();
}

inline void graph_memory::locking() {
    thread_state& me = self();
    if (me.guess.active) [[unlikely]]
        give_up_guess();
    me.loop.clear();
    ++me.done.locks;
}

// A lock may be taken for a look that comes to nothing, so it does not count as progress; what is written does.
inline void graph_memory::effect() {
    locking();
    self().yields = self().time_outs = 0;
    ++self().done.effects;
}

inline void graph_memory::mark(site_id site, std::uint8_t flag) {
    if (site >= reached_.size()) [[unlikely]]
        make_room_for(site);
    reached_[site] |= flag;
}

inline void graph_memory::step(site_id site) {
    mark(site, site_was_reached);
    ++total_steps_;
    ++step_;
    if (++operations_ > options_.step_limit) [[unlikely]]
        end_too_long(site);
    const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (detail::beyond_usable_stack(frame)) [[unlikely]]
        require_room_on_stack(frame, site);
}

// Construction and finish are no thread.
inline void graph_memory::note_meeting(const object& touched) noexcept {
    if (met_.threads_met || alone()) [[likely]]
        return;
    met_.threads_met = touched.writer != main_number && touched.writer != number_;
    for (int number = 1; number <= tree_.count(); ++number) {
        met_.threads_met |= number != number_ && touched.reads[static_cast<std::size_t>(number)] != 0;
    }
}

// An access of an earlier epoch is ordered before this point when what happened before holds an event that came after it.
inline bool graph_memory::note_read(object& target) noexcept {
    const thread_state& me = self();
    note_meeting(target);
    const bool ordered = target.writer == number_ || me.happened[target.writer] >= target.write_epoch;
    target.reads[index()] = epoch();
    return ordered;
}

inline bool graph_memory::note_write(object& target) noexcept {
    const thread_state& me = self();
    note_meeting(target);
    view known = me.happened;
    known[index()] = 0xffff;
    const bool ordered = known[target.writer] >= target.write_epoch && known.includes(target.reads);
    target.writer = static_cast<std::uint8_t>(number_);
    target.write_epoch = epoch();
    return ordered;
}

inline object& graph_memory::live(std::uintptr_t address, site_id site) {
    object* const found = objects_.find(address);
    if (found == nullptr || !found->alive) [[unlikely]]
        fail_not_alive(found, address, site);
    return *found;
}

}  // namespace ordeal::graph
