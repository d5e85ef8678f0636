// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/facts/site_coverage.hpp"
#include "ordeal/engine/graph/core/facts/trace_recorder.hpp"
#include "ordeal/engine/graph/non_atomic/byte_shadow.hpp"
#include "ordeal/engine/graph/non_atomic/memory_names.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ordeal::detail::graph {

/// Records a selection of non-atomic accesses in a trace. Without a trace it does nothing.
class non_atomic_recorder {
public:
    non_atomic_recorder(run_state& run, recorder& recorder, const memory_names& names)
        : run_(run), recorder_(recorder), names_(names) {}

    void begin() noexcept;

    /// Gives an access a step, if there is room. `which`: the number of non-atomic accesses before it.
    void access(std::uint64_t which, memory_range where, byte_access how, const code_location& at) {
        if (recorder_.on()) [[unlikely]]
            add_access(which, where, how, at);
        run_.note_access(where, writes(how));
    }
    /// An access without a step.
    void note(memory_range where, byte_access how, const code_location& at) {
        if (recorder_.on()) [[unlikely]]
            add_noted(where, how, site_of(at));
    }
    /// The violation is about these bytes: accesses of the other thread to them are kept in the trace.
    void note_failed(memory_range where);

    /// Adds a step for an access that a violation is about and that its thread is about to make.
    void add_due(const byte_shadow::access& other, memory_range where);

    /// " at a.cpp:12", of the access with which an access to these bytes raced; empty if that was not traced.
    [[nodiscard]] std::string place_of(const byte_shadow::access& other, memory_range where) const;
    /// "the notify_one": what that access is part of; empty if it is an operation of an atomic, or a non-atomic access.
    [[nodiscard]] std::string operation_of(const byte_shadow::access& other, memory_range where) const;

    /// A traced run with very many non-atomic accesses records the first of them. Whether some were left out; then the
    /// next run can record the last of them instead.
    [[nodiscard]] bool left_out() const noexcept { return window_.left_out; }
    void keep_last(std::uint64_t of);
    void keep_first() noexcept { window_ = {}; }

    /// Removes accesses from the trace whose bytes only one thread accessed.
    void drop_private_steps(bool violated);

private:
    /// The positions of the suspensions of coroutines that nothing resumes; gives each a note that says so.
    std::set<std::size_t> mark_last_suspensions();
    [[nodiscard]] const site* other_site(const byte_shadow::access& other, memory_range where) const;
    struct noted_access {
        memory_range where;
        site_id site = no_site;
        std::uint32_t step = 0;  ///< 0: not in the trace, or not as a non-atomic access
        std::uint8_t thread_id = 0;
        bool writes = false;

        [[nodiscard]] bool operator==(const noted_access& other) const noexcept {
            return where.address == other.where.address && where.size == other.where.size && site == other.site &&
                   step == other.step && thread_id == other.thread_id && writes == other.writes;
        }
    };
    /// A step of the trace that is a non-atomic access, by its index.
    struct non_atomic_step {
        std::size_t index;
        memory_range where;
    };
    /// The accesses that get steps, as numbers within the execution, and those to the bytes of the violation.
    struct window {
        std::uint64_t begin = 0;
        memory_range always{};
        unsigned steps_outside = 0;
        bool left_out = false;
    };

    void add_access(std::uint64_t which, memory_range where, byte_access how, const code_location& at);
    void add_noted(memory_range where, byte_access how, site_id site);
    [[nodiscard]] bool gets_step(std::uint64_t which, memory_range where) noexcept;
    [[nodiscard]] bool is_shared(memory_range where) const;

    run_state& run_;
    recorder& recorder_;
    const memory_names& names_;
    std::vector<noted_access> noted_;  ///< oldest first; some thousands at most
    std::vector<non_atomic_step> steps_;
    window window_;
    memory_range failed_{};  ///< what the violation is about
};

}  // namespace ordeal::detail::graph
