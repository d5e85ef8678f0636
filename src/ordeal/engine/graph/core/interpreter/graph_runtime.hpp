// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/interpreter/interpreter.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/runtime/runtime_stack.hpp"

#include <cstdint>
#include <string_view>

namespace ordeal::detail::graph {

/// The runtime over an execution graph. It has as many functions as the runtime has, and does nothing itself: each
/// operation is that of one part. The state of a caller is captured here, where the code on trial makes its call. Plain
/// bytes, lives, blocks and limits suspend nobody: their functions change to the runtime's stack here.
class graph_runtime final : public instrumented_runtime {
public:
    explicit graph_runtime(interpreter& interpreter) : interpreter_(interpreter) { make_runtime_stack(); }

    std::uint64_t load(const atomic_access& access) override;
    void store(const atomic_access& access, std::uint64_t value) override {
        for_caller(interpreter_.atomic_operations).store(access, value);
    }
    std::uint64_t modify(const atomic_access& access, modification how, std::uint64_t operand) override;
    bool compare_exchange(const atomic_access& access, order failure, site_id failure_site, bool weak,
                          std::uint64_t& expected, std::uint64_t desired) override;
    void fence(order using_order, site_id site) override {
        for_caller(interpreter_.atomic_operations).fence(using_order, site);
    }
    void wait(const atomic_access& access, std::uint64_t old) override {
        for_caller(interpreter_.atomic_operations).wait(access, old);
    }
    void notify(memory_range where, bool all, site_id site) override {
        interpreter_.notifications.notify(where, all, site);
    }
    void notify_address(std::uintptr_t address, bool all, site_id site) override {
        interpreter_.notifications.notify_address(address, all, site);
    }
    std::uint64_t load_at(const call_origin& from, const atomic_access& access) override {
        note_atomic_call(access.where, false, from.at);
        return interpreter_.atomic_operations.load(from.caller, access);
    }
    void store_at(const code_location& at, const atomic_access& access, std::uint64_t value) override {
        note_atomic_call(access.where, true, at);
        interpreter_.atomic_operations.store(access, value);
    }
    std::uint64_t modify_at(const call_origin& from, const atomic_access& access, modification how,
                            std::uint64_t operand) override {
        note_atomic_call(access.where, true, from.at);
        return interpreter_.atomic_operations.modify(from.caller, access, how, operand);
    }
    bool compare_exchange_at(const call_origin& from, const atomic_access& access, order failure, site_id failure_site,
                             bool weak, std::uint64_t& expected, std::uint64_t desired) override {
        note_atomic_call(access.where, false, from.at);
        return interpreter_.atomic_operations.compare_exchange(from.caller, access, failure, failure_site, weak,
                                                               expected, desired);
    }
    void wait_at(const code_location& at, const atomic_access& access, std::uint64_t old) override {
        note_atomic_call(access.where, false, at);
        interpreter_.atomic_operations.wait(access, old);
    }

    void lock(std::uintptr_t mutex, site_id site) override { for_caller(interpreter_.locks).lock(mutex, site); }
    bool try_lock(std::uintptr_t mutex, site_id site) override;
    [[gnu::noinline]] bool try_lock_for(const caller_state& caller, std::uintptr_t mutex, site_id site) override;
    void unlock(std::uintptr_t mutex, site_id site) override { for_caller(interpreter_.locks).unlock(mutex, site); }
    bool holds(std::uintptr_t mutex) override { return interpreter_.object_lifetimes.holds(mutex); }
    bool holds_shared(std::uintptr_t mutex) override {
        return interpreter_.object_lifetimes.holds_shared(interpreter_.run.thread_id, mutex);
    }
    void lock_shared(std::uintptr_t mutex, site_id site) override {
        for_caller(interpreter_.locks).lock_shared(mutex, site);
    }
    bool try_lock_shared_for(const caller_state& caller, std::uintptr_t mutex, site_id site) override {
        note_caller_frame(caller.frame);
        return interpreter_.locks.try_lock_shared(caller, mutex, site);
    }
    void unlock_shared(std::uintptr_t mutex, site_id site) override {
        for_caller(interpreter_.locks).unlock_shared(mutex, site);
    }
    void acquire_semaphore(const code_location& at, const atomic_access& access) override {
        note_whole_atomic_call(access.where, false, at);
        interpreter_.locks.acquire(access);
    }
    bool try_acquire_semaphore(const call_origin& from, const atomic_access& access) override {
        note_whole_atomic_call(access.where, false, from.at);
        return interpreter_.locks.try_acquire(from.caller, access);
    }
    bool condition_wait(const caller_state& caller, std::uintptr_t condition, std::uintptr_t mutex, site_id site,
                        const wait_timeout& limit) override {
        note_caller_frame(caller.frame);
        return interpreter_.condition_variables.wait(caller, condition, mutex, site, limit);
    }
    void condition_notify(std::uintptr_t condition, bool all, site_id site) override {
        for_caller(interpreter_.condition_variables).notify(condition, all, site);
    }
    void condition_await_departures(std::uintptr_t condition) override {
        for_caller(interpreter_.condition_variables).await_departures(condition);
    }
    futex_wait_result futex_wait(const call_origin& from, memory_range word, std::uint32_t expected,
                                 const wait_timeout& limit, site_id site) override {
        note_atomic_call(word, false, from.at);
        return interpreter_.futexes.wait(from.caller, word, expected, limit, site);
    }
    unsigned futex_wake(const caller_state& caller, std::uintptr_t word, unsigned count, site_id site) override {
        note_caller_frame(caller.frame);
        return interpreter_.futexes.wake(caller, word, count, site);
    }

    bool arrivals_are_events() override { return interpreter_.arrivals.are_events(); }
    void order_arrivals() override { for_caller(interpreter_.arrivals).order(); }
    void arrive(const code_location& at, const coordination_object& where, std::uint64_t count) override {
        note_whole_atomic_call(where.where, true, at);
        interpreter_.arrivals.arrive(where, count);
    }
    void await_arrivals(const code_location& at, const coordination_object& where) override {
        note_whole_atomic_call(where.where, false, at);
        interpreter_.arrivals.await(where);
    }
    bool some_are_within_call_at(const coordination_object& where) override {
        return for_caller(interpreter_.arrivals).some_are_within(where);
    }

    void begin_iteration(const loop_header& header, const code_location& at) override {
        note_caller_frame(at.frame);
        interpreter_.thread_visits.begin_iteration(header, at);
    }

    void read(memory_range where, site_id site) override { interpreter_.cells.read(where, site); }
    void write(memory_range where, site_id site) override { interpreter_.cells.write(where, site); }
    void begin_life(memory_range where, object_kind kind, std::uint64_t initial, site_id site) override {
        interpreter_.object_lifetimes.begin(where, kind, initial, site);
    }
    void end_life(memory_range where, site_id site) override { interpreter_.object_lifetimes.end(where, site); }
    std::uintptr_t freed_before(std::size_t size, std::size_t alignment) override {
        return for_caller(interpreter_.heap_blocks).freed_before(size, alignment);
    }
    void allocated(memory_range block) override {
        on_runtime_stack([&] { interpreter_.heap_blocks.allocated(block); });
    }
    void freed(memory_range block) override {
        on_runtime_stack([&] { interpreter_.heap_blocks.freed(block); });
    }
    void read_bytes(memory_range where, const code_location& at) override {
        on_runtime_stack([&] { interpreter_.non_atomic_memory.read(where, at); });
    }
    void write_bytes(memory_range where, const code_location& at) override {
        on_runtime_stack([&] { interpreter_.non_atomic_memory.write(where, at); });
    }
    void copy_bytes(std::uintptr_t to, memory_range from, const code_location& at) override {
        on_runtime_stack([&] { interpreter_.non_atomic_memory.copy(to, from, at); });
    }
    std::uint32_t read_for_copy(memory_range where, const code_location& at) override {
        return on_runtime_stack([&] { return interpreter_.non_atomic_memory.read_for_copy(where, at); });
    }
    std::uint32_t uninitialised_bytes(memory_range where) override {
        return on_runtime_stack([&] { return interpreter_.non_atomic_memory.uninitialised_bytes(where); });
    }
    void set_uninitialised(memory_range where, std::uint32_t without) override {
        on_runtime_stack([&] { interpreter_.non_atomic_memory.set_uninitialised(where, without); });
    }
    void copy_initialisation(std::uintptr_t to, memory_range from) override {
        on_runtime_stack([&] { interpreter_.non_atomic_memory.copy_initialisation(to, from); });
    }
    void use_uninitialised(memory_range where, const code_location& at) override {
        on_runtime_stack([&] { interpreter_.non_atomic_memory.use_uninitialised(where, at); });
    }
    void use_bytes(memory_range where, const code_location& at) override {
        on_runtime_stack([&] { interpreter_.non_atomic_memory.use(where, at); });
    }
    void forget_accesses(memory_range where) override {
        on_runtime_stack([&] { interpreter_.non_atomic_memory.fresh(where); });
    }
    void end_lifetime(memory_range where, const code_location& at) override {
        on_runtime_stack([&] { interpreter_.non_atomic_memory.end(where, at); });
    }
    void begin_scope(memory_range where) override {
        on_runtime_stack([&] { interpreter_.non_atomic_memory.begin_scope(where); });
    }
    void end_scope(memory_range where, const code_location& at) override {
        on_runtime_stack([&] { interpreter_.non_atomic_memory.end_scope(where, true, at); });
    }
    void end_storage(memory_range where, const code_location& at) override {
        on_runtime_stack([&] { interpreter_.non_atomic_memory.end_scope(where, false, at); });
    }
    void begin_synchroniser(const synchroniser& what, const code_location& at) override {
        on_runtime_stack([&] { interpreter_.non_atomic_memory.begin_synchroniser(what, at); });
    }
    void end_synchroniser(const synchroniser& what, const code_location& at) override {
        on_runtime_stack([&] { interpreter_.non_atomic_memory.end_synchroniser(what, at); });
    }
    void touch_lock(memory_range where, const code_location& at) override {
        on_runtime_stack([&] { interpreter_.non_atomic_memory.touch_waiting_place(where, object_kind::mutex, at); });
    }
    void touch_condition(memory_range where, const code_location& at) override {
        on_runtime_stack(
            [&] { interpreter_.non_atomic_memory.touch_waiting_place(where, object_kind::condition, at); });
    }

    void exception_freed(memory_range exception) override {
        if (interpreter_.options.instrumented)
            on_runtime_stack([&] { interpreter_.non_atomic_memory.free_exception(exception); });
    }
    void throws() override { interpreter_.recorder.places().threw(interpreter_.run.thread_id); }

    void yield(site_id site) override { for_caller(interpreter_.iteration_bounds).yield(site); }
    std::optional<std::uint64_t> time_passed() const override { return interpreter_.sleeps.time_passed(); }
    void sleep(std::uint64_t nanoseconds, site_id site) override {
        for_caller(interpreter_.sleeps).sleep(nanoseconds, site);
    }
    void time_out(site_id site) override { for_caller(interpreter_.iteration_bounds).time_out(site); }
    int create_thread(void (*body)(void*), void* argument, site_id site) override {
        return for_caller(interpreter_.created_threads).create(body, argument, site);
    }
    void join_thread(int thread, site_id site) override { for_caller(interpreter_.created_threads).join(thread, site); }
    void note_own_id() override {
        interpreter_.run_end.need_locks();
        interpreter_.created_threads.note_own_id();
    }
    int thread() const noexcept override { return interpreter_.run.thread_id - 1; }

    [[noreturn]] void fail(violation_kind kind, std::string_view message, site_id site,
                           memory_range about = {}) override {
        interpreter_.run_end.fail(kind, message, site,
                                  {.where = about, .words = "a block", .operation = about.size != 0 ? "free" : ""});
    }
    [[noreturn]] void end_by_assumption(site_id site) override {
        for_caller(interpreter_.run_end).end_by_assumption(site);
    }
    moment now() noexcept override {
        interpreter_.run_end.need_locks();
        return interpreter_.run.note_moment();
    }
    bool happens_before(const moment& earlier, const moment& later) const noexcept override {
        return interpreter_.run.happens_before(earlier, later);
    }
    [[noreturn]] void refuse(std::string_view what, site_id site) override { interpreter_.run_end.refuse(what, site); }
    std::uint32_t events() const noexcept override { return interpreter_.run.self().next; }
    bool happens_before_here(int thread, std::uint32_t events) const noexcept override {
        return interpreter_.run.self().hb.contains(static_cast<std::size_t>(thread + 1), events);
    }
    void assume_fence() override { interpreter_.search_facts.fence_assumed = true; }
    void note_limit(std::string_view what, site_id site) override {
        change_own_state();  // as what is not seen may do
        interpreter_.run_end.need_locks();
        on_runtime_stack([&] { interpreter_.run_end.note_limit(what, site); });
    }
    void change_own_state() const override { ++interpreter_.run.self().done.writes; }
    void overflow_stack(const code_location& at) override { interpreter_.stack_limits.require(at.frame, site_of(at)); }

private:
    [[gnu::noinline]] std::uint64_t load_for(const caller_state& caller, const atomic_access& access);
    [[gnu::noinline]] std::uint64_t modify_for(const caller_state& caller, const atomic_access& access,
                                               modification how, std::uint64_t operand);
    [[gnu::noinline]] bool compare_exchange_for(const caller_state& caller, const atomic_access& access, order failure,
                                                site_id failure_site, bool weak, std::uint64_t& expected,
                                                std::uint64_t desired);
    [[gnu::noinline]] bool try_lock_not_held(const caller_state& caller, std::uintptr_t mutex, site_id site);
    // Where the code on trial ends on the stack, and the engine begins.
    void note_caller_frame(std::uintptr_t frame) noexcept { interpreter_.run.self().caller_frame = frame; }
    // The atomic in these bytes; one of the policy was constructed. `writes`: it is stored to in any case, which a
    // compare-exchange does not.
    void note_atomic_call(memory_range where, bool writes, const code_location& at) {
        if (interpreter_.options.instrumented) [[likely]]
            on_runtime_stack([&] { interpreter_.non_atomic_memory.touch_atomic(where, writes, at); });
        note_caller_frame(at.frame);
    }
    // As note_atomic_call(), of an object of the library, which nobody accesses in parts.
    void note_whole_atomic_call(memory_range where, bool writes, const code_location& at) {
        note_atomic_call(where, writes, at);
        if (interpreter_.mixed_sizes.of(where).bytes.is_mixed()) [[unlikely]]
            interpreter_.run_end.refuse("a semaphore, latch or barrier with atomics of other sizes on its bytes",
                                        site_of(at));
    }
    // A part, for the function of the runtime that calls this: what lies above its frame is the code's on trial.
    template <class Part>
    [[nodiscard, gnu::always_inline]] Part& for_caller(Part& part) noexcept {
        note_caller_frame(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
        return part;
    }

    interpreter& interpreter_;
};

}  // namespace ordeal::detail::graph
