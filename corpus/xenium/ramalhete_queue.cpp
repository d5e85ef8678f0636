// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <cassert>
#include <thread>
#include <xenium/ramalhete_queue.hpp>
#include <xenium/reclamation/generic_epoch_based.hpp>

void trial() {
    using reclaimer = xenium::reclamation::epoch_based<>;
    int item = 1;
    xenium::ramalhete_queue<int*, xenium::policy::reclaimer<reclaimer>, xenium::policy::entries_per_node<2>> queue;
    std::jthread producer([&] { queue.push(&item); });
    int* found = nullptr;
    if (queue.try_pop(found)) assert(*found == 1);
}
