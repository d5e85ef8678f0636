// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// More than enough: either of two pairs of orders would do, and no single order is needed. What may be weakened alone may not
// be weakened together.
#include "ordeal/scenario/scenario.hpp"

#include <atomic>

namespace ordeal::exhibits {

namespace {

template <atomic_policy P>
class two_flags {
public:
    void write(int value) {
        data_.write() = value;
        // order: release -> written: the data. The same order on ready_ would be enough, and this one relaxed.
        written_.store(true, std::memory_order_release);
        // order: release -> ready: the data. The same order on written_ would be enough, and this one relaxed.
        ready_.store(true, std::memory_order_release);
    }
    [[nodiscard]] bool both() const {
        // order: acquire <- write: the data. Enough together with the release of written_.
        const bool written = written_.load(std::memory_order_acquire);
        // order: acquire <- write: the data. Enough together with the release of ready_.
        const bool ready = ready_.load(std::memory_order_acquire);
        return written && ready;
    }
    /// When both() has returned true.
    [[nodiscard]] int data() const { return data_.read(); }

private:
    typename P::template cell<int> data_{0};
    typename P::template atomic<bool> written_{false};
    typename P::template atomic<bool> ready_{false};
};

template <atomic_policy P>
struct two_flags_both_seen {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "two_flags";
    static constexpr auto about = "A reader that has seen both flags reads the data that was written before both.";
    static constexpr auto threads = std::array{"writer", "reader"};
    static constexpr auto expected = held;

    two_flags<P> flags;
    bool seen = false;

    void run(int thread) {
        if (thread == 0) {
            flags.write(42);
        } else if (flags.both()) {
            seen = true;
            require(flags.data() == 42);
        }
    }
    [[nodiscard]] std::string outcome() const { return seen ? "both seen" : "not yet"; }
};

ORDEAL_SCENARIO("exhibit/two_flags/both_seen", two_flags_both_seen);

}  // namespace

}  // namespace ordeal::exhibits
