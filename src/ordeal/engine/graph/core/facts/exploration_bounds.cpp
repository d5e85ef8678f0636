// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/facts/exploration_bounds.hpp"

#include "ordeal/engine/graph/core/state/execution_options.hpp"
#include "ordeal/engine/graph/core/state/freed_blocks.hpp"

#include <fmt/format.h>

#include <array>

namespace ordeal::detail::graph {

std::string exploration_bound::words(unsigned number) const {
    return fmt::format(fmt::runtime(text), with_commas(number), number == 1 ? "time" : "times");
}

std::span<const exploration_bound> exploration_bounds() noexcept {
    using enum limit_effect;
    static const auto all = std::to_array<exploration_bound>({
        {"spurious-failures", "--spurious", search_options{}.bounds.spurious, &search_facts::spurious_bound,
         "a weak compare-exchange or a try_lock fails spuriously at most {} {} in each thread"},
        {"wake-ups", nullptr, most_wake_ups, &search_facts::wake_up_bound,
         "a wait on a condition variable or a futex ends without a notification at most {} {} in each thread"},
        {"loop-races", nullptr, 0, &search_facts::loop_races,
         "whether an access races with one in an iteration that was left out was not checked"},
        {"reuse", "--reuse", search_options{}.bounds.reuse, &search_facts::reuse_bound,
         "memory that was freed is allocated again at most {} {} in an execution"},
        {"reuse-order", nullptr, 0, &search_facts::order_assumed,
         "memory that one thread freed comes back to another only where the program orders the two", assumes},
        {"assembler-fence", nullptr, 0, &search_facts::fence_assumed,
         "assembler that is a fence of the processor was taken for a fence of C++", assumes},
        {"reused-blocks", nullptr, most_candidates, &search_facts::block_bound,
         "of the blocks of one size that were freed only the last {} are allocated again"},
        {"thread-ids", nullptr, 0, &search_facts::id_bound,
         "the id of a thread that has ended is given to no other thread"},
        {"lock-iterations", nullptr, most_lock_iterations, &search_facts::lock_bound,
         "a thread that takes locks and gives them back without any effect was followed for {} iterations"},
        {"time-outs", nullptr, most_time_outs, &search_facts::time_bound,
         "a loop with a wait that comes to its limit was followed for {} iterations"},
        {"timeouts", "--timeouts", 0, &search_facts::late_timeouts,
         "time passes only when no thread can go on otherwise: a time limit that comes earlier was not tried"},
        {"clock", nullptr, 0, &search_facts::clock_bound,
         "a loop that also reads a clock was not followed until the clock ends it"},
        {"loop-iterations", nullptr, iterations_explored, &search_facts::iteration_bound,
         "a loop changes its state in each iteration, so only {} iterations were explored"},
        {"length", "--length", default_length, &search_facts::length_bound,
         "an execution of more than {} operations, or of very many non-atomic accesses, was not followed further"},
        {"seq-cst-length", nullptr, 0, &search_facts::unchecked_order,
         "in a long execution, a seq_cst operation, or any one where there are seq_cst fences, took the newest value "
         "where an older one would have needed a check of the whole execution"},
        {"yields", nullptr, most_yields, &search_facts::loop_bound,
         "a loop with a yield whose state changes was followed for {} iterations"},
        {"memory", "--memory", 0, &search_facts::memory_bound,
         "the search was ended when it had taken the {} MiB of memory that it may take"},
    });
    return all;
}

}  // namespace ordeal::detail::graph
