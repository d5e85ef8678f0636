// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positive control: a bug that the model, ThreadSanitizer and an outcome that nobody expects each show.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <string>

namespace {

struct counts {
    static constexpr auto threads = std::array{"first", "second"};
    static constexpr auto outcomes =
        std::array{ordeal::outcome_grade{"2000", ordeal::grade::acceptable, "none is lost"}};

    // So often that one is lost on every machine with two processors. The model finds the race at the first.
    void run(int) {
        for (int i = 0; i < 1000; ++i) increment(total);
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(total); }

    static void increment(volatile int& value) { value = value + 1; }

    int total = 0;
};

ORDEAL_SCENARIO("counts", counts);

}  // namespace
