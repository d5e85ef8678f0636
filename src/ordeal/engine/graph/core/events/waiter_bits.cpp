// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/events/waiter_bits.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <deque>
#include <functional>
#include <unordered_map>

namespace ordeal::detail::graph {

namespace {

constexpr int shift_of_number = 33;

struct hash_of_waiters {
    std::size_t operator()(const waiters& which) const noexcept {
        using hash = std::hash<std::bitset<max_thread_ids>>;
        return hash_of_number(hash{}(which.woken), hash{}(which.waiting));
    }
};

struct numbers {
    std::deque<waiters> all;
    std::unordered_map<waiters, std::uint64_t, hash_of_waiters> known;
};

// Never shrinks: values in graphs and snapshots have these numbers.
numbers& all_numbers() {
    static numbers instance;
    return instance;
}

}  // namespace

std::uint64_t number_of_waiters(const waiters& which) {
    const harness_scope harness;
    numbers& numbers = all_numbers();
    const auto [found, added] = numbers.known.emplace(which, numbers.all.size());
    if (added) numbers.all.push_back(which);
    return found->second << shift_of_number | sets_are_numbered;
}

const waiters& numbered_waiters(std::uint64_t value) noexcept {
    const harness_scope harness;
    return all_numbers().all[value >> shift_of_number];
}

}  // namespace ordeal::detail::graph
