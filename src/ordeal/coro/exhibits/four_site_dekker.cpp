// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry of Dekker's lock without its fences, as a lock that is only tried: four relaxed accesses, and both threads enter.
// No order on fewer than all four repairs it; a seq_cst fence in each thread does.
#include "ordeal/scenario/scenario.hpp"

#include <atomic>

namespace ordeal::exhibits {

namespace {

/// Entered by one of its threads at most, it is said; perhaps by none.
template <atomic_policy P>
class four_site_dekker {
public:
    [[nodiscard]] bool left_enters() {
        // order: relaxed. Too weak: the load below must not be done before it.
        left_wants_.store(true, std::memory_order_relaxed);
        // order: relaxed. Too weak: it must not be done before the store above.
        return !right_wants_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] bool right_enters() {
        // order: relaxed. Too weak: as in left_enters().
        right_wants_.store(true, std::memory_order_relaxed);
        // order: relaxed. Too weak: as in left_enters().
        return !left_wants_.load(std::memory_order_relaxed);
    }

private:
    typename P::template atomic<bool> left_wants_{false};
    typename P::template atomic<bool> right_wants_{false};
};

template <atomic_policy P>
struct four_site_dekker_excludes {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "four_site_dekker";
    static constexpr auto about =
        "Each thread announces itself and then looks at the other, without a fence: both enter.";
    static constexpr auto threads = std::array{"left", "right"};
    static constexpr auto expected = violated(violation_kind::failed_requirement);

    four_site_dekker<P> lock;
    bool left = false;
    bool right = false;

    void run(int thread) {
        if (thread == 0) {
            left = lock.left_enters();
        } else {
            right = lock.right_enters();
        }
    }
    void finish() { require(!left || !right, "one of them at most enters"); }
    [[nodiscard]] std::string outcome() const { return left ? "left enters" : right ? "right enters" : "neither"; }
};

ORDEAL_SCENARIO("exhibit/four_site_dekker/excludes", four_site_dekker_excludes);

}  // namespace

}  // namespace ordeal::exhibits
