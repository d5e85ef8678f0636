// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/events/event_views.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

// Lanes beyond the last that is used are 0.
void views_table::pack_chunk() {
    chunk& made = chunks_.emplace_back();
    for (std::size_t lane = 0; lane < view::lanes(); ++lane) {
        const auto uses = [&](const event_views& each) {
            return (each.hb[lane] | each.porf[lane] | each.hb_before_acquire[lane] | each.message_view[lane]) != 0;
        };
        if (std::any_of(recent_.begin(), recent_.begin() + events_of_chunk, uses)) made.lanes = lane + 1;
    }
    made.counts.reserve(4 * made.lanes * events_of_chunk);
    made.rest.reserve(events_of_chunk);
    for (std::size_t i = 0; i < events_of_chunk; ++i) {
        const event_views& each = recent_[i];
        for (const view* const one : {&each.hb, &each.porf, &each.hb_before_acquire, &each.message_view}) {
            for (std::size_t lane = 0; lane < made.lanes; ++lane) made.counts.push_back((*one)[lane]);
        }
        made.rest.push_back({each.step, each.site, each.may_be_rmw, each.done});
    }
    recent_.erase(recent_.begin(), recent_.begin() + events_of_chunk);
    packed_ += events_of_chunk;
    unpacked_.resize(unpacked_at_once);
}

event_views& views_table::unpacked(std::size_t id) const noexcept {
    const chunk& in = chunks_[id / events_of_chunk];
    const std::size_t place = id % events_of_chunk;
    event_views& result = unpacked_[next_unpacked_];
    next_unpacked_ = (next_unpacked_ + 1) % unpacked_at_once;
    result.renew();
    const event_index* counts = in.counts.data() + 4 * in.lanes * place;
    for (view* const one : {&result.hb, &result.porf, &result.hb_before_acquire, &result.message_view}) {
        for (std::size_t lane = 0; lane < in.lanes; ++lane) (*one)[lane] = *counts++;
    }
    const facts& rest = in.rest[place];
    result.step = rest.step;
    result.site = rest.site;
    result.may_be_rmw = rest.may_be_rmw;
    result.done = rest.done;
    return result;
}

}  // namespace ordeal::detail::graph
