// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ring for one producer and one consumer.
#include "model_tests/plain/programs/programs.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace ordeal::model_tests {

namespace {

struct ring_orders {
    std::memory_order filled = release;
    std::memory_order look = acquire;
    std::memory_order emptied = release;
    std::memory_order room = acquire;
};

template <class T, std::size_t Size, ring_orders Orders>
class ring_buffer {
public:
    [[nodiscard]] bool push(T value) {
        const std::size_t tail = tail_.load(relaxed);
        if (tail - head_.load(Orders.room) == Size) return false;
        slots_[tail % Size] = std::move(value);
        tail_.store(tail + 1, Orders.filled);
        return true;
    }
    [[nodiscard]] std::optional<T> pop() {
        const std::size_t head = head_.load(relaxed);
        if (head == tail_.load(Orders.look)) return std::nullopt;
        std::optional<T> result(std::move(slots_[head % Size]));
        head_.store(head + 1, Orders.emptied);
        return result;
    }

private:
    std::array<T, Size> slots_{};
    std::atomic<std::size_t> head_{0};
    std::atomic<std::size_t> tail_{0};
};

// The second push finds room only when the first value has been taken.
template <ring_orders Orders>
struct ring_of_one {
    static constexpr auto threads = std::array{"producer", "consumer"};
    ring_buffer<int, 1, Orders> ring;
    std::array<int, 2> seen{};

    void run(int thread) {
        if (thread == 0) {
            (void)ring.push(1);
            (void)ring.push(2);
        } else {
            for (int& each : seen) each = ring.pop().value_or(0);
        }
    }
    void finish() const {
        require(seen[0] == 0 || seen[0] == 1);
        require(seen[0] == 0 ? seen[1] < 2 : seen[1] != 1, "in order, and none twice");
    }
};

struct ring_of_strings {
    static constexpr auto threads = std::array{"producer", "consumer"};
    ring_buffer<std::string, 2, ring_orders{}> ring;

    void run(int thread) {
        if (thread == 0) {
            (void)ring.push("one");
            (void)ring.push("a string that does not fit into its object");
        } else if (const auto first = ring.pop()) {
            require(*first == "one");
        }
    }
};

template <ring_orders Orders>
using racy_ring = wrong<ring_of_one<Orders>, violation_kind::data_race>;

ORDEAL_SCENARIO("programs/ring", ring_of_one<ring_orders{}>);
ORDEAL_SCENARIO("programs/ring_of_strings", ring_of_strings);
ORDEAL_SCENARIO("programs/ring_filled_relaxed", racy_ring<ring_orders{.filled = relaxed}>);
ORDEAL_SCENARIO("programs/ring_look_relaxed", racy_ring<ring_orders{.look = relaxed}>);
ORDEAL_SCENARIO("programs/ring_emptied_relaxed", racy_ring<ring_orders{.emptied = relaxed}>);
ORDEAL_SCENARIO("programs/ring_room_relaxed", racy_ring<ring_orders{.room = relaxed}>);

}  // namespace

}  // namespace ordeal::model_tests
