// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/event_facts.hpp"
#include "ordeal/engine/graph/execution/execution_state.hpp"
#include "ordeal/engine/graph/execution/fibers.hpp"
#include "ordeal/engine/graph/execution/notifications.hpp"
#include "ordeal/engine/graph/execution/object_lives.hpp"
#include "ordeal/engine/graph/execution/prologue.hpp"
#include "ordeal/engine/graph/execution/quiet_memory.hpp"
#include "ordeal/engine/graph/execution/run_end.hpp"
#include "ordeal/engine/graph/execution/site_marks.hpp"
#include "ordeal/engine/graph/execution/stack_room.hpp"
#include "ordeal/engine/graph/execution/thread_tree.hpp"
#include "ordeal/engine/graph/execution/turns.hpp"
#include "ordeal/engine/graph/execution_graph.hpp"
#include "ordeal/engine/graph/exploration/findings.hpp"
#include "ordeal/engine/graph/plain/cells.hpp"
#include "ordeal/engine/graph/plain/plain_memory.hpp"
#include "ordeal/engine/graph/read_request.hpp"
#include "ordeal/engine/graph/revisits.hpp"
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

struct memory_options {
    unsigned spurious = 0;
    unsigned reuse = 0;  ///< how often freed memory may come back in an execution
    unsigned step_limit = 10'000;
    std::uint64_t plain_limit = 20'000'000;  ///< plain accesses of instrumented code in one execution
    bool instrumented = false;
    std::vector<acceptance> accept{};  ///< violations that are gone on behind
};

/// The port over an execution graph. One run takes the threads through what the graph has, each read answered from it,
/// and goes on at its end with new events; alternatives to those go to a sink. See docs/engines.md.
class graph_memory final : public byte_memory {
public:
    /// `threads`: those of the scenario; they may create more.
    graph_memory(const memory_options& options, int threads);

    /// Before and after each run. The graph grows during the run.
    void begin(execution_graph& graph, strategy& how, bool tracing);
    void leave() noexcept { end_.leave(); }

    [[nodiscard]] fibers& stacks() noexcept { return stacks_; }
    [[nodiscard]] thread_tree& threads() noexcept { return tree_; }
    /// Whether some thread has begun and is not over.
    [[nodiscard]] bool some_unfinished() const noexcept;
    [[nodiscard]] bool refused() const noexcept { return end_.refused(); }
    /// The scenario object is made of these bytes now.
    void begin_object(memory_range where) {
        if (options_.instrumented) plain_.begin_object(where);
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
    [[nodiscard]] bool replayed() const noexcept { return run_.replayed(); }
    /// When no thread can run and some are not finished.
    [[nodiscard]] bool stuck_for_ever();
    [[nodiscard]] violation_kind kind_of_standstill() const;
    /// Whether some thread goes round until a clock says something else, which stands still.
    [[nodiscard]] bool waits_for_clock() const;
    /// As refuse(), without a thread doing anything.
    void give_up(std::string_view what) { end_.give_up(what); }
    [[nodiscard]] std::string words_for_standstill() const;

    /// Whether the graph that was run is an execution: for one that was not made by a search.
    [[nodiscard]] bool is_execution() const;

    [[nodiscard]] const std::optional<violation>& found() const noexcept { return end_.found(); }
    [[nodiscard]] bool abandoned() const noexcept { return end_.abandoned(); }
    [[nodiscard]] const ordeal::trace& steps() const noexcept { return recorder_.steps(); }
    /// In this execution, each once.
    [[nodiscard]] const std::vector<accepted_violation>& accepted() const noexcept { return run_.accepted; }
    [[nodiscard]] const findings& met() const noexcept { return met_; }
    /// By site id, as sites_of() has it.
    [[nodiscard]] const std::vector<std::uint8_t>& reached() const noexcept { return marks_.all(); }
    /// The places where loops were found to come back, by name; for a search that goes on in another process.
    [[nodiscard]] std::vector<std::string> loops() const;
    void expect_loops(const std::vector<std::string>& names);
    /// A systematic run that is still adding events then leaves the rest of its graph to another one.
    void leave_at(std::chrono::steady_clock::time_point when) noexcept { turns_.leave_at(when); }
    [[nodiscard]] bool executing() const noexcept { return run_.executing; }
    [[nodiscard]] std::uint64_t total_steps() const noexcept { return prologue_.total_steps(); }

    [[nodiscard]] plain_recorder& plain_steps() noexcept { return plain_.steps(); }
    [[nodiscard]] std::uint64_t plain_accesses() const noexcept { return plain_.accesses(); }

    /// Whether this address is where a thread comes that has used up its stack.
    [[nodiscard]] bool is_beyond_stacks(std::uintptr_t address) const noexcept { return room_.is_beyond(address); }
    /// That the running thread has. Allocates nothing; valid until the next call.
    [[nodiscard]] const char* words_for_used_up_stack() noexcept { return room_.words_for_used_up(); }
    /// Whether fail() is at work: what goes wrong in it is not the code on trial's fault.
    [[nodiscard]] bool failing() const noexcept { return end_.failing(); }

    /// Adds what was found out without a thread doing anything as the last step.
    void conclude(violation_kind kind, std::string_view message) { end_.conclude(kind, message); }

    std::uint64_t load(const atomic_access& access) override;
    void store(const atomic_access& access, std::uint64_t value) override;
    std::uint64_t modify(const atomic_access& access, modification how, std::uint64_t operand) override;
    bool compare_exchange(const atomic_access& access, order failure, site_id failure_site, bool weak,
                          std::uint64_t& expected, std::uint64_t desired) override;
    void fence(order using_order, site_id site) override;
    void wait(const atomic_access& access, std::uint64_t old) override;
    void notify(memory_range where, bool all, site_id site) override { notifications_.notify(where, all, site); }
    void lock(std::uintptr_t mutex, site_id site) override;
    bool try_lock(std::uintptr_t mutex, site_id site) override;
    void unlock(std::uintptr_t mutex, site_id site) override;
    void read(memory_range where, site_id site) override { cells_.read(where, site); }
    void write(memory_range where, site_id site) override { cells_.write(where, site); }
    void begin_life(memory_range where, object_kind kind, std::uint64_t initial, site_id site) override {
        lives_.begin(where, kind, initial, site);
    }
    void end_life(memory_range where, site_id site) override { lives_.end(where, site); }
    std::uintptr_t freed_before(std::size_t size, std::size_t alignment) override;
    void allocated(memory_range block) override;
    void freed(memory_range block) override;
    void yield(site_id site) override;
    [[noreturn]] void fail(violation_kind kind, std::string_view message, site_id site) override {
        end_.fail(kind, message, site);
    }
    void read_bytes(memory_range where, const code_point& at) override { plain_.read(where, at); }
    void write_bytes(memory_range where, const code_point& at) override { plain_.write(where, at); }
    void copy_bytes(std::uintptr_t to, memory_range from, const code_point& at) override { plain_.copy(to, from, at); }
    void fresh_bytes(memory_range where) override { plain_.fresh(where); }
    void touch_atomic(memory_range where, bool writes, const code_point& at) override {
        plain_.touch_atomic(where, writes, at);
    }
    void notify_address(std::uintptr_t address, bool all, site_id site) override {
        notifications_.notify_address(address, all, site);
    }
    void touch_lock(memory_range where, const code_point& at) override {
        plain_.touch_waiting_place(where, object_kind::mutex, at);
    }
    void touch_condition(memory_range where, const code_point& at) override {
        plain_.touch_waiting_place(where, object_kind::condition, at);
    }
    [[gnu::noinline]] std::uint64_t load_for(const caller_state& caller, const atomic_access& access) override;
    [[gnu::noinline]] std::uint64_t modify_for(const caller_state& caller, const atomic_access& access,
                                               modification how, std::uint64_t operand) override;
    [[gnu::noinline]] bool compare_exchange_for(const caller_state& caller, const atomic_access& access, order failure,
                                                site_id failure_site, bool weak, std::uint64_t& expected,
                                                std::uint64_t desired) override;
    [[gnu::noinline]] bool try_lock_for(const caller_state& caller, std::uintptr_t mutex, site_id site) override;
    bool holds(std::uintptr_t mutex) override { return lives_.holds(mutex); }
    bool holds_shared(std::uintptr_t mutex) override { return lives_.holds_shared(run_.number, mutex); }
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
    void note_own_id() override { run_.self().asked_id = true; }
    void leave_stack(const code_point& at) override { room_.require(at.frame, site_of(at)); }
    void note_limit(std::string_view what, site_id site) override { end_.note_limit(what, site); }
    [[noreturn]] void refuse(std::string_view what, site_id site) override { end_.refuse(what, site); }
    int thread() const noexcept override { return run_.number - 1; }

private:
    /// What a new read may do.
    struct alternative_source {
        event_id source;
        bool spurious;
        std::uint8_t variant = 0;
    };
    /// From where an atomic wait blocked on a value to where a notification woke it.
    struct ended_turn {
        std::size_t turn;                 ///< of which wait, on which value
        std::vector<std::size_t> others;  ///< earlier notifications that must have gone elsewhere
    };
    class handing_out;

    // graph_memory.cpp: runs
    void add_unblocked();
    [[nodiscard]] int goes_on_turning();

    // adding_events.cpp: events of the graph, and new ones at its end
    event_id next_event(thread_state& self, event_kind kind, site_id site);
    void describe_read(const thread_state& self, event_id id);
    void describe_write(const thread_state& self, event_id id, event_id source);
    void finish_event(thread_state& self, event_id id, site_id site);
    seen_value read_event(object& target, const read_request& how, site_id site);
    seen_value read_once(object& target, const read_request& how, site_id site);
    void complete(object& target, const read_request& how, const seen_value& seen, site_id site);
    void await_operation(std::uintptr_t address, bool reads, site_id site);
    object& come_to(std::uintptr_t address, object_kind kind, bool reads, site_id site);
    void bind(event_id id, const object& target, site_id site);
    [[nodiscard]] event_id last_writer_of_lock(event_id source) const;
    void write_event(const object& target, order using_order, std::uint64_t value, event_id source, bool exclusive,
                     site_id site);

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

    // futexes.cpp
    seen_value change_line(object& line, const read_request& how, site_id site);
    void fence_of_kernel(site_id site);
    [[nodiscard]] futex_end sleep_on(object& word, std::uint32_t expected, const wait_limit& limit, site_id site);

    // standstill.cpp
    [[nodiscard]] bool some_endless() const noexcept;
    [[nodiscard]] bool waits_for_ever(const thread_state& waiter) const;
    [[nodiscard]] bool latest(event_id read) const;
    [[nodiscard]] bool woken(const thread_state& waiter) const;
    [[nodiscard]] bool made_in_vain(event_id write) const;
    [[nodiscard]] bool saw_another_value(const thread_state& by, const event& read) const;
    [[nodiscard]] bool turns_for_ever(const thread_state& waiter) const;

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
    thread_tree tree_;
    findings met_;
    execution_state run_;
    recorder recorder_{run_, options_.instrumented};
    run_end end_{run_, stacks_, recorder_, met_};
    site_marks marks_{run_};
    stack_room room_{run_, stacks_, end_};
    prologue prologue_{{options_.step_limit, options_.instrumented}, run_, end_, marks_, room_, met_};
    turns turns_{run_, stacks_, end_};
    quiet_memory quiet_{run_, end_, marks_};
    notifications notifications_{options_.accept, options_.instrumented, run_, prologue_, end_, recorder_};
    object_lives lives_{run_, prologue_, end_, recorder_, notifications_, quiet_, met_};
    cells cells_{run_, stacks_, prologue_, end_, recorder_, lives_};
    plain_memory plain_{{options_.plain_limit}, run_, stacks_, recorder_, prologue_, end_, turns_, lives_,
                        notifications_};
    execution_graph* graph_ = nullptr;
    facts_table& facts_ = run_.facts;
    strategy* strategy_ = nullptr;
    std::vector<event_id> order_;  ///< scratch: coherence of one location
    std::vector<alternative_source> sources_;
    std::vector<std::uint16_t> places_;
    std::vector<freed_block> candidates_;
    std::vector<int> runnable_;
    execution_graph alternative_;

    enum class loop_knowledge : std::uint8_t { unasked, none, known };
    std::vector<loop_knowledge> loop_sites_;   ///< by site id
    std::set<std::string> loops_from_before_;  ///< names of sites
    std::uint64_t never_equal_ = 0;
};

}  // namespace ordeal::graph
