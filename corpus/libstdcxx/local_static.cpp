// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <memory>
#include <thread>

namespace {

const int& answer() {
    static const auto made = std::make_unique<int>(42);
    return *made;
}

}  // namespace

void trial() {
    std::jthread other([] { assert(answer() == 42); });
    assert(answer() == 42);
}
