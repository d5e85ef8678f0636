// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/interpreter/graph_runtime.hpp"

namespace ordeal::detail::graph {

std::uint64_t graph_runtime::load(const atomic_access& access) { return load_for(caller_state::here(), access); }

std::uint64_t graph_runtime::modify(const atomic_access& access, modification how, std::uint64_t operand) {
    return modify_for(caller_state::here(), access, how, operand);
}

bool graph_runtime::compare_exchange(const atomic_access& access, order failure, site_id failure_site, bool weak,
                                     std::uint64_t& expected, std::uint64_t desired) {
    return compare_exchange_for(caller_state::here(), access, failure, failure_site, weak, expected, desired);
}

std::uint64_t graph_runtime::load_for(const caller_state& caller, const atomic_access& access) {
    note_caller_frame(caller.frame);
    return interpreter_.atomic_operations.load(caller, access);
}

std::uint64_t graph_runtime::modify_for(const caller_state& caller, const atomic_access& access, modification how,
                                        std::uint64_t operand) {
    note_caller_frame(caller.frame);
    return interpreter_.atomic_operations.modify(caller, access, how, operand);
}

bool graph_runtime::compare_exchange_for(const caller_state& caller, const atomic_access& access, order failure,
                                         site_id failure_site, bool weak, std::uint64_t& expected,
                                         std::uint64_t desired) {
    note_caller_frame(caller.frame);
    return interpreter_.atomic_operations.compare_exchange(caller, access, failure, failure_site, weak, expected,
                                                           desired);
}

bool graph_runtime::try_lock(std::uintptr_t mutex, site_id site) {
    return try_lock_not_held(caller_state::here(), mutex, site);
}

bool graph_runtime::try_lock_not_held(const caller_state& caller, std::uintptr_t mutex, site_id site) {
    interpreter_.locks.require_not_held(mutex, site);
    return try_lock_for(caller, mutex, site);
}

bool graph_runtime::try_lock_for(const caller_state& caller, std::uintptr_t mutex, site_id site) {
    note_caller_frame(caller.frame);
    return interpreter_.locks.try_lock(caller, mutex, site);
}

}  // namespace ordeal::detail::graph
