// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <thread>
#include <xenium/harris_michael_list_based_set.hpp>
#include <xenium/reclamation/hazard_pointer.hpp>

void trial() {
    using reclaimer = xenium::reclamation::hazard_pointer<>;
    xenium::harris_michael_list_based_set<int, xenium::policy::reclaimer<reclaimer>> set;
    set.emplace(1);
    std::jthread other([&] { set.erase(1); });
    set.contains(1);
}
