// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <thread>
#include <xenium/michael_scott_queue.hpp>
#include <xenium/reclamation/hazard_pointer.hpp>

void trial() {
    using reclaimer = xenium::reclamation::hazard_pointer<>;
    xenium::michael_scott_queue<int, xenium::policy::reclaimer<reclaimer>> queue;
    std::jthread producer([&] { queue.push(1); });
    int value = 1;
    queue.try_pop(value);
    assert(value == 1);
}
