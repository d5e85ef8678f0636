// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/sequential_behaviours.hpp"

#include "ordeal/runtime/execution.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ordeal::detail {

namespace {

constexpr std::size_t most_states = 1'000'000;
constexpr std::size_t most_comparisons = 100'000'000;

/// A state of a specification.
class specified_state {
public:
    explicit specified_state(const client_specification& of) : of_(&of), state_(of.initial()) {}
    specified_state(const specified_state& other) : of_(other.of_), state_(of_->copy(other.state_)) {}
    specified_state(specified_state&& other) noexcept : of_(other.of_), state_(std::exchange(other.state_, nullptr)) {}
    specified_state& operator=(const specified_state&) = delete;
    specified_state& operator=(specified_state&& other) noexcept {
        std::swap(of_, other.of_);
        std::swap(state_, other.state_);
        return *this;
    }
    ~specified_state() {
        if (state_ != nullptr) of_->destroy(state_);
    }

    [[nodiscard]] bool is_enabled(client_call call) const { return of_->is_enabled(state_, call); }
    client_result apply(client_call call, choice& choose) { return of_->apply(state_, call, choose); }
    [[nodiscard]] bool equals(const specified_state& other) const { return of_->are_equal(state_, other.state_); }

private:
    const client_specification* of_;
    void* state_;
};

}  // namespace

class sequential_behaviours::builder {
public:
    /// What the calls of a start may come to.
    struct started {
        specified_state state;
        std::vector<client_result> results;
        bool fails_as_it_may = false;
    };

    /// Nothing if the call need not be able to return.
    [[nodiscard]] static std::optional<std::vector<started>> after(const client_family& family,
                                                                   const std::vector<started>& from,
                                                                   const client_call& call) {
        std::vector<started> result;
        for (const started& each : from) {
            if (!each.state.is_enabled(call)) return std::nullopt;
            for_each_ending(family, each.state, call, [&](const client_result& ended, specified_state to, bool fails) {
                started& added = result.emplace_back(std::move(to), each.results, each.fails_as_it_may || fails);
                added.results.push_back(ended);
            });
            if (result.size() > most_states) refuse_size();
        }
        return result;
    }
    [[nodiscard]] static std::vector<started> not_started(const client_family& family) {
        std::vector<started> result;
        result.emplace_back(specified_state(*family.specification), std::vector<client_result>(), false);
        return result;
    }

    /// With the calls of each thread in their order, or in any.
    enum class order_of_threads : std::uint8_t { kept, any };

    builder(const client_family& family, const client_threads& threads, order_of_threads order)
        : family_(family), order_(order) {
        for (const auto& thread : threads) {
            first_of_thread_.push_back(calls_.size());
            calls_.insert(calls_.end(), thread.begin(), thread.end());
        }
        first_of_thread_.push_back(calls_.size());
        made.calls_ = calls_.size();
    }

    [[nodiscard]] bool follow(const std::vector<started>& from) {
        for (const started& each : from)
            made.beginnings_.push_back({each.results, add(0, each.state), each.fails_as_it_may});
        for (std::uint32_t at = 0; at < made.states_.size(); ++at) {
            if (!follow_state(at)) return false;
        }
        return true;
    }

    sequential_behaviours made;

private:
    [[nodiscard]] const client_operation& operation_of(std::size_t call) const {
        return family_.operations[calls_[call].operation];
    }

    // Of each thread the first call that has not been made, and those before it that have begun and complete later.
    [[nodiscard]] bool follow_state(std::uint32_t at) {
        const call_set done = made.states_[at].made;
        made.states_[at].first = static_cast<std::uint32_t>(made.transitions_.size());
        bool threads_wait = false;
        for (std::size_t thread = 0; thread + 1 < first_of_thread_.size(); ++thread) {
            for (std::size_t call = first_of_thread_[thread]; call < first_of_thread_[thread + 1]; ++call) {
                if (has_call(done, call)) continue;
                const bool completes_later = operation_of(call).completes_later;
                if (reached_[at].is_enabled(calls_[call])) {
                    make(at, call);
                } else {
                    threads_wait |= !completes_later;
                }
                if (!completes_later && order_ == order_of_threads::kept) break;
            }
        }
        state& here = made.states_[at];
        here.count = static_cast<std::uint32_t>(made.transitions_.size()) - here.first;
        return here.count > 0 || !threads_wait || order_ == order_of_threads::any;
    }

    // In each way in which the call can end. `visit` gets the result, the state after it, and whether the call fails
    // because it may: where the specification has no such way.
    template <class Visit>
    static void for_each_ending(const client_family& family, const specified_state& from, const client_call& call,
                                const Visit& visit) {
        const client_operation& operation = family.operations[call.operation];
        const client_result failure{operation.failure, 0};
        bool may_fail = operation.may_fail;
        choice choose;
        do {
            specified_state after(from);
            const client_result result = after.apply(call, choose);
            may_fail &= result != failure || !after.equals(from);
            visit(result, std::move(after), false);
        } while (choose.advance());
        if (may_fail) visit(failure, specified_state(from), true);
    }

    void make(std::uint32_t from, std::size_t call) {
        const call_set with_it = made.states_[from].made | only_call(call);
        const specified_state before(reached_[from]);  // what is reached may move
        for_each_ending(family_, before, calls_[call],
                        [&](const client_result& result, specified_state to, bool fails) {
                            const std::uint32_t next = add(with_it, std::move(to));
                            made.transitions_.push_back({static_cast<std::uint8_t>(call), result, next, fails});
                        });
    }

    [[noreturn]] static void refuse_size() {
        throw std::runtime_error("a client has too many sequential behaviours; take smaller sizes");
    }

    std::uint32_t add(call_set done, specified_state state) {
        std::vector<std::uint32_t>& known = by_calls_[done];
        const auto same = [&](std::uint32_t at) { return reached_[at].equals(state); };
        const auto found = std::ranges::find_if(known, same);
        compared_ += static_cast<std::size_t>(found - known.begin());
        if (found != known.end()) return *found;
        if (made.states_.size() == most_states || compared_ > most_comparisons) refuse_size();
        made.states_.push_back({0, 0, done});
        reached_.push_back(std::move(state));
        return known.emplace_back(static_cast<std::uint32_t>(reached_.size() - 1));
    }

    const client_family& family_;
    order_of_threads order_;
    std::vector<client_call> calls_;
    std::vector<std::size_t> first_of_thread_;  ///< and the number of all calls
    std::vector<specified_state> reached_;      ///< by number of the state
    std::map<call_set, std::vector<std::uint32_t>> by_calls_;
    std::size_t compared_ = 0;
};

std::optional<sequential_behaviours> sequential_behaviours::of(const client_family& family,
                                                               const std::vector<client_call>& start,
                                                               const client_threads& threads) {
    const harness_call specification_runs;
    std::vector<builder::started> from = builder::not_started(family);
    for (const client_call& call : start) {
        auto next = builder::after(family, from, call);
        if (!next) return std::nullopt;
        from = std::move(*next);
    }
    builder all(family, threads, builder::order_of_threads::kept);
    if (!all.follow(from)) return std::nullopt;
    if (family.consistency != consistency::quiescent) return std::move(all.made);
    builder in_any_order(family, threads, builder::order_of_threads::any);
    (void)in_any_order.follow(from);
    return std::move(in_any_order.made);
}

std::optional<std::size_t> sequential_behaviours::waiting_call(const client_family& family,
                                                               const std::vector<client_call>& start) {
    const harness_call specification_runs;
    std::vector<builder::started> from = builder::not_started(family);
    for (std::size_t i = 0; i < start.size(); ++i) {
        auto next = builder::after(family, from, start[i]);
        if (!next) return i;
        from = std::move(*next);
    }
    return std::nullopt;
}

// States come by the number of calls that have been made, so whatever leads to one comes before it.
std::optional<std::vector<std::vector<client_result>>> sequential_behaviours::results(std::size_t most) const {
    using result_set = std::set<std::vector<client_result>>;
    std::vector<result_set> reached(states_.size());
    result_set complete;
    std::size_t live = 0;
    for (const beginning& each : beginnings_) {
        if (each.fails_as_it_may) continue;
        live += reached[each.state].emplace(calls_, client_result{client_result::kind::pending, 0}).second;
    }
    for (std::size_t at = 0; at < states_.size(); ++at) {
        const result_set here = std::exchange(reached[at], {});
        live -= here.size();
        if (states_[at].count == 0) complete.insert(here.begin(), here.end());
        for (std::uint32_t i = states_[at].first; i < states_[at].first + states_[at].count; ++i) {
            const transition& next = transitions_[i];
            if (next.fails_as_it_may) continue;
            for (std::vector<client_result> longer : here) {
                longer[next.call] = next.result;
                live += reached[next.to].insert(std::move(longer)).second;
            }
            if (live + complete.size() > most) return std::nullopt;
        }
    }
    return std::vector<std::vector<client_result>>(complete.begin(), complete.end());
}

call_set sequential_behaviours::one_less_than(const sequential_behaviours& other) const {
    call_set result = 0;
    if (transitions_.size() != other.transitions_.size()) return result;
    for (std::size_t i = 0; i < transitions_.size(); ++i) {
        const auto& [call, here, to, fails] = transitions_[i];
        const auto& there = other.transitions_[i].result;
        const bool are_numbers = here.what == client_result::kind::number && there.what == client_result::kind::number;
        if (are_numbers && other.transitions_[i].call == call && here.number + 1 == there.number)
            result |= only_call(call);
    }
    return result;
}

/// Depth first, over the states that the results allow.
class sequential_behaviours::search {
public:
    search(const sequential_behaviours& all, std::span<const constraint> calls)
        : all_(all), calls_(calls), seen_(all.states_.size()) {
        for (std::size_t call = 0; call < calls.size(); ++call) {
            if (calls[call].result.what != client_result::kind::pending) completed_ |= only_call(call);
        }
    }

    [[nodiscard]] bool reaches_end(std::span<const client_result> start) {
        for (const beginning& each : all_.beginnings_) {
            if (may_be(each, start) && reaches_end_from(each.state)) return true;
        }
        return false;
    }

    [[nodiscard]] static bool may_be(const beginning& one, std::span<const client_result> start) {
        for (std::size_t i = 0; i < start.size(); ++i) {
            if (start[i].what != client_result::kind::pending && start[i] != one.results[i]) return false;
        }
        return true;
    }

    [[nodiscard]] bool reaches_end_from(std::uint32_t at) {
        if (seen_[at]) return false;
        seen_[at] = true;
        if (order_.size() >= longest.calls.size()) longest = {order_, at};
        const state& here = all_.states_[at];
        // A call that the specification lets complete may not be left.
        if (here.count == 0) return here.made == completed_;
        for (std::uint32_t i = here.first; i < here.first + here.count; ++i) {
            const transition& next = all_.transitions_[i];
            if (calls_[next.call].result != next.result || !may_be_next(here, next.call)) continue;
            order_.push_back(next.call);
            const bool reached = reaches_end_from(next.to);
            order_.pop_back();
            if (reached) return true;
        }
        return false;
    }

    [[nodiscard]] bool may_be_next(const state& here, std::uint8_t call) const {
        return (calls_[call].before & ~here.made) == 0;
    }

    struct {
        std::vector<std::uint8_t> calls;
        std::uint32_t at = 0;
    } longest;

private:
    const sequential_behaviours& all_;
    std::span<const constraint> calls_;
    call_set completed_ = 0;
    std::vector<bool> seen_;
    std::vector<std::uint8_t> order_;
};

bool sequential_behaviours::allow(std::span<const constraint> calls, std::span<const client_result> start) const {
    return search(*this, calls).reaches_end(start);
}

bool sequential_behaviours::allow_start(std::span<const client_result> start) const {
    return std::ranges::any_of(beginnings_, [&](const beginning& each) { return search::may_be(each, start); });
}

sequential_behaviours::longest_order sequential_behaviours::longest(std::span<const constraint> calls,
                                                                    std::span<const client_result> start) const {
    search through(*this, calls);
    (void)through.reaches_end(start);
    longest_order result{.calls = through.longest.calls, .next = {}};
    const state& here = states_[through.longest.at];
    for (std::uint32_t i = here.first; i < here.first + here.count; ++i) {
        const transition& next = transitions_[i];
        if (through.may_be_next(here, next.call)) result.next.emplace_back(next.call, next.result);
    }
    return result;
}

}  // namespace ordeal::detail
