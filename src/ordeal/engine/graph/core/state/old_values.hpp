// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/word.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ordeal::detail::graph {

/// What memory held before a thread's non-atomic writes to it, since some point. A count of waiting threads that goes
/// up before a wait and down after it is then as if nobody had written to it.
class old_values {
public:
    old_values() = default;
    /// Of a thread that has written so often.
    explicit old_values(std::uint64_t writes) noexcept : begun_with_(writes), noted_(writes) {}

    /// Before the write. The memory must stay readable.
    void note(memory_range where) noexcept {
        if (where.size > sizeof(std::uint64_t)) return;
        const auto end = before_.begin() + count_;
        const auto known = std::find_if(before_.begin(), end, [&](const old_value& each) {
            return each.where.address == where.address && each.where.size == where.size;
        });
        if (known == end && count_ == before_.size()) return;
        if (known == end) before_[count_++] = {where, value_of(where)};
        ++noted_;
    }
    /// Whether all that the thread has written since is noted, and memory holds what it held before.
    [[nodiscard]] bool are_restored(std::uint64_t writes) const noexcept {
        return noted_ == writes && std::all_of(before_.begin(), before_.begin() + count_, [](const old_value& each) {
                   return value_of(each.where) == each.value;
               });
    }
    [[nodiscard]] std::uint64_t begun_with() const noexcept { return begun_with_; }

private:
    struct old_value {
        memory_range where;
        std::uint64_t value = 0;
    };

    static std::uint64_t value_of(memory_range where) noexcept {
        return word_in(reinterpret_cast<const void*>(where.address), where.size);
    }

    std::array<old_value, 8> before_{};
    std::size_t count_ = 0;
    std::uint64_t begun_with_ = 0;
    std::uint64_t noted_ = 0;  ///< the thread's writes up to the last one that is noted, if none before is missing
};

}  // namespace ordeal::detail::graph
