// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/run/graph_port.hpp"

namespace ordeal::graph {

std::uint64_t graph_port::load(const atomic_access& access) { return load_for(caller_state::here(), access); }

std::uint64_t graph_port::modify(const atomic_access& access, modification how, std::uint64_t operand) {
    return modify_for(caller_state::here(), access, how, operand);
}

bool graph_port::compare_exchange(const atomic_access& access, order failure, site_id failure_site, bool weak,
                                  std::uint64_t& expected, std::uint64_t desired) {
    return compare_exchange_for(caller_state::here(), access, failure, failure_site, weak, expected, desired);
}

std::uint64_t graph_port::load_for(const caller_state& caller, const atomic_access& access) {
    called_from(caller.frame);
    return of_.atomics.load(caller, access);
}

std::uint64_t graph_port::modify_for(const caller_state& caller, const atomic_access& access, modification how,
                                     std::uint64_t operand) {
    called_from(caller.frame);
    return of_.atomics.modify(caller, access, how, operand);
}

bool graph_port::compare_exchange_for(const caller_state& caller, const atomic_access& access, order failure,
                                      site_id failure_site, bool weak, std::uint64_t& expected, std::uint64_t desired) {
    called_from(caller.frame);
    return of_.atomics.compare_exchange(caller, access, failure, failure_site, weak, expected, desired);
}

bool graph_port::try_lock(std::uintptr_t mutex, site_id site) {
    return try_lock_not_held(caller_state::here(), mutex, site);
}

bool graph_port::try_lock_not_held(const caller_state& caller, std::uintptr_t mutex, site_id site) {
    of_.mutexes.require_not_held(mutex, site);
    return try_lock_for(caller, mutex, site);
}

bool graph_port::try_lock_for(const caller_state& caller, std::uintptr_t mutex, site_id site) {
    called_from(caller.frame);
    return of_.mutexes.try_lock(caller, mutex, site);
}

}  // namespace ordeal::graph
