// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scenarios that are made in main, from a table: producers that each take a slot of an array, and a consumer.
#include "ordeal/cli/command_line.hpp"
#include "ordeal/scenario/scenario_builder.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

template <ordeal::atomic_policy P>
struct slots {
    explicit slots(std::memory_order order) : publish(order) {}

    void put(int value) {
        const int slot = taken.fetch_add(1, std::memory_order_relaxed);
        values[static_cast<std::size_t>(slot)].write() = value;
        filled[static_cast<std::size_t>(slot)].store(true, publish);
    }
    void take_all() {
        for (std::size_t slot = 0; slot < values.size(); ++slot) {
            if (filled[slot].load(std::memory_order_acquire)) sum += values[slot].read();
        }
    }

    std::memory_order publish;
    typename P::template atomic<int> taken{0};
    std::array<typename P::template cell<int>, 3> values;
    std::array<typename P::template atomic<bool>, 3> filled{};
    int sum = 0;
};

struct row {
    int producers;
    std::memory_order publish;
    ordeal::expectation expected;
    std::string_view suffix;
};
constexpr std::array table{
    row{1, std::memory_order_release, ordeal::held, ""},
    row{2, std::memory_order_release, ordeal::held, ""},
    row{3, std::memory_order_release, ordeal::held, ""},
    row{3, std::memory_order_relaxed, ordeal::violated(ordeal::violation_kind::data_race), "_relaxed"},
};

void add(const row& from) {
    const std::string name = "slots/" + std::to_string(from.producers) + "_producers" + std::string(from.suffix);
    auto made = ordeal::scenario_of<slots>(name, from.publish);
    for (int i = 1; i <= from.producers; ++i) {
        made.thread("producer " + std::to_string(i), [i](auto& state) { state.put(i); });
    }
    made.thread("consumer", [](auto& state) { state.take_all(); });
    made.finish([from](auto& state) {
        ordeal::require(state.taken.load(std::memory_order_relaxed) == from.producers, "every producer has a slot");
    });
    made.outcome([](auto& state) { return state.sum; });
    made.about("Does the consumer see what the producers wrote?").expected(from.expected).add_to_program();
}

}  // namespace

int main(int argc, char** argv) {
    for (const row& each : table) add(each);

    // For the tests: what is refused.
    const char* const more = std::getenv("SLOTS_ADD");
    if (more != nullptr && std::string_view(more) == "twice") add(table.front());
    if (more != nullptr && std::string_view(more) == "idle") {
        ordeal::scenario_of<slots>("slots/idle", std::memory_order_release).add_to_program();
    }
    return ordeal::run_command_line(argc, argv);
}
