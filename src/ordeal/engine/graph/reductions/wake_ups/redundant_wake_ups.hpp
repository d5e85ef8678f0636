// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wake-ups after which the thread waits again, and waits that might as well not have been.
//
// What is left out:
//
// 1. A wait on a condition variable or a futex that ends without a notification, after which the thread begins the same
//    wait in the same state. The thread is blocked in that wait.
// 2. A wait in a loop whose header the thread has come to directly after it took the mutex, and comes back to in the
//    same state. The wait has ended spuriously, or by a notification that nobody else would have noticed differently:
//    a notify_all(), or a notify_one() while no other thread waited. A wait that ends by its time limit is kept: if
//    every wait may end so, the loop may never end.
// 3. A wait in a loop that has ended spuriously, where a notification from before its thread took the mutex would have
//    ended it: a notify_all(), or a notify_one() that found nobody. And a wait that was notified, where other threads
//    have begun a wait, left one spuriously or notified between the notification and its end.
//
// Why nothing is lost:
//
// 1. The wait may as well not have ended. What other threads do meanwhile, they also do in the executions in which it
//    did not; those in which the thread finds something else are those in which one of its reads has another rf. What
//    it wrote since the wake-up is undone, in memory (old_values) and in atomics and locks (zero_net_effect); if others
//    have seen one of those halfway, the thread goes on. No notification has ended a wait in between: it would have
//    gone to another thread. Where a race of what it has accessed since the wake-up may be missed, the verdict has a
//    limit, as for iterations of loops (pruned_accesses). A wake-up whose thread has only taken the mutex as it had
//    left it, read what it had read before, and written back what memory held, comes back here in every graph: the
//    wake-up is taken back, and noted in the event, so that the thread wakes up after the next write to the mutex.
// 2. The thread may as well have taken the mutex only when it woke up. Since the first time it has read, waited and
//    taken the mutex. Nobody knows of that but the condition variable, and there nothing is different for others. What
//    it read between the lock and the header is the same again, so it goes on in the same way. Without that first time
//    there are fewer events, and nothing happens before anything that did not before. That makes no behaviour less,
//    except that a thread is given freed memory only if it knows of the free: who takes the mutex after the first time
//    must have learned of none. A try_lock of another thread that fails as the mutex is held for that look fails
//    spuriously without it, which is bounded. A deadlock in which the thread waits for ever is another execution: there
//    the wait does not end. Where a race of the first look may be missed, the verdict has a limit, too.
//
//    Whether all this is so depends on the thread and on what its lock reads from. So the lock must not read from
//    there: it is taken back as in 1. After a spurious end nothing more is needed if it is so wherever the lock reads
//    from. After a notification the graph has to be followed even so: only there is the wait maximally added, so only
//    there can what others write next revisit a read from before the wait.
//
// 3. Between the wake-up and the lock the thread does nothing, and a condition variable orders nothing. So with the
//    wake-up directly behind the notification every other read is what it was; others that begin a wait, leave one or
//    notify do the same, and the thread cannot tell. It goes on in the graph with that wake-up alone, and is blocked in
//    the others. They are not abandoned: what others write next may revisit a read from before the notification, and
//    then it is another wait.
//
// Source: [thread.condition.condvar] allows spurious wake-ups; 1 is the argument of reductions/spinloops for one
// iteration of a wait, and so is 2 for the loop of an operation that awaits a value (Kokologiannakis, Ren, Vafeiadis,
// "Dynamic Partial Order Reductions for Spinloops", FMCAD 2021), with the mutex in place of the value.
#pragma once

#include "ordeal/engine/graph/core/reduction.hpp"

namespace ordeal::detail::graph {

class redundant_wake_ups final : public reduction, run_context {
public:
    explicit redundant_wake_ups(const run_context& of) : run_context(of) {}

    [[nodiscard]] std::optional<iteration> at_wait(const wait_point& at) override;
    [[nodiscard]] action after_wait(const iteration_start& earlier, const iteration_start& now,
                                    blocking& blocking) override;

private:
    [[nodiscard]] const event& at(std::size_t number) const { return (*run_.graph)[run_.self().path[number]]; }
    [[nodiscard]] bool is_wait(event_index begin) const;
    [[nodiscard]] bool might_have_come_later(const iteration_start& earlier, const iteration_start& now);
    [[nodiscard]] bool might_have_ended_elsewhere() const;
    void take_lock_back(event_index wait);
    [[nodiscard]] bool somebody_else_goes_on(location condition) const;
    void end_redundant_wake_up(const iteration& last);
    void note_left_out(event_index wait, bool on_condition);
    [[nodiscard]] std::optional<event_index> only_wait(const iteration_start& earlier,
                                                       const iteration_start& now) const;
    [[nodiscard]] bool tells_of_freed_memory(event_index wait, const iteration_start& earlier) const;
    [[nodiscard]] bool is_for_nobody_else(const event& woken) const;
};

}  // namespace ordeal::detail::graph
