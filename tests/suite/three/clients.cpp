// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All clients of a class that is right, and of one that publishes without an order.
#include "ordeal/scenario/clients.hpp"

#include <atomic>
#include <optional>

namespace {

template <std::memory_order Set>
struct box {
    void put(int v) { value.store(v, Set); }
    std::optional<int> get() {
        const int seen = value.load(std::memory_order_acquire);
        return seen == 0 ? std::nullopt : std::optional<int>(seen);
    }
    std::atomic<int> value{0};
};

void declare_box(auto& clients) {
    clients.operation("put", [](auto& box, ordeal::fresh<int> v) { box.put(v); }).by_one_thread().publishes();
    clients.operation("get", [](auto& box) { return box.get(); }).observes();
    clients.sizes({{2, 1}});
    clients.specification(std::optional<int>())
        .operation("put", [](std::optional<int>& box, int v) { box = v; })
        .operation("get", [](std::optional<int>& box) { return box; });
}

using right_box = box<std::memory_order_release>;
ORDEAL_CLIENTS(right, "right_box", right_box) { declare_box(right); }

using wrong_box = box<std::memory_order_relaxed>;
ORDEAL_CLIENTS(wrong, "wrong_box", wrong_box) { declare_box(wrong); }

}  // namespace
