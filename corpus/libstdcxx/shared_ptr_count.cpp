// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <memory>
#include <thread>

void trial() {
    auto mine = std::make_shared<int>(0);
    const std::weak_ptr<int> watched = mine;
    std::jthread other([theirs = mine]() mutable {
        assert(*theirs == 0);
        theirs.reset();
    });
    mine.reset();
    if (const auto alive = watched.lock()) assert(*alive == 0);
}
