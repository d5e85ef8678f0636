// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/byte_shadow.hpp"
#include "ordeal/engine/graph/consistency/consistency.hpp"
#include "ordeal/engine/graph/event_facts.hpp"
#include "ordeal/engine/graph/execution_graph.hpp"
#include "ordeal/engine/graph/fibers.hpp"
#include "ordeal/engine/graph/findings.hpp"
#include "ordeal/engine/graph/freed_blocks.hpp"
#include "ordeal/engine/graph/object.hpp"
#include "ordeal/engine/graph/plain_trace.hpp"
#include "ordeal/engine/graph/read_request.hpp"
#include "ordeal/engine/graph/revisits.hpp"
#include "ordeal/engine/graph/thread_state.hpp"
#include "ordeal/engine/graph/thread_tree.hpp"
#include "ordeal/model/byte_memory.hpp"
#include "ordeal/model/trace.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::graph {

/// How a run ended.
enum class ending : std::uint8_t {
    complete,
    blocked,    ///< some thread waits for what another graph has
    abandoned,  ///< the graph is not an execution, or is explored elsewhere
    violated,
    refused,  ///< the code on trial uses what this model does not have
};

/// What new events a run adds, where there is a choice.
class chooser {
public:
    virtual std::size_t choose(std::size_t count) = 0;
    /// One of the threads that could add an event.
    virtual int choose_thread(std::span<const int> numbers) = 0;

protected:
    ~chooser() = default;
};

struct memory_options {
    unsigned spurious = 0;
    unsigned reuse = 0;  ///< how often freed memory may come back in an execution
    unsigned step_limit = 10'000;
    std::uint64_t plain_limit = 20'000'000;  ///< plain accesses of instrumented code in one execution
    bool instrumented = false;
    std::vector<acceptance> accept{};  ///< violations that are gone on behind
    memory_model model = memory_model::rc11;
};

/// The port over an execution graph. One run takes the threads through what the graph has, each read answered from it,
/// and goes on at its end with new events; alternatives to those go to a sink. See docs/engines.md.
class graph_memory final : public byte_memory {
public:
    struct violation {
        violation_kind kind;
        std::string message;
    };

    /// `threads`: those of the scenario; they may create more.
    graph_memory(const memory_options& options, int threads);

    /// Before and after each run. The graph grows during the run.
    void begin(execution_graph& graph, graph_sink* sink, chooser* chooser, bool tracing);
    void leave() noexcept;

    [[nodiscard]] fibers& stacks() noexcept { return stacks_; }
    [[nodiscard]] thread_tree& threads() noexcept { return tree_; }
    /// Whether some thread has begun and is not over.
    [[nodiscard]] bool some_unfinished() const noexcept;
    [[nodiscard]] bool refused() const noexcept { return !met_.refused.empty(); }
    /// The scenario object is made of these bytes now.
    void begin_object(memory_range where);
    [[nodiscard]] thread_state& state_of(int number) noexcept { return threads_[static_cast<std::size_t>(number)]; }
    [[nodiscard]] const thread_state& state_of(int number) const noexcept {
        return threads_[static_cast<std::size_t>(number)];
    }
    void run_on(int number);
    /// The last thing a thread does.
    void finish_thread();
    /// Construction is over, or all threads are.
    void enter_threads();
    void leave_threads();

    /// The next thread to run: one that can go on in the graph, else the one that may add an event; -1: none.
    [[nodiscard]] int next_thread();
    /// Whether all of the graph was run, so that its consistency can be judged.
    [[nodiscard]] bool replayed() const noexcept { return executed_ == graph_->size(); }
    /// When no thread can run and some are not finished.
    [[nodiscard]] bool stuck_for_ever();
    [[nodiscard]] violation_kind kind_of_standstill() const;
    /// Whether some thread goes round until a clock says something else, which stands still.
    [[nodiscard]] bool waits_for_clock() const;
    /// As refuse(), without a thread doing anything.
    void give_up(std::string_view what);
    [[nodiscard]] std::string words_for_standstill() const;

    /// From the next run on.
    void judge_by(memory_model which) noexcept { model_ = consistency(which); }
    /// Whether what was run of the graph, which a search made, is allowed by the memory model.
    [[nodiscard]] bool allowed_so_far() const { return graph_->checked || model_.allows(*graph_, facts_); }
    /// Whether the graph that was run is an execution: for one that was not made by a search.
    [[nodiscard]] bool is_execution() const;

    [[nodiscard]] const std::optional<violation>& found() const noexcept { return found_; }
    [[nodiscard]] bool abandoned() const noexcept { return abandoned_; }
    [[nodiscard]] const ordeal::trace& steps() const noexcept { return trace_; }
    /// In this execution, each once.
    [[nodiscard]] const std::vector<accepted_violation>& accepted() const noexcept { return accepted_; }
    [[nodiscard]] const findings& met() const noexcept { return met_; }
    void forget_findings() { met_ = {}; }
    /// By site id, as sites_of() has it.
    [[nodiscard]] const std::vector<std::uint8_t>& reached() const noexcept { return reached_; }
    /// The places where loops were found to come back, by name; for a search that goes on in another process.
    [[nodiscard]] std::vector<std::string> loops() const;
    void expect_loops(const std::vector<std::string>& names);
    /// A systematic run that is still adding events then leaves the rest of its graph to another one.
    void leave_at(std::chrono::steady_clock::time_point when) noexcept { leave_at_ = when; }
    [[nodiscard]] bool executing() const noexcept { return executing_; }
    [[nodiscard]] std::uint64_t total_steps() const noexcept { return total_steps_; }

    /// Of very many plain accesses, a traced run keeps the first. Whether it did not keep all; then what the next one keeps
    /// can be made the last of them instead.
    [[nodiscard]] bool plain_steps_left_out() const noexcept { return plain_window_.left_out; }
    void keep_last_plain_steps();
    void keep_first_plain_steps() noexcept { plain_window_ = {}; }

    /// Takes plain accesses out of the trace that are to what only one thread accessed.
    void drop_private_steps();

    /// Whether this address is where a thread comes that has used up its stack.
    [[nodiscard]] bool is_beyond_stacks(std::uintptr_t address) const noexcept { return stacks_.in_guard(address); }
    /// That the running thread has. Allocates nothing; valid until the next call.
    [[nodiscard]] const char* words_for_used_up_stack() const noexcept;
    /// Whether fail() is at work: what goes wrong in it is not the code on trial's fault.
    [[nodiscard]] bool failing() const noexcept { return failing_; }

    /// Adds what was found out without a thread doing anything as the last step.
    void conclude(violation_kind kind, std::string_view message);

    std::uint64_t load(const atomic_access& access) override;
    void store(const atomic_access& access, std::uint64_t value) override;
    std::uint64_t modify(const atomic_access& access, modification how, std::uint64_t operand) override;
    bool compare_exchange(const atomic_access& access, order failure, site_id failure_site, bool weak,
                          std::uint64_t& expected, std::uint64_t desired) override;
    void fence(order using_order, site_id site) override;
    void wait(const atomic_access& access, std::uint64_t old) override;
    void notify(memory_range where, bool all, site_id site) override;
    void lock(std::uintptr_t mutex, site_id site) override;
    bool try_lock(std::uintptr_t mutex, site_id site) override;
    void unlock(std::uintptr_t mutex, site_id site) override;
    void read(memory_range where, site_id site) override;
    void write(memory_range where, site_id site) override;
    void begin_life(memory_range where, object_kind kind, std::uint64_t initial, site_id site) override;
    void end_life(memory_range where, site_id site) override;
    std::uintptr_t freed_before(std::size_t size, std::size_t alignment) override;
    void allocated(memory_range block) override;
    void freed(memory_range block) override;
    void yield(site_id site) override;
    [[noreturn]] void fail(violation_kind kind, std::string_view message, site_id site) override;
    void read_bytes(memory_range where, const code_point& at) override;
    void write_bytes(memory_range where, const code_point& at) override;
    void copy_bytes(std::uintptr_t to, memory_range from, const code_point& at) override;
    void fresh_bytes(memory_range where) override;
    void touch_atomic(memory_range where, bool writes, const code_point& at) override;
    void notify_address(std::uintptr_t address, bool all, site_id site) override;
    void touch_lock(memory_range where, const code_point& at) override {
        touch_waiting_place(where, object_kind::mutex, at);
    }
    void touch_condition(memory_range where, const code_point& at) override {
        touch_waiting_place(where, object_kind::condition, at);
    }
    [[gnu::noinline]] std::uint64_t load_for(const caller_state& caller, const atomic_access& access) override;
    [[gnu::noinline]] std::uint64_t modify_for(const caller_state& caller, const atomic_access& access,
                                               modification how, std::uint64_t operand) override;
    [[gnu::noinline]] bool compare_exchange_for(const caller_state& caller, const atomic_access& access, order failure,
                                                site_id failure_site, bool weak, std::uint64_t& expected,
                                                std::uint64_t desired) override;
    [[gnu::noinline]] bool try_lock_for(const caller_state& caller, std::uintptr_t mutex, site_id site) override;
    bool holds(std::uintptr_t mutex) override;
    bool holds_shared(std::uintptr_t mutex) override { return holds_shared(number_, mutex); }
    void lock_shared(std::uintptr_t mutex, site_id site) override;
    bool try_lock_shared_for(const caller_state& caller, std::uintptr_t mutex, site_id site) override;
    void unlock_shared(std::uintptr_t mutex, site_id site) override;
    bool condition_wait(const caller_state& caller, std::uintptr_t condition, std::uintptr_t mutex, site_id site,
                        const wait_limit& limit) override;
    void condition_notify(std::uintptr_t condition, bool all, site_id site) override;
    futex_end futex_wait(const caller_state& caller, memory_range word, std::uint32_t expected, const wait_limit& limit,
                         site_id site) override;
    unsigned futex_wake(const caller_state& caller, std::uintptr_t word, unsigned count, site_id site) override;
    void acquire_semaphore(const atomic_access& access) override;
    bool try_acquire_semaphore(const caller_state& caller, const atomic_access& access) override;
    void time_out(site_id site) override;
    int create_thread(void (*body)(void*), void* argument, site_id site) override;
    void join_thread(int thread, site_id site) override;
    void note_own_id() override { self().asked_id = true; }
    void leave_stack(const code_point& at) override;
    void note_limit(std::string_view what, site_id site) override;
    [[noreturn]] void refuse(std::string_view what, site_id site) override;
    int thread() const noexcept override { return number_ - 1; }

private:
    /// What a read saw.
    struct seen_value {
        std::uint64_t value = 0;
        event_id id = initial_write;
        event_id source = initial_write;
        bool spurious = false;
        bool fresh = false;  ///< the read was added in this run
        std::uint8_t variant = 0;
        std::uint32_t began = 0;  ///< step that wrote the value with which the object began
    };
    /// What a new read may do.
    struct alternative_source {
        event_id source;
        bool spurious;
        std::uint8_t variant = 0;
    };
    struct notification {
        location where;
        std::uintptr_t address;
        site_id site;  ///< no_site: by the address alone, which may be that of anything
        bool all;
        std::uint8_t number;  ///< of the thread that made it
        std::uint16_t index;  ///< of that thread's next event
        view happened;
        view prefix;
    };
    /// A wait on a condition variable, which the write of it began.
    struct condition_wait_begun {
        event_id write;
        std::uintptr_t mutex;
    };
    /// An atomic wait, by the last value that it has read.
    struct atomic_wait {
        event_id read;
        std::uint64_t old;
        view began;  ///< its prefix when it began
    };
    /// From where an atomic wait blocked on a value to where a notification woke it.
    struct ended_turn {
        std::size_t turn;                 ///< of which wait, on which value
        std::vector<std::size_t> others;  ///< earlier notifications that must have gone elsewhere
    };
    class handing_out;

    // graph_memory.cpp: runs
    [[noreturn]] void abandon();
    [[noreturn]] void diverge(std::string_view how, site_id site);
    [[noreturn]] void refuse_unknown_memory(site_id site);
    [[noreturn]] void leave_fiber();
    void block(blocked_by why);
    void add_unblocked();
    [[nodiscard]] int goes_on_turning();
    void await_turn(thread_state& self);
    void look_at_clock();
    void await_source(thread_state& self, site_id site);
    [[nodiscard]] thread_state& self() noexcept { return threads_[static_cast<std::size_t>(number_)]; }
    [[nodiscard]] bool alone() const noexcept { return number_ == main_number; }
    /// Whether nothing else runs beside the running thread: outside the threads, or before the only one has created any.
    [[nodiscard]] bool quiet() const noexcept { return alone() || before_others_; }
    [[nodiscard]] bool at_end(const thread_state& of) const noexcept { return of.next == of.path.size(); }

    // Before an operation without effect on other threads, and before one with an effect.
    void enter();
    void effect();
    void locking();

    // adding_events.cpp: events of the graph, and new ones at its end
    event_id next_event(thread_state& self, event_kind kind, site_id site);
    void describe_read(const thread_views& from, event_id id);
    void describe_write(const thread_views& from, event_id id, event_id source);
    void finish_event(thread_state& self, event_id id, site_id site);
    seen_value read_event(object& target, const read_request& how, site_id site);
    seen_value read_once(object& target, const read_request& how, site_id site);
    void complete(object& target, const read_request& how, const seen_value& seen, site_id site);
    void await_operation(std::uintptr_t address, bool reads, site_id site);
    object& come_to(std::uintptr_t address, object_kind kind, bool reads, site_id site);
    void bind(event_id id, const object& target, site_id site);
    void write_event(const object& target, order using_order, std::uint64_t value, event_id source, bool exclusive,
                     site_id site);
    [[nodiscard]] std::uint64_t value_of(event_id source, const object& target) const noexcept {
        return source == initial_write ? target.initial : (*graph_)[source].value;
    }

    // alternatives.cpp: what new events do
    void choose_source(event_id id, const object& target, const read_request& how);
    void consider_source(event_id id, std::size_t place, const object& target, const read_request& how);
    void consider_variants(event_id id, const read_request& how, std::uint64_t value);
    [[nodiscard]] bool wakes_by_itself(const read_request& how, std::uint64_t value) const noexcept;
    void consider_wake_up(event_id id, std::size_t place, const object& target, const read_request& how);
    [[nodiscard]] bool fits(event_id read, bool newest);
    [[nodiscard]] bool may_fail_once_more();
    void consider_failure(event_id id, bool newest, const read_request& how);
    void take_source(event_id id, const alternative_source& chosen) noexcept;
    void emit_other_ways(event_id id, const read_request& how, std::uint64_t value);
    void revisit_by_consumed(event_id id, event_id source, const object& target, const read_request& how);
    void revisit_by_consumed(event_id id, event_id source, const read_request& how, std::uint64_t written);
    void revisit_by(event_id write);
    void choose_place(event_id id, event_id source);

    // reuse.cpp
    [[nodiscard]] bool some_freed(std::size_t size) const noexcept;
    [[nodiscard]] bool chooses_block(std::size_t size);
    void find_candidates(std::size_t size, std::size_t alignment);
    void bound_candidates();
    void choose_block(event_id id);
    [[nodiscard]] std::uintptr_t take_block(std::uint64_t name, std::size_t size);

    // spurious_failures.cpp
    [[nodiscard]] speculation state_at(const atomic_access& access, std::uint64_t expected, std::uint64_t desired,
                                       const caller_state& caller) noexcept;
    [[nodiscard]] bool may_guess() noexcept;
    [[nodiscard]] object* come_to_weak(const atomic_access& access, object_kind kind, std::uint64_t expected,
                                       std::uint64_t desired, const caller_state& caller);
    void give_up_guess();

    // loops.cpp
    [[nodiscard]] bool reads_the_same_again(site_id site);
    [[nodiscard]] std::uint64_t hash_of(const caller_state& caller) noexcept;
    [[nodiscard]] std::uint64_t memory_state() const noexcept;
    [[nodiscard]] thread_clock clock(const caller_state& caller) const noexcept;
    [[nodiscard]] bool keeps_time(const caller_state& caller) const noexcept;
    [[nodiscard]] bool is_loop_site(site_id site);
    [[nodiscard]] std::optional<loop_watch::visit> note_visit(site_id site, const caller_state& caller,
                                                              std::uint64_t operands);
    void watch_loop(const atomic_access& access, const caller_state& caller, std::uint64_t expected = 0,
                    std::uint64_t desired = 0);
    void note_repetition(thread_state& me, event_id id, std::uint64_t value, site_id site);
    void bound_turns(thread_state& me, std::uintptr_t address, site_id site);

    // plain_bytes.cpp
    [[nodiscard]] byte_shadow::access access_now(byte_access how) noexcept {
        return {how, static_cast<std::uint8_t>(number_), epoch()};
    }
    byte_shadow::findings note_access(memory_range where, byte_access how) {
        return shadow_.note(where, access_now(how), self().happened);
    }
    void note_bytes(memory_range where, byte_access how, const code_point& at);
    void explain(const byte_shadow::findings& found, memory_range where, byte_access how, const code_point& at);
    [[noreturn]] void fail_bytes(violation_kind kind, memory_range where, std::string_view happened,
                                 const code_point& at);
    void require_harmless_bytes(memory_range where, byte_access how);
    void bring_up_to_date(memory_range where);
    void end_objects(memory_range where, const code_point* at = nullptr);
    void require_unused(object& ending, const code_point* at);
    void free_bytes(memory_range block);
    void note_plain_write(std::uintptr_t address);
    void touch_waiting_place(memory_range where, object_kind kind, const code_point& at);
    void note_stored(const atomic_access& access);
    void begin_object_at(memory_range where, object_kind kind, std::uint64_t initial);
    [[nodiscard]] std::uint64_t newest_value(object& of);
    [[nodiscard]] site_id site_of(const code_point& at) const;
    void count_plain(const code_point& at);
    void set_aside_endless(const code_point& at);
    [[nodiscard]] bool compared(std::uintptr_t address) const noexcept;

    // plain_traces.cpp
    void begin_plain_trace() noexcept;
    void trace_bytes(memory_range where, byte_access how, const code_point& at);
    [[nodiscard]] bool gets_step(memory_range where) noexcept;
    void note_history(memory_range where, byte_access how, site_id site);
    [[nodiscard]] bool is_shared(memory_range where) const;
    [[nodiscard]] std::string place_of_other(memory_range where) const;

    // local_variables.cpp
    void end_locals();
    void require_room_on_stack(std::uintptr_t frame, site_id site);
    [[nodiscard]] std::string name_of_local(std::uintptr_t address) const;
    [[nodiscard]] std::string name_of_bytes(memory_range where) const;

    // thread_creation.cpp
    static void run_created(void* self, int number);
    [[nodiscard]] bool could_have_id_of_another() const noexcept;

    // condition_variables.cpp
    [[nodiscard]] bool waits_idly(const caller_state& caller, std::uintptr_t condition, site_id site,
                                  const wait_limit& limit);
    void wait_idly(location condition, const wait_limit& limit);
    void bound_lock_turns();
    void change(object& target, const read_request& how, site_id site);
    void require_same_mutex(const seen_value& before, std::uintptr_t mutex, site_id site);
    void note_shared(std::uintptr_t mutex);
    [[nodiscard]] bool holds_shared(int number, std::uintptr_t mutex) const;

    // notifications.cpp
    [[nodiscard]] location meant_by(std::uintptr_t address);
    [[nodiscard]] bool is_gone(std::uintptr_t address);
    void note_notification(location meant, std::uintptr_t address, bool all, site_id site);
    void require_not_notified(memory_range ending);
    void notifies_too_late(std::string_view how, site_id site);
    [[nodiscard]] bool accepts(violation_kind kind, site_id site);

    // futexes.cpp
    seen_value change_line(object& line, const read_request& how, site_id site);
    void choose_end(event_id fence);
    [[nodiscard]] bool fence_of_kernel(bool may_end, site_id site);
    seen_value look_at_word(object& word, std::uint32_t expected, site_id site);
    [[nodiscard]] futex_end sleep_on(object& word, std::uint32_t expected, const wait_limit& limit, site_id site);

    // outside_threads.cpp: where nothing else runs
    void leave_quiet() noexcept { before_others_ = false; }
    void note_quiet_read() noexcept;
    void note_first_value(const object& target, event_id source, site_id reader);
    [[nodiscard]] object& settled(object& target);
    seen_value read_alone(const object& target, const read_request& how, site_id site);
    void write_alone(object& target, std::uint64_t value, site_id site) noexcept;

    // lifetimes.cpp
    [[noreturn]] void fail_about(const object& what, violation_kind kind, std::string_view happened, site_id site);
    // Finds the object for an access to it; it must be alive.
    object& live(std::uintptr_t address, site_id site);
    [[noreturn]] void fail_not_alive(object* found, std::uintptr_t address, site_id site);
    object& touch(std::uintptr_t address, site_id site, object_kind kind);
    void retire(object& dying, site_id site, const char* how);
    [[nodiscard]] std::uint16_t epoch() noexcept { return static_cast<std::uint16_t>(self().happened[index()] + 1); }
    [[nodiscard]] std::size_t index() const noexcept { return static_cast<std::size_t>(number_); }
    void note_meeting(const object& touched) noexcept;
    [[nodiscard]] bool note_read(object& target) noexcept;
    [[nodiscard]] bool note_write(object& target) noexcept;
    void require_harmless(std::uintptr_t address, bool writes);

    // tracing.cpp
    void step(site_id site);
    [[noreturn]] void fail_too_long(std::uint64_t limit, const char* of_what, site_id site);
    [[noreturn, gnu::cold]] void end_too_long(site_id site);
    void make_room_for(site_id site);
    void mark(site_id site, std::uint8_t flag);
    void note_crossing(event_id source, site_id reader);
    trace_step* record(const char* operation, site_id site, const object* of);
    void record_read(trace_step* entry, const seen_value& seen, const object& of) const;

    // standstill.cpp
    [[nodiscard]] bool some_endless() const noexcept;
    [[nodiscard]] bool waits_for_ever(const thread_state& waiter) const;
    [[nodiscard]] bool latest(event_id read) const;
    [[nodiscard]] bool woken(const thread_state& waiter) const;
    [[nodiscard]] bool made_in_vain(event_id write) const;
    [[nodiscard]] bool saw_another_value(const thread_state& by, const event& read) const;
    [[nodiscard]] bool turns_for_ever(const thread_state& waiter) const;
    [[nodiscard]] const object* object_at(location where) const;

    // woken_waits.cpp
    [[nodiscard]] std::uint16_t newest_known(const notification& call) const;
    [[nodiscard]] bool precedes(std::size_t first, std::size_t second) const;
    [[nodiscard]] view before_blocking(const view& began, event_id on) const;
    [[nodiscard]] std::optional<std::uint16_t> turn_ended_by(const notification& call, const atomic_wait& wait) const;
    [[nodiscard]] std::vector<ended_turn> turns_ended_by(std::size_t call, const std::vector<atomic_wait>& waits) const;
    [[nodiscard]] std::vector<atomic_wait> all_waits() const;
    [[nodiscard]] bool notified(const thread_state& waiter) const;

    static constexpr std::string_view unlocked_by_others = "a mutex is unlocked by a thread that does not hold it";
    static constexpr std::string_view tried_by_owner = "a thread tries to lock a mutex that it holds";

    memory_options options_;
    fibers stacks_;
    std::array<thread_state, max_numbers> threads_;
    thread_tree tree_;
    objects objects_;
    byte_shadow shadow_;
    std::uint64_t plain_accesses_ = 0;
    std::uint64_t plain_limit_ = 0;    ///< at so many, the thread that runs is endless
    std::vector<noted_access> noted_;  ///< while tracing, oldest first; some thousands at most
    std::vector<plain_step> plain_steps_;
    plain_window plain_window_;
    memory_range failed_bytes_{};  ///< what the violation is about
    execution_graph* graph_ = nullptr;
    graph_sink* sink_ = nullptr;
    chooser* chooser_ = nullptr;
    facts_table facts_;
    consistency model_;
    std::size_t executed_ = 0;
    int number_ = main_number;
    int chosen_ = -1;  ///< the thread that may add the next event
    std::array<std::uint32_t, max_numbers> locations_{};
    freed_blocks freed_;
    std::vector<notification> notifications_;
    std::vector<atomic_wait> waits_;  ///< that returned
    std::vector<accepted_violation> accepted_;
    std::vector<condition_wait_begun> condition_waits_;
    std::vector<event_id> order_;  ///< scratch: coherence of one location
    std::vector<alternative_source> sources_;
    std::vector<std::uint16_t> places_;
    std::vector<freed_block> candidates_;
    std::vector<int> runnable_;
    execution_graph alternative_;

    std::optional<violation> found_;
    ordeal::trace trace_;
    std::vector<std::uint8_t> reached_;
    enum class loop_knowledge : std::uint8_t { unasked, none, known };
    std::vector<loop_knowledge> loop_sites_;   ///< by site id
    std::set<std::string> loops_from_before_;  ///< names of sites
    std::uint64_t never_equal_ = 0;
    findings met_;
    std::uint32_t step_ = 0;        ///< of the trace
    std::uint32_t operations_ = 0;  ///< the same, but for plain accesses
    std::uint64_t total_steps_ = 0;
    unsigned added_ = 0;  ///< operations that this run added to its graph
    std::chrono::steady_clock::time_point leave_at_ = std::chrono::steady_clock::time_point::max();
    bool executing_ = false;
    bool failing_ = false;
    bool abandoned_ = false;
    bool finishing_ = false;
    bool tracing_ = false;
    bool before_others_ = false;
    unsigned quiet_reads_ = 0;  ///< since it last did something else
};

}  // namespace ordeal::graph
