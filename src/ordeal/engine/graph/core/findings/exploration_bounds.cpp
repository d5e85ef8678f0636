// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/findings/exploration_bounds.hpp"

#include "ordeal/engine/graph/core/state/execution_options.hpp"
#include "ordeal/engine/graph/core/state/freed_blocks.hpp"

namespace ordeal::detail::graph {

namespace {

std::string times(unsigned number) { return std::to_string(number) + (number == 1 ? " time" : " times"); }

std::string iterations_of(const char* what, unsigned most) {
    return std::string(what) + " was followed for " + std::to_string(most) + " iterations";
}

std::string for_spurious_failures(unsigned most) {
    return "a weak compare-exchange or a try_lock fails spuriously at most " + times(most) + " in each thread";
}

std::string for_wake_ups(unsigned most) {
    return "a wait on a condition variable or a futex ends without a notification at most " + times(most) +
           " in each thread";
}

std::string for_wake_up_races(unsigned /*most*/) {
    return "whether a write races with a read in a spuriously ended wait was not checked";
}

std::string for_loop_races(unsigned /*most*/) {
    return "whether an access races with one in a loop iteration that was left out was not checked";
}

std::string for_reuse(unsigned most) {
    return "memory that was freed is allocated again at most " + times(most) + " in an execution";
}

std::string for_reuse_order(unsigned /*most*/) {
    return "memory that one thread freed comes back to another only where the program orders the two";
}

std::string for_reused_blocks(unsigned most) {
    return "of the blocks of one size that were freed only the last " + std::to_string(most) + " are allocated again";
}

std::string for_thread_ids(unsigned /*most*/) {
    return "the id of a thread that has ended is given to no other thread";
}

std::string for_lock_iterations(unsigned most) {
    return iterations_of("a thread that takes locks and gives them back without any effect", most);
}

std::string for_time_outs(unsigned most) { return iterations_of("a loop with a wait that comes to its limit", most); }

std::string for_late_timeouts(unsigned /*most*/) {
    return "time passes only when no thread can go on otherwise: a time limit that comes earlier was not tried";
}

std::string for_clocks(unsigned /*most*/) {
    return "a loop that also reads a clock was not followed until the clock ends it";
}

std::string for_loop_iterations(unsigned most) {
    return "a loop changes its state in each iteration, so only " + std::to_string(most) + " iterations were explored";
}

std::string for_unchecked_order(unsigned /*most*/) {
    return "in a long execution, a seq_cst operation, or any one where there are seq_cst fences, took the newest value "
           "where an older one would have needed a check of the whole execution";
}

std::string with_commas(unsigned number) {
    std::string text = std::to_string(number);
    for (std::size_t place = text.size(); place > 3;) text.insert(place -= 3, ",");
    return text;
}

std::string for_length(unsigned most) {
    return "an execution of more than " + with_commas(most) +
           " operations, or of very many non-atomic accesses, was not followed further";
}

std::string for_memory(unsigned most) {
    return "the search was ended when it had taken the " + std::to_string(most) + " MiB of memory that it may take";
}

std::string for_assembler_fence(unsigned /*most*/) {
    return "assembler that is a fence of the processor was taken for a fence of C++";
}

std::string for_yields(unsigned most) { return iterations_of("a loop with a yield whose state changes", most); }

}  // namespace

const std::array<exploration_bound, number_of_exploration_bounds>& exploration_bounds() noexcept {
    static const std::array<exploration_bound, number_of_exploration_bounds> all{{
        {"spurious-failures", "--spurious", search_options{}.bounds.spurious, &findings::spurious_bound,
         &for_spurious_failures},
        {"wake-ups", nullptr, most_wake_ups, &findings::wake_up_bound, &for_wake_ups},
        {"wake-up-races", nullptr, 0, &findings::wake_up_races, &for_wake_up_races},
        {"loop-races", nullptr, 0, &findings::loop_races, &for_loop_races},
        {"reuse", "--reuse", search_options{}.bounds.reuse, &findings::reuse_bound, &for_reuse},
        {"reuse-order", nullptr, 0, &findings::order_assumed, &for_reuse_order, limit_effect::assumes},
        {"assembler-fence", nullptr, 0, &findings::fence_assumed, &for_assembler_fence, limit_effect::assumes},
        {"reused-blocks", nullptr, most_candidates, &findings::block_bound, &for_reused_blocks},
        {"thread-ids", nullptr, 0, &findings::id_bound, &for_thread_ids},
        {"lock-iterations", nullptr, most_lock_iterations, &findings::lock_bound, &for_lock_iterations},
        {"time-outs", nullptr, most_time_outs, &findings::time_bound, &for_time_outs},
        {"timeouts", "--timeouts", 0, &findings::late_timeouts, &for_late_timeouts},
        {"clock", nullptr, 0, &findings::clock_bound, &for_clocks},
        {"loop-iterations", nullptr, iterations_explored, &findings::iteration_bound, &for_loop_iterations},
        {"length", "--length", default_length, &findings::length_bound, &for_length},
        {"seq-cst-length", nullptr, 0, &findings::unchecked_order, &for_unchecked_order},
        {"yields", nullptr, most_yields, &findings::loop_bound, &for_yields},
        {"memory", "--memory", 0, &findings::memory_bound, &for_memory},
    }};
    return all;
}

}  // namespace ordeal::detail::graph
