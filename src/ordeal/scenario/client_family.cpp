// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/client_family.hpp"

#include "ordeal/scenario/client_programs.hpp"
#include "ordeal/scenario/history.hpp"
#include "ordeal/scenario/require.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ordeal::detail {

namespace {

constexpr std::size_t most_clients = 10'000;

using calls = std::vector<client_call>;

/// A state of a specification.
class specified_state {
public:
    explicit specified_state(const client_specification& of) : of_(&of), state_(of.initial()) {}
    specified_state(const specified_state& other) : of_(other.of_), state_(of_->copy(other.state_)) {}
    specified_state& operator=(const specified_state&) = delete;
    ~specified_state() { of_->destroy(state_); }

    [[nodiscard]] bool is_enabled(client_call call) const { return of_->is_enabled(state_, call); }
    client_result apply(client_call call) { return of_->apply(state_, call); }

private:
    const client_specification* of_;
    void* state_;
};

/// Everything that calls may return by the specification, in each of their orders.
class all_orders {
public:
    all_orders(const client_family& family, const client_threads& threads)
        : family_(family), threads_(threads), next_(threads.size()) {}

    /// False if some order ends with calls that wait for ever.
    [[nodiscard]] bool follow(const specified_state& from) {
        const auto [next, begun] = std::pair(next_, begun_);
        begin_those_that_complete_later();
        const bool ends = follow_begun(from);
        next_ = next;
        begun_ = begun;
        return ends;
    }

    std::vector<specified_order> found;

private:
    struct place {
        std::size_t thread;
        std::size_t number;
    };

    void begin_those_that_complete_later() {
        for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
            std::size_t& next = next_[thread];
            while (next < threads_[thread].size() && operation_at({thread, next}).completes_later) {
                begun_.push_back({thread, next++});
            }
        }
    }

    [[nodiscard]] bool follow_begun(const specified_state& from) {
        bool goes_on = false;
        bool calls_left = false;
        for (std::size_t i = 0; i < begun_.size(); ++i) {
            const place at = begun_[i];
            if (!from.is_enabled(call_at(at))) continue;
            goes_on = true;
            begun_.erase(begun_.begin() + static_cast<std::ptrdiff_t>(i));
            const bool ends = make(at, from);
            begun_.insert(begun_.begin() + static_cast<std::ptrdiff_t>(i), at);
            if (!ends) return false;
        }
        for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
            if (next_[thread] == threads_[thread].size()) continue;
            calls_left = true;
            const place at{thread, next_[thread]};
            if (!from.is_enabled(call_at(at))) continue;
            goes_on = true;
            ++next_[thread];
            const bool ends = make(at, from);
            --next_[thread];
            if (!ends) return false;
        }
        if (goes_on) return true;
        if (calls_left) return false;
        found.push_back(order_);
        for (const place& at : begun_) found.back().push_back(made(at, {.what = client_result::kind::pending}));
        return true;
    }

    // In each way in which the call can end.
    [[nodiscard]] bool make(const place& at, const specified_state& from) {
        specified_state after(from);
        const client_result result = after.apply(call_at(at));
        if (!go_on(at, result, after)) return false;
        const client_result failure{operation_at(at).failure, 0};
        if (!operation_at(at).may_fail || result == failure) return true;
        return go_on(at, failure, from);
    }

    [[nodiscard]] bool go_on(const place& at, const client_result& result, const specified_state& state) {
        order_.push_back(made(at, result));
        const bool ends = follow(state);
        order_.pop_back();
        return ends;
    }

    [[nodiscard]] static specified_call made(const place& at, const client_result& result) {
        return {.thread = static_cast<std::uint8_t>(at.thread),
                .number = static_cast<std::uint8_t>(at.number),
                .result = result};
    }
    [[nodiscard]] const client_call& call_at(const place& at) const { return threads_[at.thread][at.number]; }
    [[nodiscard]] const client_operation& operation_at(const place& at) const {
        return family_.operations[call_at(at).operation];
    }

    const client_family& family_;
    const client_threads& threads_;
    std::vector<std::size_t> next_;  ///< call of each thread
    std::vector<place> begun_;       ///< those that complete later, and have not
    specified_order order_;
};

bool has_argument(const client_operation& operation) { return operation.fresh || operation.has_argument; }

std::string words(const client_operation& operation, const client_call& call) {
    return std::string(operation.name) + (has_argument(operation) ? '(' + std::to_string(call.argument) + ')' : "()");
}

/// All sequences of one thread's calls, shorter ones first. Fresh values have no number yet.
std::vector<calls> sequences(const client_family& family, unsigned most) {
    calls steps;
    for (std::size_t i = 0; i < family.operations.size(); ++i) {
        const auto number = static_cast<std::uint8_t>(i);
        const client_operation& operation = family.operations[i];
        if (operation.arguments.empty()) steps.push_back({number, 0});
        for (const int argument : operation.arguments) steps.push_back({number, argument});
    }
    std::vector<calls> all{{}};
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].size() == most) break;
        for (const client_call& step : steps) {
            calls longer = all[i];
            longer.push_back(step);
            all.push_back(std::move(longer));
        }
    }
    return all;
}

/// The clients of one size and one start.
class clients_of_size {
public:
    clients_of_size(const client_family& family, const calls& start, client_size size)
        : family_(family),
          start_(start),
          size_(size),
          sequences_(sequences(family, size.calls)),
          tells_threads_(std::ranges::any_of(family.operations, &client_operation::told_thread)) {}

    template <class Add>
    void for_each(const Add& add) {
        choose(1, add);  // the empty sequence is the first
    }
    std::size_t waiting = 0;  ///< left out, as some order of their calls waits for ever

private:
    template <class Add>
    void choose(std::size_t from, const Add& add) {
        if (chosen_.size() == size_.threads) {
            consider(add);
            return;
        }
        for (std::size_t i = from; i < sequences_.size(); ++i) {
            chosen_.push_back(sequences_[i]);
            if (follows_rules(chosen_)) choose(tells_threads_ ? 1 : i, add);
            chosen_.pop_back();
        }
    }

    template <class Add>
    void consider(const Add& add) {
        std::vector<specified_order> orders;
        const client_threads threads = numbered(chosen_);
        if (!ends(threads, orders)) {
            waiting += is_longest(chosen_, [](const client_threads&) { return true; });
            return;
        }
        if (!is_longest(chosen_, [this](const client_threads& longer) {
                std::vector<specified_order> unused;
                return ends(numbered(longer), unused);
            })) {
            return;
        }
        add(threads, std::move(orders));
    }

    /// Whether no thread can make one more call at its end.
    template <class Accepts>
    [[nodiscard]] bool is_longest(const client_threads& of, const Accepts& accepts) const {
        for (std::size_t thread = 0; thread < of.size(); ++thread) {
            if (of[thread].size() == size_.calls) continue;
            for (const calls& one : sequences_) {
                if (one.size() != 1) continue;
                client_threads longer = of;
                longer[thread].push_back(one.front());
                if (follows_rules(longer) && accepts(longer)) return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool follows_rules(const client_threads& threads) const {
        std::vector<unsigned> times(family_.operations.size());
        for (const client_call& call : start_) ++times[call.operation];
        std::vector<int> user(family_.operations.size(), -1);
        int owner = -1;
        for (int thread = 0; thread < static_cast<int>(threads.size()); ++thread) {
            const calls& of_thread = threads[static_cast<std::size_t>(thread)];
            for (const client_call& call : of_thread) {
                const client_operation& operation = family_.operations[call.operation];
                if (operation.last && &call != &of_thread.back()) return false;
                if (++times[call.operation] > operation.at_most) return false;
                int& by = operation.by_owner ? owner : user[call.operation];
                const bool bound = operation.by_owner || operation.by_one_thread;
                if (bound && by != -1 && by != thread) return false;
                by = thread;
            }
        }
        return true;
    }

    [[nodiscard]] client_threads numbered(client_threads threads) const {
        int number = static_cast<int>(std::ranges::count_if(
            start_, [this](const client_call& call) { return family_.operations[call.operation].fresh; }));
        for (calls& thread : threads) {
            for (client_call& call : thread) {
                if (family_.operations[call.operation].fresh) call.argument = ++number;
            }
        }
        return threads;
    }

    [[nodiscard]] bool ends(const client_threads& threads, std::vector<specified_order>& orders) const {
        if (family_.specification == nullptr) return true;
        specified_state state(*family_.specification);
        for (const client_call& call : start_) state.apply(call);
        all_orders all(family_, threads);
        if (!all.follow(state)) return false;
        orders = std::move(all.found);
        return true;
    }

    const client_family& family_;
    const calls& start_;
    client_size size_;
    std::vector<calls> sequences_;
    bool tells_threads_;  ///< then an exchange of threads is another client
    client_threads chosen_;
};

calls calls_of_start(const client_family& family, const client_start& start) {
    calls result;
    int number = 0;
    for (const char* const name : start.operations) {
        const auto found = std::ranges::find(family.operations, std::string_view(name), &client_operation::name);
        const int argument = found->fresh ? ++number : found->arguments.empty() ? 0 : found->arguments.front();
        result.push_back({static_cast<std::uint8_t>(found - family.operations.begin()), argument});
    }
    return result;
}

[[noreturn]] void refuse(const client_family& family, const std::string& what) {
    std::fprintf(stderr, "ordeal: clients of '%s': %s\n", family.name, what.c_str());
    std::_Exit(2);
}

void require_sensible(const client_family& family) {
    if (family.operations.empty()) refuse(family, "there is no operation");
    if (family.operations.size() > 64) refuse(family, "there are more than 64 operations");
    for (const client_operation& operation : family.operations) {
        const std::string name = operation.name;
        if (std::ranges::count(family.operations, name, &client_operation::name) > 1) {
            refuse(family, "'" + name + "' is declared twice");
        }
        if (operation.has_argument && operation.arguments.empty()) {
            refuse(family, "'" + name + "' has a parameter, and with() gives no values");
        }
        if (operation.may_fail && operation.failure == client_result::kind::pending) {
            refuse(family, "'" + name + "' may fail, and returns no bool and nothing that may be empty");
        }
        if (!operation.has_argument && !operation.arguments.empty()) {
            refuse(family, "with() gives values to '" + name + "', which has no parameter for them");
        }
    }
    for (const client_size& size : family.sizes) {
        std::size_t longest = 0;
        for (const client_start& start : family.starts) longest = std::max(longest, start.operations.size());
        const bool fits = size.threads >= 1 && size.threads <= most_client_threads && size.calls >= 1 &&
                          size.calls <= most_calls_of_thread &&
                          std::size_t{size.threads} * size.calls + longest <= most_client_calls;
        if (!fits) {
            refuse(family, "a client has 1 to " + std::to_string(most_client_threads) + " threads, each with 1 to " +
                               std::to_string(most_calls_of_thread) + " calls, and " +
                               std::to_string(most_client_calls) + " calls at most, those of its start included");
        }
    }
}

// Nobody would end such a wait before the threads begin.
void require_no_wait(const client_family& family, const client_start& start, const calls& made) {
    if (family.specification == nullptr) return;
    specified_state state(*family.specification);
    for (const client_call& call : made) {
        if (!state.is_enabled(call)) {
            refuse(family, std::string("a call of the start '") + start.name + "' waits: '" +
                               family.operations[call.operation].name + "'");
        }
        state.apply(call);
    }
}

std::string name_of(const client_family& family, client_size size, const client_start* start,
                    const client_threads& threads) {
    std::string name = std::string(family.name) + '/' + std::to_string(size.threads) + 'x' + std::to_string(size.calls);
    name += '/';
    if (start != nullptr) name += std::string(start->name) + ':';
    for (const calls& thread : threads) {
        if (&thread != &threads.front()) name += '+';
        for (std::size_t i = 0; i < thread.size(); ++i) {
            const client_operation& operation = family.operations[thread[i].operation];
            name += std::string(i == 0 ? "" : ",") + operation.name;
            // The number of a fresh value follows from the place.
            if (operation.has_argument) name += ':' + std::to_string(thread[i].argument);
        }
    }
    return name;
}

}  // namespace

std::vector<client_set>& client_sets() {
    static auto& all = *new std::vector<client_set>;
    return all;
}

client_of_set::client_of_set(const client_family& family, std::string its_name, calls its_start,
                             client_threads its_threads, std::vector<specified_order> its_orders, bool judged)
    : name(std::move(its_name)),
      start(std::move(its_start)),
      threads(std::move(its_threads)),
      orders(std::move(its_orders)),
      is_judged(judged) {
    for (const calls& thread : threads) {
        std::string text;
        auto& words_of_calls = call_words.emplace_back();
        for (const client_call& call : thread) {
            const std::string& added = words_of_calls.emplace_back(words(family.operations[call.operation], call));
            text += (text.empty() ? "" : ", ") + added;
        }
        thread_names.push_back(std::move(text));
    }
    for (const std::string& each : thread_names) thread_name_pointers_.push_back(each.c_str());
    program = {.name = name.c_str(), .thread_names = thread_name_pointers_, .where = family.where, .own = this};
}

void make_clients(const client_family& family, void (*add)(void* context, const client_program& made), void* context) {
    require_sensible(family);
    // In a suite the code on trial and the form that ships declare the same clients.
    static auto& twins = *new std::vector<client_set>;
    const bool known =
        std::ranges::any_of(client_sets(), [&](const client_set& set) { return set.name == family.name; });
    client_set& set = (known ? twins : client_sets()).emplace_back();
    set.name = family.name;
    std::vector<client_size> sizes(family.sizes.begin(), family.sizes.end());
    const auto order = [](const client_size& size) { return std::pair(size.threads, size.calls); };
    std::ranges::sort(sizes, {}, order);
    sizes.erase(std::ranges::unique(sizes, {}, order).begin(), sizes.end());
    std::vector<const client_start*> starts;
    if (family.from_new) starts.push_back(nullptr);
    for (const client_start& start : family.starts) starts.push_back(&start);
    for (const client_size& size : sizes) {
        for (const client_start* const start : starts) {
            const calls first = start == nullptr ? calls{} : calls_of_start(family, *start);
            if (start != nullptr) require_no_wait(family, *start, first);
            clients_of_size clients(family, first, size);
            clients.for_each([&](const client_threads& threads, std::vector<specified_order> orders) {
                const auto& made = *set.clients.emplace_back(
                    std::make_unique<client_of_set>(family, name_of(family, size, start, threads), first, threads,
                                                    std::move(orders), family.specification != nullptr));
                if (set.clients.size() > most_clients) {
                    refuse(family, "there are more than " + std::to_string(most_clients) + "; take smaller sizes()");
                }
                set.names.insert(made.name);
                add(context, made.program);
            });
            set.waiting += clients.waiting;
        }
    }
    if (set.clients.empty()) {
        refuse(family,
               set.waiting > 0 ? "each of them may wait for ever" : "the rules of use leave none of these sizes");
    }
    set.sizes = std::move(sizes);
    set.starts = starts.size();
}

namespace {

const client_of_set& own_of(const client_program& program) noexcept {
    return *static_cast<const client_of_set*>(program.own);
}

bool has_results(const specified_order& order, const client_history& history) {
    return std::ranges::all_of(
        order, [&](const specified_call& call) { return history[call.thread][call.number].result == call.result; });
}

// The last event of a call tells that it has ended. That of one without events is not known to others by any.
bool comes_before(const client_record& one, const client_record& other) {
    if (one.result.what == client_result::kind::pending) return false;
    const bool has_events = one.began.thread != one.ended.thread || one.began.events != one.ended.events;
    return (has_events || one.ended.thread == other.began.thread) && happens_before(one.ended, other.began);
}

bool follows_happens_before(const specified_order& order, const client_history& history) {
    for (std::size_t later = 1; later < order.size(); ++later) {
        for (std::size_t earlier = 0; earlier < later; ++earlier) {
            const client_record& first = history[order[earlier].thread][order[earlier].number];
            const client_record& second = history[order[later].thread][order[later].number];
            if (comes_before(second, first)) return false;
        }
    }
    return true;
}

// Written without an allocation, which would be one of the code on trial.
class message_text {
public:
    message_text& operator<<(std::string_view text) {
        const std::size_t fits = std::min(text.size(), text_.size() - 1 - used_);
        std::copy_n(text.begin(), fits, text_.begin() + static_cast<std::ptrdiff_t>(used_));
        used_ += fits;
        return *this;
    }
    message_text& operator<<(const client_result& result) {
        std::array<char, 32> number{};
        switch (result.what) {
            case client_result::kind::nothing: break;
            case client_result::kind::pending: *this << " waits"; break;
            case client_result::kind::empty: *this << " = empty"; break;
            case client_result::kind::boolean: *this << (result.number != 0 ? " = true" : " = false"); break;
            case client_result::kind::number:
                std::snprintf(number.data(), number.size(), " = %lld", static_cast<long long>(result.number));
                *this << number.data();
                break;
        }
        return *this;
    }
    [[nodiscard]] const char* text() const noexcept { return text_.data(); }

private:
    std::array<char, 2048> text_{};
    std::size_t used_ = 0;
};

void tell(const client_of_set& client, const client_history& history, message_text& text) {
    text << "no order of the calls that the specification allows has these results: ";
    for (std::size_t thread = 0; thread < client.threads.size(); ++thread) {
        if (thread > 0) text << " | ";
        for (std::size_t i = 0; i < client.threads[thread].size(); ++i) {
            text << (i == 0 ? "" : ", ") << client.call_words[thread][i] << history[thread][i].result;
        }
    }
    const char* before = "; ";
    for (std::size_t one = 0; one < client.threads.size(); ++one) {
        for (std::size_t other = 0; other < client.threads.size(); ++other) {
            if (one == other) continue;
            for (std::size_t i = 0; i < client.threads[one].size(); ++i) {
                for (std::size_t j = 0; j < client.threads[other].size(); ++j) {
                    if (!comes_before(history[one][i], history[other][j])) continue;
                    text << before << client.call_words[one][i] << " happens before " << client.call_words[other][j];
                    before = ", ";
                }
            }
        }
    }
}

}  // namespace

std::size_t starting_calls(const client_program& program) noexcept { return own_of(program).start.size(); }

client_call starting_call(const client_program& program, std::size_t number) noexcept {
    return own_of(program).start[number];
}

std::size_t calls_of_thread(const client_program& program, std::size_t thread) noexcept {
    return own_of(program).threads[thread].size();
}

client_call call_of_thread(const client_program& program, std::size_t thread, std::size_t number) noexcept {
    return own_of(program).threads[thread][number];
}

void require_explained(const client_program& program, const client_history& history) {
    const client_of_set& client = own_of(program);
    if (!client.is_judged) return;
    const bool explained = std::ranges::any_of(client.orders, [&](const specified_order& order) {
        return has_results(order, history) && follows_happens_before(order, history);
    });
    if (explained) return;
    static message_text message;  // the report has it when this stack is gone
    message = {};
    tell(client, history, message);
    require(false, message.text(), program.where);
}

client_place place_of_client(std::string_view scenario) {
    for (const client_set& set : client_sets()) {
        if (!scenario.starts_with(set.name + '/')) continue;
        if (!set.names.contains(scenario)) continue;
        return {.set = &set, .size = scenario.substr(0, scenario.find('/', set.name.size() + 1))};
    }
    return {};
}

}  // namespace ordeal::detail
