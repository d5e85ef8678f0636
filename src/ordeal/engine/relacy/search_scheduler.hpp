// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of kernel.cpp, to be included after all other headers: Relacy, and how choices are made.
#pragma once

#include "ordeal/engine/relacy/kernel.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <cstddef>
#include <cstdint>
#include <iosfwd>

// Relacy, without its macros: must be included after all other headers.
#include <relacy/relacy.hpp>

#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno
#undef VAR
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst
#undef $

namespace ordeal::detail::relacy {

// The state of the running search.
struct control {
    program* what = nullptr;
    run_options how;
    run_result result;
    std::uint32_t signature = 0;
    std::uint8_t choices[max_choices];
};

inline control* active = nullptr;

inline const ::rl::debug_info here("", "", 0);

inline std::uint64_t mix(std::uint64_t value) noexcept {  // splitmix64
    return mixed_bits(value + 0x9e3779b97f4a7c15u);
}

// Relacy's own tree search, with choices that can be bounded, drawn at random from a seed, or given. It also makes sure
// that each choice is made once.
template <::rl::thread_id_t Threads>
class search_scheduler
    : public ::rl::tree_search_scheduler<search_scheduler<Threads>, ::rl::context_bound_scheduler_thread_info<Threads>,
                                         Threads> {
public:
    using base = ::rl::tree_search_scheduler<search_scheduler<Threads>,
                                             ::rl::context_bound_scheduler_thread_info<Threads>, Threads>;
    using typename base::shared_context_t;
    using typename base::thread_info_t;

    search_scheduler(::rl::test_params& params, shared_context_t& context, ::rl::thread_id_t dynamic)
        : base(params, context, dynamic) {}

    ::rl::thread_id_t iteration_begin_impl() {
        this->stree_depth_ = 0;
        remaining_ = active->how.preemptions;
        if (active->how.random) {
            this->stree_.clear();
            random_ = mix(active->how.seed ^ mix(this->iter_));
        }
        for (bool& each : chosen_) each = true;
        active->signature = 0;
        const auto count = static_cast<unsigned>(this->running_threads_count);
        return this->running_threads[count == 1 ? 0 : rand_impl(count, ::rl::sched_type_sched)];
    }

    // A thread that runs for the first time was already chosen for its first operation; Relacy would choose again
    // there.
    ::rl::thread_id_t schedule_impl(::rl::unpark_reason& reason, unsigned yield) {
        const ::rl::thread_id_t self = this->thread_->index_;
        const bool chosen = chosen_[self];
        chosen_[self] = false;
        if (chosen && yield == 0 && this->thread_->state_ == ::rl::thread_state_running) {
            reason = ::rl::unpark_reason_normal;
            return self;
        }
        // Relacy treats a thread that blocks as one that yields, and would delay it even after it was woken.
        const bool runs = this->thread_->state_ == ::rl::thread_state_running;
        return base::schedule_impl(reason, runs ? yield : 0);
    }

    bool iteration_end_impl() {
        active->result.executions = this->iter_;
        if (active->how.replay != nullptr || this->stree_depth_ != this->stree_.size()) {
            check_depth();
            save_choices();
            return true;
        }
        const bool done =
            active->how.random ? this->iter_ >= active->how.random_executions : base::iteration_end_impl();
        if (!done && active->what->stop()) {
            active->result.stopped = true;
            return true;
        }
        return done;
    }

    bool can_switch(thread_info_t&) {
        if (remaining_ != 0) return true;
        if (this->running_threads_count > 1) active->result.bounded = true;
        return false;
    }

    void on_switch(thread_info_t& thread) {
        if (remaining_ != unbounded && remaining_ != 0 && thread.state_ == ::rl::thread_state_running) --remaining_;
    }

    unsigned rand_impl(unsigned count, ::rl::sched_type type) {
        const std::size_t depth = this->stree_depth_;
        if (depth == this->stree_.size()) {
            typename base::stree_node node = {count, first_choice(depth, count), type, active->signature};
            this->stree_.push_back(node);
        }
        const auto& node = this->stree_[depth];
        if (node.type_ != type || node.count_ != count || node.pad_ != active->signature) {
            active->result.diverged = true;
            save_choices();
            ::rl::ctx().fail_test("", ::rl::test_result_user_assert_failed, here);
        }
        ++this->stree_depth_;
        // Relacy's first alternative for a weak exchange is a spurious failure; here the simple case comes first.
        return type == ::rl::sched_type_cas_fail ? count - 1 - node.index_ : node.index_;
    }

    // Relacy calls this when an execution has failed.
    void get_state_impl(std::ostream&) {
        active->result.executions = this->iter_;
        check_depth();
        save_choices();
    }
    void set_state_impl(std::istream&) {}
    ::rl::iteration_t iteration_count_impl() { return this->iter_ + 1; }

private:
    unsigned first_choice(std::size_t depth, unsigned count) {
        if (active->how.replay != nullptr) {
            const unsigned given = depth < active->how.replay_size ? active->how.replay[depth] : 0;
            if (given < count) return given;
            active->result.diverged = true;
            return 0;
        }
        if (!active->how.random) return 0;
        random_ = mix(random_);
        return static_cast<unsigned>((random_ >> 32) % count);
    }

    // Fails if choices remain of an earlier execution with this prefix, or of a replay.
    void check_depth() {
        const std::size_t depth = this->stree_depth_;
        if (depth < this->stree_.size() || (active->how.replay != nullptr && depth < active->how.replay_size)) {
            active->result.diverged = true;
        }
    }

    void save_choices() {
        const std::size_t size = this->stree_depth_ < max_choices ? this->stree_depth_ : max_choices;
        for (std::size_t i = 0; i < size; ++i) active->choices[i] = static_cast<std::uint8_t>(this->stree_[i].index_);
        active->result.choices = active->choices;
        active->result.choices_size = size;
    }

    unsigned remaining_ = unbounded;
    std::uint64_t random_ = 0;
    bool chosen_[Threads] = {};  // the thread has not made its first step
};

}  // namespace ordeal::detail::relacy
