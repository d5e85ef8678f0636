// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <memory>
#include <thread>

namespace {

struct thing {
    int value = 0;
    ~thing() { value = -1; }
};

}  // namespace

void trial() {
    auto mine = std::make_shared<thing>();
    const std::weak_ptr<thing> watched = mine;
    std::jthread other([theirs = mine]() mutable {
        assert(theirs->value == 0);
        theirs.reset();
    });
    mine.reset();
    if (const auto alive = watched.lock()) assert(alive->value == 0);
}
