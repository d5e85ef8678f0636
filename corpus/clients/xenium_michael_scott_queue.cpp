// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specified.hpp"

#include <xenium/michael_scott_queue.hpp>
#include <xenium/reclamation/hazard_pointer.hpp>

struct queue {
    xenium::michael_scott_queue<int, xenium::policy::reclaimer<xenium::reclamation::hazard_pointer<>>> values;
    void push(int value) { values.push(value); }
    std::optional<int> pop() {
        int value = 0;
        if (values.try_pop(value)) return value;
        return std::nullopt;
    }
};
ORDEAL_CLIENTS(clients, "xenium_michael_scott_queue", queue) { declare_container(clients); }
