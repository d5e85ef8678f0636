// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/events/read_request.hpp"

#include "ordeal/runtime/word.hpp"

namespace ordeal::detail::graph {

std::uint64_t read_request::written_on(std::uint64_t value, unsigned variant) const {
    switch (what) {
        case form::lock_shared:
        case form::try_lock_shared: return value + one_reader;
        case form::acquire:
        case form::try_acquire: return value - 1;
        case form::leave_queue:
        case form::wake_up: return after_wake_up(value, thread_id);
        case form::enter_queue: return value | queue_is_locked;
        case form::wake: return after_wake(value, static_cast<unsigned>(operand), variant, *threads);
        case form::notify_all: return after_notify_all(value);
        case form::notify_one: return after_notify_one(value, variant, *threads);
        default: break;
    }
    const std::uint64_t changed = bytes.put(value, changed_word(change, bytes.of(value), operand, size));
    return begins_wait ? with_waiting(changed, thread_id) : changed;
}

}  // namespace ordeal::detail::graph
