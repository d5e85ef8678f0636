// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/run/run_parts.hpp"
#include "ordeal/model/byte_memory.hpp"
#include "ordeal/model/port_stack.hpp"

#include <cstdint>
#include <string_view>

namespace ordeal::graph {

/// The port over an execution graph. It has as many functions as the port has, and does nothing itself: each operation is
/// that of one part. The state of a caller is captured here, where the code on trial makes its call. Plain bytes,
/// lives, blocks and limits suspend nobody: their functions change to the port's stack here.
class graph_port final : public byte_memory {
public:
    explicit graph_port(run_parts& of) : of_(of) { make_port_stack(); }

    std::uint64_t load(const atomic_access& access) override;
    void store(const atomic_access& access, std::uint64_t value) override {
        for_caller(of_.atomics).store(access, value);
    }
    std::uint64_t modify(const atomic_access& access, modification how, std::uint64_t operand) override;
    bool compare_exchange(const atomic_access& access, order failure, site_id failure_site, bool weak,
                          std::uint64_t& expected, std::uint64_t desired) override;
    void fence(order using_order, site_id site) override { for_caller(of_.atomics).fence(using_order, site); }
    void wait(const atomic_access& access, std::uint64_t old) override { for_caller(of_.atomics).wait(access, old); }
    void notify(memory_range where, bool all, site_id site) override { of_.notified.notify(where, all, site); }
    void notify_address(std::uintptr_t address, bool all, site_id site) override {
        of_.notified.notify_address(address, all, site);
    }
    [[gnu::noinline]] std::uint64_t load_for(const caller_state& caller, const atomic_access& access) override;
    [[gnu::noinline]] std::uint64_t modify_for(const caller_state& caller, const atomic_access& access,
                                               modification how, std::uint64_t operand) override;
    [[gnu::noinline]] bool compare_exchange_for(const caller_state& caller, const atomic_access& access, order failure,
                                                site_id failure_site, bool weak, std::uint64_t& expected,
                                                std::uint64_t desired) override;

    void lock(std::uintptr_t mutex, site_id site) override { for_caller(of_.mutexes).lock(mutex, site); }
    bool try_lock(std::uintptr_t mutex, site_id site) override;
    [[gnu::noinline]] bool try_lock_for(const caller_state& caller, std::uintptr_t mutex, site_id site) override;
    void unlock(std::uintptr_t mutex, site_id site) override { for_caller(of_.mutexes).unlock(mutex, site); }
    bool holds(std::uintptr_t mutex) override { return of_.lives.holds(mutex); }
    bool holds_shared(std::uintptr_t mutex) override { return of_.lives.holds_shared(of_.run.thread_id, mutex); }
    void lock_shared(std::uintptr_t mutex, site_id site) override { for_caller(of_.mutexes).lock_shared(mutex, site); }
    bool try_lock_shared_for(const caller_state& caller, std::uintptr_t mutex, site_id site) override {
        called_from(caller.frame);
        return of_.mutexes.try_lock_shared(caller, mutex, site);
    }
    void unlock_shared(std::uintptr_t mutex, site_id site) override {
        for_caller(of_.mutexes).unlock_shared(mutex, site);
    }
    void acquire_semaphore(const atomic_access& access) override { for_caller(of_.mutexes).acquire(access); }
    bool try_acquire_semaphore(const caller_state& caller, const atomic_access& access) override {
        called_from(caller.frame);
        return of_.mutexes.try_acquire(caller, access);
    }
    bool condition_wait(const caller_state& caller, std::uintptr_t condition, std::uintptr_t mutex, site_id site,
                        const wait_limit& limit) override {
        called_from(caller.frame);
        return of_.conditions.wait(caller, condition, mutex, site, limit);
    }
    void condition_notify(std::uintptr_t condition, bool all, site_id site) override {
        for_caller(of_.conditions).notify(condition, all, site);
    }
    futex_end futex_wait(const caller_state& caller, memory_range word, std::uint32_t expected, const wait_limit& limit,
                         site_id site) override {
        called_from(caller.frame);
        return of_.words.wait(caller, word, expected, limit, site);
    }
    unsigned futex_wake(const caller_state& caller, std::uintptr_t word, unsigned count, site_id site) override {
        called_from(caller.frame);
        return of_.words.wake(caller, word, count, site);
    }

    void read(memory_range where, site_id site) override { of_.plain_objects.read(where, site); }
    void write(memory_range where, site_id site) override { of_.plain_objects.write(where, site); }
    void begin_life(memory_range where, object_kind kind, std::uint64_t initial, site_id site) override {
        of_.lives.begin(where, kind, initial, site);
    }
    void end_life(memory_range where, site_id site) override { of_.lives.end(where, site); }
    std::uintptr_t freed_before(std::size_t size, std::size_t alignment) override {
        return for_caller(of_.blocks).freed_before(size, alignment);
    }
    void allocated(memory_range block) override {
        on_port_stack([&] { of_.blocks.allocated(block); });
    }
    void freed(memory_range block) override {
        on_port_stack([&] { of_.blocks.freed(block); });
    }
    void read_bytes(memory_range where, const code_point& at) override {
        on_port_stack([&] { of_.bytes.read(where, at); });
    }
    void write_bytes(memory_range where, const code_point& at) override {
        on_port_stack([&] { of_.bytes.write(where, at); });
    }
    void copy_bytes(std::uintptr_t to, memory_range from, const code_point& at) override {
        on_port_stack([&] { of_.bytes.copy(to, from, at); });
    }
    std::uint32_t read_to_copy(memory_range where, const code_point& at) override {
        return on_port_stack([&] { return of_.bytes.read_to_copy(where, at); });
    }
    std::uint32_t without_value(memory_range where) override {
        return on_port_stack([&] { return of_.bytes.without_value(where); });
    }
    void set_values(memory_range where, std::uint32_t without) override {
        on_port_stack([&] { of_.bytes.set_values(where, without); });
    }
    void copy_values(std::uintptr_t to, memory_range from) override {
        on_port_stack([&] { of_.bytes.copy_values(to, from); });
    }
    void use_without_value(memory_range where, const code_point& at) override {
        on_port_stack([&] { of_.bytes.use_without_value(where, at); });
    }
    void use_bytes(memory_range where, const code_point& at) override {
        on_port_stack([&] { of_.bytes.use(where, at); });
    }
    void fresh_bytes(memory_range where) override {
        on_port_stack([&] { of_.bytes.fresh(where); });
    }
    void end_bytes(memory_range where, const code_point& at) override {
        on_port_stack([&] { of_.bytes.end(where, at); });
    }
    void begin_scope(memory_range where) override {
        on_port_stack([&] { of_.bytes.begin_scope(where); });
    }
    void end_scope(memory_range where, const code_point& at) override {
        on_port_stack([&] { of_.bytes.end_scope(where, true, at); });
    }
    void end_storage(memory_range where, const code_point& at) override {
        on_port_stack([&] { of_.bytes.end_scope(where, false, at); });
    }
    void touch_atomic(memory_range where, bool writes, const code_point& at) override {
        on_port_stack([&] { of_.bytes.touch_atomic(where, writes, at); });
    }
    void begin_synchroniser(const synchroniser& what, const code_point& at) override {
        on_port_stack([&] { of_.bytes.begin_synchroniser(what, at); });
    }
    void end_synchroniser(const synchroniser& what, const code_point& at) override {
        on_port_stack([&] { of_.bytes.end_synchroniser(what, at); });
    }
    void touch_lock(memory_range where, const code_point& at) override {
        on_port_stack([&] { of_.bytes.touch_waiting_place(where, object_kind::mutex, at); });
    }
    void touch_condition(memory_range where, const code_point& at) override {
        on_port_stack([&] { of_.bytes.touch_waiting_place(where, object_kind::condition, at); });
    }

    void yield(site_id site) override { for_caller(of_.watched).yield(site); }
    void time_out(site_id site) override { for_caller(of_.watched).time_out(site); }
    int create_thread(void (*body)(void*), void* argument, site_id site) override {
        return for_caller(of_.threads).create(body, argument, site);
    }
    void join_thread(int thread, site_id site) override { for_caller(of_.threads).join(thread, site); }
    void note_own_id() override { of_.threads.note_own_id(); }
    int thread() const noexcept override { return of_.run.thread_id - 1; }

    [[noreturn]] void fail(violation_kind kind, std::string_view message, site_id site,
                           memory_range about = {}) override {
        of_.end.fail(kind, message, site, {about, {}, about.size != 0 ? "free" : ""});
    }
    [[noreturn]] void refuse(std::string_view what, site_id site) override { of_.end.refuse(what, site); }
    void note_limit(std::string_view what, site_id site) override {
        on_port_stack([&] { of_.end.note_limit(what, site); });
    }
    void leave_stack(const code_point& at) override { of_.room.require(at.frame, site_of(at)); }

private:
    [[gnu::noinline]] bool try_lock_not_held(const caller_state& caller, std::uintptr_t mutex, site_id site);
    // Where the code on trial ends on the stack, and the engine begins.
    void called_from(std::uintptr_t frame) noexcept { of_.run.self().called_from = frame; }
    // A part, for the function of the port that calls this: what lies above its frame is the code's on trial.
    template <class Part>
    [[nodiscard, gnu::always_inline]] Part& for_caller(Part& part) noexcept {
        called_from(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
        return part;
    }

    run_parts& of_;
};

}  // namespace ordeal::graph
