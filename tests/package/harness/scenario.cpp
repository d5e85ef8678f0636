// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ordeal/cli/command_line.hpp>
#include <ordeal/scenario/scenario.hpp>

#include <array>
#include <atomic>

namespace {

template <ordeal::atomic_policy P>
struct hands_over {
    static constexpr auto subject = "flag";
    static constexpr auto threads = std::array{"sender", "receiver"};
    typename P::template atomic<bool> ready{false};
    typename P::template cell<int> content{0};

    void run(int thread) {
        if (thread == 0) {
            content.write() = 42;
            ready.store(true, std::memory_order_relaxed);  // planted: not release
        } else if (ready.load(std::memory_order_acquire)) {
            ordeal::require(content.read() == 42);
        }
    }
};
ORDEAL_SCENARIO("flag/hands_over", hands_over);

}  // namespace

int main(int argc, char** argv) { return ordeal::run_command_line(argc, argv); }
