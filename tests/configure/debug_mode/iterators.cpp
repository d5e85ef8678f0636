// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <vector>

template <bool Erased>
struct iterators {
    static constexpr auto threads = std::array{"first", "second"};
    static constexpr auto expected = Erased ? ordeal::violated(ordeal::violation_kind::crash) : ordeal::held;

    std::mutex mutex;
    std::vector<int> values{1, 2, 3};
    std::map<std::string, std::list<int>> lists;

    void run(int thread) {
        const std::lock_guard lock(mutex);
        const auto first = values.begin();
        values.push_back(thread);
        lists["of both"].push_back(Erased ? *first : values.front());
        for (auto& [name, list] : lists) list.remove(thread + 1);
    }
    void finish() const { ordeal::require(values.size() == 5); }
};

ORDEAL_SCENARIO("iterators/kept", iterators<false>);
ORDEAL_SCENARIO("iterators/used_after", iterators<true>);
