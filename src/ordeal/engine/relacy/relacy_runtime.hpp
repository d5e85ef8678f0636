// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/execution/code_on_trial.hpp"
#include "ordeal/engine/execution/object_table.hpp"
#include "ordeal/engine/relacy/kernel.hpp"
#include "ordeal/engine/relacy/limits.hpp"
#include "ordeal/runtime/runtime.hpp"
#include "ordeal/runtime/trace.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ordeal::detail::relacy {

/// Value of `owner`; -1 is construction and finish().
inline constexpr int not_locked = -2;

/// An object of the code on trial, with its counterparts in Relacy.
struct object : tracked_object {
    void* shadow = nullptr;  ///< relacy::shadow_*
    void* handle = nullptr;  ///< relacy::atomic_* or mutex_*
    int last_thread = -1;
    unsigned writes = 0;     ///< to an atomic, the initial value included
    unsigned touched = 0;    ///< bit set of the threads that accessed it
    unsigned writers = 0;    ///< bit set of the threads that wrote it after construction
    int owner = not_locked;  ///< of a mutex
    bool non_rmw_stores = false;
    bool modified = false;     ///< by a read-modify-write
    std::vector<int> waiting;  ///< threads blocked until it changes

    void renew() {
        std::vector<int> kept = std::move(waiting);
        kept.clear();
        *this = {};
        waiting = std::move(kept);
    }
};

using object_table = ordeal::detail::object_table<object>;

/// The runtime over Relacy. It adds what Relacy does not check: lifetimes as accesses, frames, allocation, and which
/// step a value was read from. See docs/reference/engines.md for each repair and each limit.
class relacy_runtime final : public runtime {
public:
    struct violation {
        violation_kind kind;
        std::string message;
    };

    /// Before and after each execution.
    void begin(bool tracing);
    void end();
    /// After a run: Relacy itself may have left the last execution without end().
    void leave() noexcept;

    /// Whether steps belong to the threads (true) or to construction and finish().
    void enter_threads(bool inside) noexcept { inside_threads_ = inside; }

    [[nodiscard]] const std::optional<violation>& found() const noexcept { return found_; }
    /// Whether an assumption did not hold, which ends the search.
    [[nodiscard]] bool false_assumption() const noexcept { return false_assumption_; }
    [[nodiscard]] const ordeal::detail::trace& steps() const noexcept { return trace_; }
    [[nodiscard]] const limits& noted_limits() const noexcept { return limits_; }
    /// By site id, as in sites_of().
    [[nodiscard]] const std::vector<std::uint8_t>& reached() const noexcept { return reached_; }
    [[nodiscard]] bool executing() const noexcept { return executing_; }
    /// Whether two threads accessed one object in some execution so far.
    [[nodiscard]] bool threads_shared_object() const noexcept { return threads_shared_object_; }
    /// The thread has finished.
    void finish_thread(int thread) noexcept { last_ran_[static_cast<std::size_t>(thread)] = over; }
    /// Of an execution that does not end: whether a fair scheduler, or a memory in which each write becomes visible
    /// eventually, could have produced it.
    void note_unfairness(int threads) noexcept;
    [[nodiscard]] std::uint64_t total_steps() const noexcept { return total_steps_; }

    /// Adds a violation that Relacy itself found as the last step.
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
    void allocated(memory_range block) override;
    void freed(memory_range block) override;
    void yield(site_id site) override;
    [[noreturn]] void fail(violation_kind kind, std::string_view message, site_id site,
                           memory_range about = {}) override;
    [[noreturn]] void end_by_assumption(site_id site) override;
    int thread() const noexcept override;

private:
    friend fences_around<relacy_runtime>;

    void add_fence(order with, site_id site);
    [[noreturn]] void fail_about(const object& what, violation_kind kind, std::string_view happened, site_id site);
    object& live(std::uintptr_t address, site_id site);
    object& touch(std::uintptr_t address, site_id site, object_kind kind);
    object& atomic(const atomic_access& access) {
        return touch(access.where.address, access.site, object_kind::atomic);
    }
    void retire(object& dying, site_id site, const char* how);
    [[nodiscard]] stored_value made_by(const atomic_access& access, std::uint64_t value) const noexcept;
    void note_write(object& written, bool non_rmw, order using_order) noexcept;
    void note_order(order using_order, bool is_fence) noexcept;
    void note_crossing(const stored_value& seen, site_id reader) noexcept;
    void note_ran() noexcept;
    void note_age(const stored_value& seen, const object& of) noexcept;
    void note_sharing(object& touched) noexcept;
    void mark(site_id site, std::uint8_t flag) noexcept;
    void step(unsigned operation, site_id site);
    void next_step() noexcept {
        ++step_;
        ++total_steps_;
    }
    trace_step* record(const char* operation, site_id site, const object* of);
    void record_value(trace_step* entry, const stored_value& seen, const object& of) const;

    static constexpr std::uint32_t over = ~0u;

    object_table objects_;
    limits limits_;
    std::array<std::uint32_t, max_threads> last_ran_{};  ///< by thread: the step at which it last ran
    std::uint32_t last_stale_ = 0;                       ///< the latest step that read a stale value
    bool threads_shared_object_ = false;
    std::bitset<64> freed_;  ///< in this execution, by size
    std::optional<violation> found_;
    bool false_assumption_ = false;
    ordeal::detail::trace trace_;
    std::vector<std::uint8_t> reached_;
    std::uint32_t step_ = 0;
    std::uint64_t total_steps_ = 0;
    bool executing_ = false;
    bool inside_threads_ = false;
    bool tracing_ = false;
    bool seq_cst_access_ = false;
    bool seq_cst_fence_ = false;
};

}  // namespace ordeal::detail::relacy
