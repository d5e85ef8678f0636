// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers of <pthread.h>, called by code on trial; those of C++ are made of atomics.
#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"

#include <pthread.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ordeal::detail {

namespace {

/// A barrier on trial. `threads` is where the C library stores it, and the rest is initially 0 there too, so that a
/// barrier initialised by a constructor before main is the same on trial.
struct barrier_state {
    std::uint32_t arrived = 0;  ///< arrivals in all rounds
    std::uint32_t rounds = 0;   ///< completed ones
    std::uint32_t threads = 0;  ///< in each round
    /// For each arrival position, how many threads in that position have left, of all rounds; the low byte. Separate
    /// counters, so that leaving creates no order among the threads of a round. The destroying thread waits for all.
    std::array<std::uint8_t, 19> left{};
    /// A lock: the last thread of a round arrives and completes the round in one step, as those of a later round may be
    /// other threads, which know nothing of the round.
    std::uint8_t guard = 0;
};
static_assert(sizeof(barrier_state) <= sizeof(pthread_barrier_t));

synchroniser the(std::uintptr_t barrier) noexcept {
    return {{barrier, sizeof(pthread_barrier_t)}, "barrier", object_kind::atomic, {barrier, sizeof(std::uint32_t)}};
}

class barrier_on_trial {
public:
    barrier_on_trial(instrumented_runtime& runtime, const call_origin& from, pthread_barrier_t* barrier)
        : runtime_(runtime), from_(from), address_(reinterpret_cast<std::uintptr_t>(barrier)) {
        std::memcpy(&threads_, reinterpret_cast<const char*>(barrier) + offsetof(barrier_state, threads),
                    sizeof(threads_));
        if (threads_ == 0) {
            runtime_.fail(violation_kind::precondition, "a barrier is used that nobody has initialised",
                          plain_code_site(from_.at));
        }
    }

    /// `tells_last`: the caller uses the result, which one thread of each round alone gets.
    int arrive(bool tells_last) {
        if (tells_last) runtime_.order_arrivals();
        if (runtime_.arrivals_are_events()) {
            runtime_.arrive(from_.at, meeting(), 1);
            runtime_.await_arrivals(from_.at, meeting());
            return 0;
        }
        runtime_.touch_lock(guard(), from_.at);
        runtime_.lock(guard().address, plain_code_site(from_.at));
        // order: acq_rel -> the last one to arrive, and through it everybody: what was written before
        const auto before =
            static_cast<std::uint32_t>(runtime_.modify_at(from_, arrived(order::acq_rel), modification::add, 1));
        const std::uint32_t round = before / threads_;
        const std::uint32_t place = before % threads_;
        const bool last = place + 1 == threads_;
        if (last) {
            // order: release -> those who wait below
            const atomic_access done = rounds(order::release);
            runtime_.store_at(from_.at, done, round + 1);
            runtime_.notify_address(done.where.address, true, done.site);
        }
        runtime_.unlock(guard().address, plain_code_site(from_.at));
        if (last) return PTHREAD_BARRIER_SERIAL_THREAD;
        // order: acquire <- the last one's store
        runtime_.wait_at(from_.at, rounds(order::acquire), round);
        // order: release -> destroy: nothing here is used afterwards
        const atomic_access gone = left(place, order::release);
        (void)runtime_.modify_at(from_, gone, modification::add, 1);
        runtime_.notify_address(gone.where.address, true, gone.site);
        return 0;
    }

    void destroy() {
        if (runtime_.arrivals_are_events()) {
            if (runtime_.some_are_within_call_at(meeting())) runtime_.order_arrivals();
            runtime_.end_synchroniser(the(address_), from_.at);
            return;
        }
        // The last one to arrive may still hold the lock.
        runtime_.touch_lock(guard(), from_.at);
        runtime_.lock(guard().address, plain_code_site(from_.at));
        runtime_.unlock(guard().address, plain_code_site(from_.at));
        // order: relaxed: who may destroy it knows that everybody has arrived
        const auto all = static_cast<std::uint32_t>(runtime_.load_at(from_, arrived(order::relaxed)));
        if (all % threads_ != 0) {
            runtime_.fail(violation_kind::precondition, "a barrier is destroyed while a thread waits at it",
                          plain_code_site(from_.at));
        }
        const std::uint32_t round = all / threads_;
        for (std::uint32_t place = 0; round != 0 && place + 1 < threads_; ++place) {
            // order: acquire <- arrive
            const atomic_access gone = left(place, order::acquire);
            runtime_.wait_at(from_.at, gone, (round - 1) & 0xff);
            // Threads of two rounds may be about to leave.
            for (auto now = runtime_.load_at(from_, gone); now != (round & 0xff); now = runtime_.load_at(from_, gone))
                runtime_.wait_at(from_.at, gone, now);
        }
        runtime_.end_synchroniser(the(address_), from_.at);
    }

private:
    [[nodiscard]] coordination_object meeting() const {
        return {the(address_).count, threads_, true, plain_code_site(from_.at)};
    }
    [[nodiscard]] memory_range guard() const { return {address_ + offsetof(barrier_state, guard), 1}; }
    atomic_access part(std::size_t offset, std::size_t size, order using_order) {
        return {{address_ + offset, size}, using_order, plain_code_site(from_.at)};
    }
    atomic_access arrived(order using_order) {
        return part(offsetof(barrier_state, arrived), sizeof(std::uint32_t), using_order);
    }
    atomic_access rounds(order using_order) {
        return part(offsetof(barrier_state, rounds), sizeof(std::uint32_t), using_order);
    }
    atomic_access left(std::uint32_t place, order using_order) {
        return part(offsetof(barrier_state, left) + place, 1, using_order);
    }

    instrumented_runtime& runtime_;
    const call_origin& from_;
    std::uintptr_t address_;
    std::uint32_t threads_ = 1;
};

[[gnu::noinline]] int arrive(const call_origin& from, pthread_barrier_t* barrier, bool tells_last) {
    instrumented_runtime* const runtime = runtime_on_trial_for(barrier);
    if (runtime == nullptr) return pthread_barrier_wait(barrier);
    return barrier_on_trial(*runtime, from, barrier).arrive(tells_last);
}

[[gnu::noinline]] int destroy(const call_origin& from, pthread_barrier_t* barrier) {
    instrumented_runtime* const runtime = runtime_on_trial_for(barrier);
    if (runtime == nullptr) return pthread_barrier_destroy(barrier);
    barrier_on_trial(*runtime, from, barrier).destroy();
    return 0;
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

int __wrap_pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes, unsigned count) {
    instrumented_runtime* const runtime = runtime_on_trial_for(barrier);
    if (runtime == nullptr) return pthread_barrier_init(barrier, attributes, count);
    const code_location at = code_location_here("initialise barrier");
    caller_accesses(at).reads_object(attributes);
    if (count == 0) return EINVAL;
    static_assert(barrier_state{}.left.size() == 19, "the last one of 20 needs no place");
    if (count > barrier_state{}.left.size() + 1)
        runtime->refuse("a barrier for more than 20 threads", plain_code_site(at));
    runtime->begin_synchroniser(the(reinterpret_cast<std::uintptr_t>(barrier)), at);
    const barrier_state begin{.threads = count};
    std::memset(barrier, 0, sizeof(*barrier));
    std::memcpy(barrier, &begin, sizeof(begin));
    return 0;
}
int __wrap_pthread_barrier_wait(pthread_barrier_t* barrier) {
    return arrive(call_origin_here("arrive and wait"), barrier, true);
}
/// Called by code compiled with the plugin where the result is not used.
int __ordeal_barrier_wait(pthread_barrier_t* barrier) {
    return arrive(call_origin_here("arrive and wait"), barrier, false);
}
int __wrap_pthread_barrier_destroy(pthread_barrier_t* barrier) {
    return destroy(call_origin_here("destroy barrier"), barrier);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)

}  // namespace ordeal::detail
