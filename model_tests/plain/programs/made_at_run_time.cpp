// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs made from data, in a constructor before main, and the same as classes.
#include "model_tests/plain/programs/programs.hpp"
#include "ordeal/scenario/scenario_builder.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace ordeal::model_tests {

namespace {

struct slots {
    explicit slots(std::size_t count) : values(count), filled(count) {}

    void put(int value) {
        const auto slot = static_cast<std::size_t>(taken.fetch_add(1, relaxed));
        values[slot] = std::make_unique<int>(value);
        filled[slot].store(true, release);
    }
    void take_all() {
        for (std::size_t slot = 0; slot < values.size(); ++slot) {
            if (filled[slot].load(acquire)) sum += *values[slot];
        }
    }

    std::atomic<int> taken{0};
    std::vector<std::unique_ptr<int>> values;
    std::vector<std::atomic<bool>> filled;
    int sum = 0;
};

template <int Producers>
struct typed : slots {
    static constexpr auto threads = [] {
        std::array<const char*, Producers + 1> result{};
        result.fill("producer");
        result.back() = "consumer";
        return result;
    }();

    typed() : slots(Producers) {}
    void run(int thread) {
        if (thread < Producers) {
            put(thread + 1);
        } else {
            take_all();
        }
    }
    void finish() const { require(taken.load(relaxed) == Producers); }
    [[nodiscard]] int outcome() const { return sum; }
};
ORDEAL_SCENARIO("programs/typed_slots_of_1", typed<1>);
ORDEAL_SCENARIO("programs/typed_slots_of_2", typed<2>);
ORDEAL_SCENARIO("programs/typed_slots_of_3", typed<3>);

const bool made = [] {
    for (int producers = 1; producers <= 3; ++producers) {
        auto next = scenario_of<slots>("programs/made_slots_of_" + std::to_string(producers),
                                       static_cast<std::size_t>(producers));
        for (int i = 1; i <= producers; ++i) next.thread("producer", [i](slots& state) { state.put(i); });
        next.thread("consumer", [](slots& state) { state.take_all(); });
        next.finish([producers](slots& state) { require(state.taken.load(relaxed) == producers); });
        next.outcome([](slots& state) { return state.sum; });
        next.add_to_program();
    }
    return true;
}();

}  // namespace

}  // namespace ordeal::model_tests
