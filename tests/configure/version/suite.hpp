// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/scenario.hpp"

#include <array>

template <ordeal::atomic_policy P>
struct counts {
    static constexpr auto threads = std::array{"first", "second"};
    typename P::template atomic<int> value{0};

    void run(int /*thread*/) { value.fetch_add(1); }
};
