// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/non_atomic/access_count.hpp"

#include "ordeal/engine/graph/core/state/certification.hpp"
#include "ordeal/runtime/runtime_stack.hpp"
#include "ordeal/runtime/state/caller_state.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <bit>
#include <cstddef>

namespace ordeal::detail::graph {

namespace {

// After options_.non_atomic_limit accesses in one execution endless loops are looked for, up to this number.
constexpr std::uint64_t most_accesses = 640'000'000;

}  // namespace

void access_count::begin() noexcept {
    total_ = 0;
    next_limit_ = run_.certification == nullptr ? options_.non_atomic_limit : certification::most_accesses;
    compared_ = {};
}

// Long computations may have as many accesses. A thread that returns to an earlier state is endless: it has written
// only its own stack in between, and no other thread has written what it reads. Of other threads this cannot be
// decided.
void access_count::check_limit(const code_location& at) {
    if (run_.certification != nullptr) {
        run_.certification->give_up();
        run_end_.abandon();
    }
    constexpr unsigned most_compared = 4'096;
    const caller_state here = caller_state::here();
    // This runs on the runtime's stack, where registers of the code on trial may be saved.
    const memory_range of_runtime = runtime_stack_from(here.frame);
    caller_state caller = here;
    if (of_runtime.size != 0) caller.frame = stack_of_runtime_caller();
    const std::uint64_t bytes = hash_of_bytes(of_runtime.address, of_runtime.size, at.address);
    const std::uint64_t state = hash_of_number(bytes, caller.hash(fibers_.top(run_.thread_id)));
    if (has_come_back(state)) return set_aside_endless(at);
    if (compared_.count < most_compared) return;
    compared_ = {};
    next_limit_ *= 2;
    if (next_limit_ > most_accesses) leave_off(at);
}

// Brent's algorithm: compares with an earlier state, which is replaced at each power of two.
bool access_count::has_come_back(std::uint64_t state) noexcept {
    const std::uint64_t writes = run_.self().done.writes;
    if (compared_.count != 0 && compared_.state == state && compared_.writes == writes) return true;
    if (compared_.writes != writes || std::has_single_bit(compared_.count + 1)) {
        compared_.state = state;
        compared_.writes = writes;
    }
    ++compared_.count;
    return false;
}

// The other threads continue: one of them may write what the loop reads, which is then a race.
void access_count::set_aside_endless(const code_location& at) {
    const site_id site = site_of(at);
    if (run_.on_main_thread()) run_end_.fail_too_long(options_.non_atomic_limit, "non-atomic accesses", site);
    operation_accounting_.enter();
    compared_ = {};
    next_limit_ += options_.non_atomic_limit;
    ++run_.step;
    recorder_.record("goes on for ever", site, nullptr);
    while (true) scheduling_points_.block(blocked::by_endless_loop{});
}

void access_count::leave_off(const code_location& at) {
    search_facts_.length_bound = true;
    if (run_.on_main_thread()) run_end_.abandon();
    operation_accounting_.enter();
    ++run_.step;
    recorder_.record("goes on and on", site_of(at), nullptr);
    while (true) scheduling_points_.block(blocked::by_pruning{});
}

}  // namespace ordeal::detail::graph
