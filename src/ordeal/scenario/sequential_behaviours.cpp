// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/sequential_behaviours.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ordeal::detail {

namespace {

constexpr std::size_t most_states = 1'000'000;

constexpr call_set only(std::size_t call) { return call_set{1} << call; }
constexpr bool has(call_set calls, std::size_t call) { return (calls & only(call)) != 0; }

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
    /// Nothing if the call need not be able to return.
    [[nodiscard]] static std::optional<std::vector<specified_state>> after(const std::vector<specified_state>& from,
                                                                           const client_call& call) {
        std::vector<specified_state> result;
        for (const specified_state& each : from) {
            if (!each.is_enabled(call)) return std::nullopt;
            choice choose;
            do {
                (void)result.emplace_back(each).apply(call, choose);
            } while (choose.advance());
        }
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

    [[nodiscard]] bool follow(std::vector<specified_state> from) {
        for (specified_state& each : from) add(0, std::move(each));
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
                if (has(done, call)) continue;
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

    // In each way in which the call can end.
    void make(std::uint32_t from, std::size_t call) {
        const call_set with_it = made.states_[from].made | only(call);
        const client_result failure{operation_of(call).failure, 0};
        bool fails = operation_of(call).may_fail;
        choice choose;
        do {
            specified_state after(reached_[from]);
            const client_result result = after.apply(calls_[call], choose);
            fails &= result != failure;
            add_transition({static_cast<std::uint8_t>(call), result, add(with_it, std::move(after))});
        } while (choose.advance());
        if (fails) {
            const std::uint32_t unchanged = add(with_it, specified_state(reached_[from]));
            add_transition({static_cast<std::uint8_t>(call), failure, unchanged, true});
        }
    }

    void add_transition(const transition& added) { made.transitions_.push_back(added); }

    std::uint32_t add(call_set done, specified_state state) {
        std::vector<std::uint32_t>& known = by_calls_[done];
        const auto same = [&](std::uint32_t at) { return reached_[at].equals(state); };
        const auto found = std::ranges::find_if(known, same);
        if (found != known.end()) return *found;
        if (made.states_.size() == most_states)
            refuse_clients(family_.name, "a client has too many sequential behaviours");
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
};

std::optional<sequential_behaviours> sequential_behaviours::of(const client_family& family,
                                                               const std::vector<client_call>& start,
                                                               const client_threads& threads) {
    std::vector<specified_state> from;
    from.emplace_back(*family.specification);
    for (const client_call& call : start) {
        auto next = builder::after(from, call);
        if (!next) return std::nullopt;
        from = std::move(*next);
    }
    builder all(family, threads, builder::order_of_threads::kept);
    if (!all.follow(from)) return std::nullopt;
    if (family.consistency != consistency::quiescent) return std::move(all.made);
    builder in_any_order(family, threads, builder::order_of_threads::any);
    (void)in_any_order.follow(std::move(from));
    return std::move(in_any_order.made);
}

std::optional<std::size_t> sequential_behaviours::waiting_call(const client_family& family,
                                                               const std::vector<client_call>& start) {
    std::vector<specified_state> from;
    from.emplace_back(*family.specification);
    for (std::size_t i = 0; i < start.size(); ++i) {
        auto next = builder::after(from, start[i]);
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
    for (std::size_t at = 0; at < states_.size(); ++at) {
        if (states_[at].made == 0)
            live += reached[at].emplace(calls_, client_result{client_result::kind::pending, 0}).second;
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

/// Depth first, over the states that the results allow.
class sequential_behaviours::search {
public:
    search(const sequential_behaviours& all, std::span<const constraint> calls)
        : all_(all), calls_(calls), seen_(all.states_.size()) {
        for (std::size_t call = 0; call < calls.size(); ++call) {
            if (calls[call].result.what != client_result::kind::pending) completed_ |= only(call);
        }
    }

    [[nodiscard]] bool reaches_end() {
        for (std::uint32_t at = 0; at < all_.states_.size() && all_.states_[at].made == 0; ++at) {
            if (reaches_end_from(at)) return true;
        }
        return false;
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

bool sequential_behaviours::allow(std::span<const constraint> calls) const {
    return search(*this, calls).reaches_end();
}

sequential_behaviours::longest_order sequential_behaviours::longest(std::span<const constraint> calls) const {
    search through(*this, calls);
    (void)through.reaches_end();
    longest_order result{.calls = through.longest.calls, .next = {}};
    const state& here = states_[through.longest.at];
    for (std::uint32_t i = here.first; i < here.first + here.count; ++i) {
        const transition& next = transitions_[i];
        if (through.may_be_next(here, next.call)) result.next.emplace_back(next.call, next.result);
    }
    return result;
}

}  // namespace ordeal::detail
