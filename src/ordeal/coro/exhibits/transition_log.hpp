// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ordeal::exhibits {

/// What a task's state word says.
enum class phase : std::uint8_t { started, awaiting, completed, abandoned };

/// The order in which the state word took its values: each transition is noted by the one operation that made it, in a
/// place of its own, and read when all threads are done.
class transition_log {
public:
    void entered(phase to, phase from) noexcept {
        transition& entry = into_[static_cast<std::size_t>(to)];
        entry.from = from;
        entry.made = true;
    }

    /// "started awaiting completed abandoned"; empty when there was no transition.
    [[nodiscard]] std::string sequence() const {
        std::string text;
        std::array<bool, 4> told{};
        phase now = phase::started;
        for (bool more = true; more;) {
            more = false;
            for (std::size_t to = 0; to < into_.size(); ++to) {
                if (!into_[to].made || into_[to].from != now || told[to]) continue;
                told[to] = true;
                text += (text.empty() ? "started " : " ") + name(static_cast<phase>(to));
                now = static_cast<phase>(to);
                more = true;
                break;
            }
        }
        return text;
    }

private:
    struct transition {
        phase from = phase::started;
        bool made = false;
    };

    [[nodiscard]] static std::string name(phase value) {
        static constexpr std::array names{"started", "awaiting", "completed", "abandoned"};
        return names[static_cast<std::size_t>(value)];
    }

    std::array<transition, 4> into_{};
};

}  // namespace ordeal::exhibits
