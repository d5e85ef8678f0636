// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/client_family.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/scenario/client_programs.hpp"
#include "ordeal/scenario/history.hpp"
#include "ordeal/scenario/require.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ordeal::detail {

namespace {

constexpr std::size_t most_clients = 10'000;

std::string words(const client_operation& operation, const client_call& call) {
    const bool has_argument = operation.fresh || operation.has_argument;
    return std::string(operation.name) + (has_argument ? '(' + std::to_string(call.argument) + ')' : "()");
}

// In a suite the code on trial and the form that ships declare the same clients: the second one's, each of which
// becomes a scenario when the first one's does.
std::deque<client_set>& twins() {
    static auto& all = *new std::deque<client_set>;
    return all;
}

}  // namespace

void refuse_clients(const char* family, const char* what) {
    std::fprintf(stderr, "ordeal: clients of '%s': %s\n", family, what);
    std::_Exit(2);
}

std::deque<client_set>& client_sets() {
    static auto& all = *new std::deque<client_set>;
    return all;
}

client_of_set::client_of_set(const client_family& of, enumerated_client made) : what(std::move(made)), family(of) {
    for (const std::vector<client_call>& thread : what.threads) {
        std::string text;
        auto& words_of_calls = call_words.emplace_back();
        for (const client_call& call : thread) {
            const std::string& added = words_of_calls.emplace_back(words(family.operations[call.operation], call));
            text += (text.empty() ? "" : ", ") + added;
        }
        thread_names.push_back(std::move(text));
    }
    for (const std::string& each : thread_names) thread_name_pointers_.push_back(each.c_str());
    group_threads();
    if (std::ranges::any_of(same_calls_, [](int group) { return group != 0; }))
        returning_fresh_values = calls_that_return_fresh_values(family, what);
    program = {.name = what.name.c_str(),
               .thread_names = thread_name_pointers_,
               .same_calls = same_calls_,
               .where = family.where,
               .own = this};
}

// Fresh values are tokens, so they make no difference: but for what the object is told of threads, and where another
// operation has arguments that may be the same values.
void client_of_set::group_threads() {
    const bool has_arguments = std::ranges::any_of(family.operations, &client_operation::has_argument);
    const auto same_call = [&](const client_call& one, const client_call& other) {
        const client_operation& operation = family.operations[one.operation];
        return one.operation == other.operation &&
               (operation.fresh ? !has_arguments : one.argument == other.argument) && !operation.told_thread;
    };
    same_calls_.assign(what.threads.size(), 0);
    int groups = 0;
    for (std::size_t one = 0; one < what.threads.size(); ++one) {
        for (std::size_t other = one + 1; other < what.threads.size(); ++other) {
            if (same_calls_[other] != 0 || !std::ranges::equal(what.threads[one], what.threads[other], same_call))
                continue;
            if (same_calls_[one] == 0) same_calls_[one] = ++groups;
            same_calls_[other] = same_calls_[one];
        }
    }
}

const client_of_set* client_set::make(enumerated_client client) {
    const auto known = made.find(client.name);
    if (known != made.end()) return known->second.get();
    auto added = std::make_unique<client_of_set>(family, std::move(client));
    const std::string_view its_name = added->what.name;
    const client_of_set* const result = made.emplace(its_name, std::move(added)).first->second.get();
    add(context, result->program);
    for (client_set& twin : twins()) {
        if (&twin != this && twin.name == name) (void)twin.make_named(its_name);
    }
    return result;
}

void client_set::take(std::vector<client_size> of_sizes, std::vector<const client_of_set*> chosen,
                      std::size_t left_out) {
    if (chosen.empty()) {
        throw std::runtime_error(left_out > 0 ? "each of them may wait for ever"
                                              : "the rules of use leave none of these sizes");
    }
    sizes = std::move(of_sizes);
    clients = std::move(chosen);
    names.clear();
    for (const client_of_set* const each : clients) names.insert(each->what.name);
    waiting = left_out;
    as_declared = false;
}

namespace {

// By rising cost, each once.
std::vector<client_size> in_order(const client_family& family, std::vector<client_size> sizes) {
    const auto order = [](const client_size& size) { return std::pair(size.threads, size.calls); };
    std::ranges::sort(sizes, {}, order);
    sizes.erase(std::ranges::unique(sizes, {}, order).begin(), sizes.end());
    for (const client_size& size : sizes) {
        if (const auto why = why_no_size(family, size)) throw std::runtime_error(*why);
    }
    return sizes;
}

}  // namespace

void client_set::take_all(std::vector<client_size> of_sizes) {
    of_sizes = in_order(family, std::move(of_sizes));
    std::vector<const client_of_set*> chosen;
    std::size_t left_out = 0;
    for (const client_size& size : of_sizes) {
        left_out += client_enumeration(family).all_of(size, [&](enumerated_client client) {
            if (chosen.size() == most_clients) {
                throw std::runtime_error("there are more than " + std::to_string(most_clients) +
                                         "; take smaller sizes");
            }
            chosen.push_back(make(std::move(client)));
        });
    }
    take(std::move(of_sizes), std::move(chosen), left_out);
    drawn_by.reset();
}

void client_set::take_drawn(std::vector<client_size> of_sizes, std::size_t of_each, std::uint64_t seed) {
    of_sizes = in_order(family, std::move(of_sizes));
    std::vector<const client_of_set*> chosen;
    std::size_t left_out = 0;
    for (const client_size& size : of_sizes) {
        left_out += client_enumeration(family).draw(
            size, of_each, seed, [&](enumerated_client client) { chosen.push_back(make(std::move(client))); });
    }
    take(std::move(of_sizes), std::move(chosen), left_out);
    drawn_by = seed;
}

const scenario* scenario_named(std::string_view name) {
    const auto known = [&]() -> const scenario* {
        const auto all = scenarios();
        const auto found = std::ranges::lower_bound(all, name, {}, &scenario::name);
        return found != all.end() && found->name == name ? &*found : nullptr;
    };
    if (const scenario* const found = known()) return found;
    for (client_set& set : client_sets()) (void)set.make_named(name);
    return known();
}

bool client_set::make_named(std::string_view client) {
    auto found = client_enumeration(family).named(client);
    if (!found) return false;
    make(std::move(*found));
    return true;
}

void make_clients(const client_family& family, void (*add)(void* context, const client_program& made), void* context) {
    require_sensible(family);
    const bool known =
        std::ranges::any_of(client_sets(), [&](const client_set& set) { return set.name == family.name; });
    client_set& set = (known ? twins() : client_sets()).emplace_back();
    set.name = family.name;
    set.family = family;
    set.add = add;
    set.context = context;
    set.starts = family.starts.size() + (family.from_new ? 1 : 0);
    try {
        set.take_all({family.sizes.begin(), family.sizes.end()});
        set.as_declared = true;
        for (const char* const each : family.clients) {
            if (!set.make_named(set.name + '/' + each))
                throw std::runtime_error("'" + std::string(each) + "' is none of its clients");
        }
    } catch (const std::runtime_error& error) {
        refuse_clients(family.name, error.what());
    }
}

namespace {

const client_of_set& own_of(const client_program& program) noexcept {
    return *static_cast<const client_of_set*>(program.own);
}

// The last event of a call tells that it has ended. That of one without events is not known to others by any.
bool comes_before(const client_record& one, const client_record& other) {
    if (one.result.what == client_result::kind::pending) return false;
    const bool has_events = one.began.thread != one.ended.thread || one.began.events != one.ended.events;
    return (has_events || one.ended.thread == other.began.thread) && happens_before(one.ended, other.began);
}

// Two calls that were never in progress at one time come apart where all calls before have completed and no other has
// begun. Such moments split the calls, those before each having fewer calls before them than they are.
void keep_quiescent_order(std::vector<sequential_behaviours::constraint>& calls) {
    std::vector<call_set> before(calls.size());
    for (std::size_t split = 1; split < calls.size(); ++split) {
        call_set earlier = 0;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (static_cast<std::size_t>(std::popcount(calls[i].before)) < split) earlier |= only_call(i);
        }
        bool is_quiescent = static_cast<std::size_t>(std::popcount(earlier)) == split;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            is_quiescent &= has_call(earlier, i) || (earlier & ~calls[i].before) == 0;
        }
        for (std::size_t i = 0; is_quiescent && i < calls.size(); ++i) {
            if (!has_call(earlier, i)) before[i] |= earlier;
        }
    }
    for (std::size_t i = 0; i < calls.size(); ++i) calls[i].before = before[i];
}

// By number of the call.
struct numbered_history {
    numbered_history(const client_of_set& client, const client_history& history) {
        for (std::size_t thread = 0; thread < client.what.threads.size(); ++thread) {
            for (std::size_t i = 0; i < client.what.threads[thread].size(); ++i) {
                records.push_back(&history[thread][i]);
                words.push_back(client.call_words[thread][i]);
            }
        }
        for (const client_record* const one : records) {
            sequential_behaviours::constraint& added = constraints.emplace_back();
            added.result = one->result;
            for (std::size_t i = 0; i < records.size(); ++i) {
                if (records[i] != one && comes_before(*records[i], *one)) added.before |= only_call(i);
            }
        }
    }

    [[nodiscard]] std::vector<client_result> results() const {
        std::vector<client_result> all;
        for (const client_record* const each : records) all.push_back(each->result);
        return all;
    }

    std::vector<const client_record*> records;
    std::vector<std::string_view> words;
    std::vector<sequential_behaviours::constraint> constraints;  ///< by happens-before, if nothing else is asked for
};

// Pending where the call may complete later, so that nothing is said of it.
std::vector<client_result> results_of_start(const client_of_set& client, const client_start_history& start) {
    std::vector<client_result> results;
    for (std::size_t i = 0; i < client.what.start.size(); ++i) {
        const bool later = client.family.operations[client.what.start[i].operation].completes_later;
        results.push_back(later ? client_result{client_result::kind::pending, 0} : start[i].result);
    }
    return results;
}

std::string start_text(const client_of_set& client, const std::vector<client_result>& started) {
    std::string text = "the specification does not have these results of the start: ";
    for (std::size_t i = 0; i < started.size(); ++i) {
        const client_call& call = client.what.start[i];
        text += (i == 0 ? "" : ", ") + words(client.family.operations[call.operation], call) + result_words(started[i]);
    }
    return text;
}

// Why no order explains the calls.
std::string no_order_text(const client_of_set& client, const numbered_history& history,
                          const std::vector<client_result>& started) {
    std::string text = "no order of the calls that the specification allows has these results: " +
                       calls_text(client, history.results());
    const char* before = "; ";
    const auto thread_of = [&](std::size_t call) { return history.records[call]->began.thread; };
    for (std::size_t one = 0; one < history.records.size(); ++one) {
        for (std::size_t other = 0; other < history.records.size(); ++other) {
            if (thread_of(one) == thread_of(other) || !has_call(history.constraints[other].before, one)) continue;
            text += before;
            text += history.words[one];
            text += " happens before ";
            text += history.words[other];
            before = ", ";
        }
    }
    const auto longest = client.what.allowed->longest(history.constraints, started);
    if (longest.next.empty()) return text;
    text += "; after ";
    for (const std::uint8_t call : longest.calls) {
        text += call == longest.calls.front() ? "" : ", ";
        text += history.words[call];
        text += result_words(history.records[call]->result);
    }
    text += longest.calls.empty() ? "the start the specification has " : " the specification has ";
    const char* separator = "";
    for (const auto& [call, result] : longest.next) {
        text += separator;
        text += history.words[call];
        text += result_words(result);
        separator = " or ";
    }
    return text;
}

/// The calls of a start and of the threads, as a requirement is given them.
class whole_history {
public:
    whole_history(const client_of_set& client, const client_start_history& start, const client_history& history)
        : client_(client) {
        for (std::size_t i = 0; i < client.what.start.size(); ++i) add(client.what.start[i], 0, true, start[i]);
        for (std::size_t thread = 0; thread < client.what.threads.size(); ++thread) {
            for (std::size_t i = 0; i < client.what.threads[thread].size(); ++i) {
                add(client.what.threads[thread][i], thread, false, history[thread][i]);
            }
        }
        for (std::size_t later = 0; later < calls_.size(); ++later) {
            call_set& before = before_.emplace_back();
            for (std::size_t earlier = 0; earlier < calls_.size(); ++earlier) {
                if (earlier != later && is_before(earlier, later)) before |= only_call(earlier);
            }
        }
    }

    [[nodiscard]] call_history view() const { return {calls_.data(), calls_.size(), before_.data()}; }

private:
    void add(const client_call& call, std::size_t thread, bool of_start, const client_record& record) {
        const client_operation& operation = client_.family.operations[call.operation];
        calls_.push_back({.operation = operation.name,
                          .argument = call.argument,
                          .thread = thread,
                          .of_start = of_start,
                          .result = record.result});
        records_.push_back(&record);
        made_at_once_.push_back(!operation.completes_later);
    }

    // A start is over before the threads begin, but for what completes later.
    [[nodiscard]] bool is_before(std::size_t earlier, std::size_t later) const {
        if (calls_[earlier].of_start && made_at_once_[earlier]) return !calls_[later].of_start || earlier < later;
        return comes_before(*records_[earlier], *records_[later]);
    }

    const client_of_set& client_;
    std::vector<call_history::call> calls_;
    std::vector<const client_record*> records_;
    std::vector<bool> made_at_once_;
    std::vector<call_set> before_;
};

// Empty: all is as it is declared.
std::string what_is_wrong(const client_of_set& client, const client_start_history& start,
                          const client_history& history) {
    const client_family& family = client.family;
    numbered_history calls(client, history);
    if (!family.requirements.empty()) {
        const whole_history whole(client, start, history);
        for (const client_requirement* const each : family.requirements) {
            if (!each->holds(whole.view()))
                return std::string(each->sentence()) + ": " + calls_text(client, calls.results());
        }
    }
    if (!client.what.allowed) return {};
    const std::vector<client_result> started = results_of_start(client, start);
    if (family.consistency == consistency::sequential) {
        for (auto& each : calls.constraints) each.before = 0;
    } else if (family.consistency == consistency::quiescent) {
        keep_quiescent_order(calls.constraints);
    }
    if (client.what.allowed->allow(calls.constraints, started)) return {};
    if (!client.what.allowed->allow_start(started)) return start_text(client, started);
    return no_order_text(client, calls, started);
}

}  // namespace

std::size_t starting_calls(const client_program& program) noexcept { return own_of(program).what.start.size(); }

client_call starting_call(const client_program& program, std::size_t number) noexcept {
    return own_of(program).what.start[number];
}

std::size_t calls_of_thread(const client_program& program, std::size_t thread) noexcept {
    return own_of(program).what.threads[thread].size();
}

client_call call_of_thread(const client_program& program, std::size_t thread, std::size_t number) noexcept {
    return own_of(program).what.threads[thread][number];
}

void require_explained(const client_program& program, const client_start_history& start,
                       const client_history& history) {
    const client_of_set& client = own_of(program);
    if (!client.what.allowed && client.family.requirements.empty()) return;
    static std::string message;  // the report has it when this stack is gone
    {
        const harness_scope harness;
        std::string wrong = what_is_wrong(client, start, history);
        if (wrong.empty()) return;
        message = std::move(wrong);
    }
    require(false, message.c_str(), program.where);
}

std::string outcome_of(const client_program& program, const client_history& history) {
    const harness_scope harness;
    const client_of_set& client = own_of(program);
    std::vector<client_result> results;
    for (std::size_t thread = 0; thread < client.what.threads.size(); ++thread) {
        for (std::size_t i = 0; i < client.what.threads[thread].size(); ++i) {
            results.push_back(history[thread][i].result);
        }
    }
    return outcome_of(client, results);
}

client_place place_of_client(std::string_view scenario) {
    for (const client_set& set : client_sets()) {
        if (!scenario.starts_with(set.name + '/')) continue;
        if (!set.names.contains(scenario)) continue;
        return {.set = &set,
                .client = set.made.at(scenario).get(),
                .size = scenario.substr(0, scenario.find('/', set.name.size() + 1))};
    }
    return {};
}

}  // namespace ordeal::detail
