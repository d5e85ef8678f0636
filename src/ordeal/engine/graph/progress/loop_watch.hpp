// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/model/model_clock.hpp"
#include "ordeal/model/site.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace ordeal::graph {

/// Turns of a loop whose states cannot be told to be the same (it counts them, say): with a yield in each, and with a wait
/// that comes to its limit.
inline constexpr unsigned most_yields = 8;
inline constexpr unsigned most_time_outs = 8;

/// So many turns with a yield and without an effect are a loop, whatever it looks at in each.
inline constexpr unsigned yields_of_a_loop = 2;

/// Finds a loop that has come back to the state in which it was at the same place before, with no effect in between that
/// another thread could see. Another turn with the same reads would change nothing: executions that differ in the
/// number of such turns alone are one.
///
/// Where that was is no matter: at which operation, on which atomic, after how many reads. Comparing states is dear, so it
/// begins at a place where a thread has read the same write of some atomic twice in a row; the place is remembered for the
/// search.
class loop_watch {
public:
    struct visit {
        site_id where = no_site;
        bool compared = false;
        std::uint64_t state = 0;
        std::uint16_t event = 0;  ///< the number of the thread's events then
        thread_clock clock;
    };

    void clear() noexcept { visits_.clear(); }

    /// All since the thread's last effect, oldest first.
    [[nodiscard]] const std::vector<visit>& visits() const noexcept { return visits_; }
    void note(site_id where, std::uint16_t event);
    /// Notes the state; returns the visit that had the same.
    [[nodiscard]] std::optional<visit> note(site_id where, std::uint16_t event, std::uint64_t state,
                                            const thread_clock& clock);

private:
    std::vector<visit> visits_;
};

/// A weak compare-exchange is first made to fail spuriously. When the thread comes back in the same
/// state, nothing was lost, and it goes on as if that had not been.
struct speculation {
    bool active = false;
    site_id where = no_site;
    std::uintptr_t address = 0;
    std::uint64_t expected = 0;
    std::uint64_t desired = 0;
    std::uint64_t state = 0;
    std::uint64_t memory = 0;
    thread_clock clock;
    unsigned time_outs = 0;

    [[nodiscard]] bool same_state(const speculation& other) const noexcept {
        return where == other.where && address == other.address && expected == other.expected &&
               desired == other.desired && state == other.state && memory == other.memory && clock.alike(other.clock);
    }
};

}  // namespace ordeal::graph
