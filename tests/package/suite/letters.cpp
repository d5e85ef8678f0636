// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scenario that is a class, and two that are made at run time: each is checked and runs on real threads.
#include "ordeal/scenario/scenario.hpp"
#include "ordeal/scenario/scenario_builder.hpp"

#include <array>
#include <atomic>
#include <string>

namespace {

struct letter {
    static constexpr auto threads = std::array{"sender", "receiver"};

    void send() {
        content = 42;
        sent.store(true, std::memory_order_release);
    }
    void receive() {
        if (sent.load(std::memory_order_acquire)) ordeal::require(content == 42);
    }
    void run(int thread) {
        if (thread == 0) {
            send();
        } else {
            receive();
        }
    }

    int content = 0;
    std::atomic<bool> sent{false};
};
ORDEAL_SCENARIO("letter/is_read", letter);

const bool made = [] {
    for (int readers = 1; readers <= 2; ++readers) {
        auto next = ordeal::scenario_of<letter>("letter/" + std::to_string(readers) + "_readers");
        next.thread("sender", [](letter& state) { state.send(); });
        for (int i = 0; i < readers; ++i) next.thread("reader", [](letter& state) { state.receive(); });
        next.add_to_program();
    }
    return true;
}();

}  // namespace
