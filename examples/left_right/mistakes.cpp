// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mistake that is made with this design, with the violation that it must get.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <thread>

namespace examples {
namespace {

// The new copy is published by a release store, as data mostly is. That does not keep the store before the loads of the
// readers' count: the writer may find no reader while a reader still finds the old copy. One reader, one version.
class publishes_with_release {
public:
    int read() {
        readers_.fetch_add(1, std::memory_order_seq_cst);
        const int result = copies_[copy_.load(std::memory_order_seq_cst)];
        readers_.fetch_sub(1, std::memory_order_release);
        return result;
    }
    void write(int value) {
        const std::size_t old = copy_.load(std::memory_order_relaxed);
        copies_[1 - old] = value;
        copy_.store(1 - old, std::memory_order_release);
        while (readers_.load(std::memory_order_seq_cst) != 0) std::this_thread::yield();
        copies_[old] = value;
    }

private:
    std::atomic<std::size_t> copy_{0};
    std::atomic<int> readers_{0};
    std::array<int, 2> copies_{};
};

struct release_store {
    static constexpr auto about = "The copy is changed over by a release store: a reader is overlooked.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::data_race);
    static constexpr auto threads = std::array{"writer", "reader"};
    publishes_with_release shared;
    int seen = 0;  // a read that nobody uses, g++ takes away

    void run(int thread) {
        if (thread == 0) {
            shared.write(1);
        } else {
            seen = shared.read();
        }
    }
};
ORDEAL_SCENARIO("left_right_mistakes/release_store", release_store);

}  // namespace
}  // namespace examples
