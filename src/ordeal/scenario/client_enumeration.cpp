// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/client_enumeration.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <random>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace ordeal::detail {

namespace {

using calls = std::vector<client_call>;

constexpr std::string_view separators = "+,:/";

// Up to the separator, which goes as well.
std::string_view take(std::string_view& text, char separator) {
    const std::string_view part = text.substr(0, text.find(separator));
    text.remove_prefix(part.size() == text.size() ? part.size() : part.size() + 1);
    return part;
}

template <class Number>
std::optional<Number> number_of(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

calls calls_of(const client_family& family, const client_start& start) {
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
    refuse_clients(family.name, what.c_str());
}

std::string words_of(client_size size) { return std::to_string(size.threads) + 'x' + std::to_string(size.calls); }

// Each sequence of one thread's calls, shorter ones first; the first is empty.
std::vector<calls> sequences(const calls& single, unsigned most) {
    constexpr double most_sequences = 1'000'000;
    if (std::pow(static_cast<double>(single.size()), most) > most_sequences)
        throw std::runtime_error("there are more than a million threads of " + std::to_string(most) +
                                 " calls; take smaller sizes, or draw some");
    std::vector<calls> all{{}};
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].size() == most) break;
        for (const client_call& call : single) {
            calls longer = all[i];
            longer.push_back(call);
            all.push_back(std::move(longer));
        }
    }
    return all;
}

}  // namespace

calls client_enumeration::single_calls() const {
    calls result;
    for (std::size_t i = 0; i < family_.operations.size(); ++i) {
        const auto number = static_cast<std::uint8_t>(i);
        const client_operation& operation = family_.operations[i];
        if (operation.arguments.empty()) result.push_back({number, 0});
        for (const int argument : operation.arguments) result.push_back({number, argument});
    }
    return result;
}

// Then an exchange of threads is another client.
bool client_enumeration::tells_threads() const {
    return std::ranges::any_of(family_.operations, &client_operation::told_thread);
}

std::vector<client_enumeration::start_of_clients> client_enumeration::starts() const {
    std::vector<start_of_clients> result;
    if (family_.from_new) result.emplace_back();
    for (const client_start& start : family_.starts) result.push_back({&start, calls_of(family_, start)});
    return result;
}

client_threads client_enumeration::numbered(const start_of_clients& from, client_threads threads) const {
    int number = static_cast<int>(std::ranges::count_if(
        from.calls, [this](const client_call& call) { return family_.operations[call.operation].fresh; }));
    for (calls& thread : threads) {
        for (client_call& call : thread) {
            if (family_.operations[call.operation].fresh) call.argument = ++number;
        }
    }
    return threads;
}

bool client_enumeration::follows_rules(const start_of_clients& from, const client_threads& threads) const {
    std::vector<unsigned> times(family_.operations.size());
    for (const client_call& call : from.calls) ++times[call.operation];
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

bool client_enumeration::ends(const start_of_clients& from, const client_threads& threads) const {
    if (family_.specification == nullptr || !family_.specification->may_wait()) return true;
    return sequential_behaviours::of(family_, from.calls, numbered(from, threads)).has_value();
}

std::optional<enumerated_client> client_enumeration::made(const start_of_clients& from, client_size size,
                                                          const client_threads& threads) const {
    enumerated_client client{
        .name = name_of(from, size, threads), .start = from.calls, .threads = numbered(from, threads), .allowed = {}};
    if (family_.specification == nullptr) return client;
    client.allowed = sequential_behaviours::of(family_, from.calls, client.threads);
    if (!client.allowed) return std::nullopt;
    return client;
}

/// The clients of one size and one start, by depth-first choice of a sequence for each thread.
class client_enumeration::choice {
public:
    choice(const client_enumeration& all, const start_of_clients& from, client_size size)
        : all_(all),
          from_(from),
          size_(size),
          single_(all.single_calls()),
          sequences_(sequences(single_, size.calls)),
          exchanges_(!all.tells_threads()) {}

    std::size_t for_each(const add_client& add) {
        choose(1, add);  // the empty sequence is the first
        return waiting_;
    }

private:
    void choose(std::size_t first, const add_client& add) {
        if (chosen_.size() == size_.threads) return consider(add);
        for (std::size_t i = first; i < sequences_.size(); ++i) {
            chosen_.push_back(sequences_[i]);
            if (all_.follows_rules(from_, chosen_)) choose(exchanges_ ? i : 1, add);
            chosen_.pop_back();
        }
    }

    void consider(const add_client& add) {
        const auto by_rules = [](const client_threads&) { return true; };
        const auto that_ends = [this](const client_threads& longer) { return all_.ends(from_, longer); };
        if (!all_.ends(from_, chosen_)) {
            waiting_ += is_longest(by_rules);
        } else if (is_longest(that_ends)) {
            if (auto client = all_.made(from_, size_, chosen_)) add(std::move(*client));
        }
    }

    // Whether no thread can make one more call at its end.
    template <class Accepts>
    [[nodiscard]] bool is_longest(const Accepts& accepts) const {
        for (std::size_t thread = 0; thread < chosen_.size(); ++thread) {
            if (chosen_[thread].size() == size_.calls) continue;
            for (const client_call& one : single_) {
                client_threads longer = chosen_;
                longer[thread].push_back(one);
                if (all_.follows_rules(from_, longer) && accepts(longer)) return false;
            }
        }
        return true;
    }

    const client_enumeration& all_;
    const start_of_clients& from_;
    client_size size_;
    calls single_;
    std::vector<calls> sequences_;
    bool exchanges_;
    client_threads chosen_;
    std::size_t waiting_ = 0;
};

std::size_t client_enumeration::all_of(client_size size, const add_client& add) const {
    std::size_t waiting = 0;
    for (const start_of_clients& from : starts()) waiting += choice(*this, from, size).for_each(add);
    return waiting;
}

// Each thread gets calls at its end as long as one of them is allowed, so rules of use are kept as in all clients.
std::size_t client_enumeration::draw(client_size size, std::size_t count, std::uint64_t seed,
                                     const add_client& add) const {
    constexpr std::size_t draws_in_a_row = 1'000;
    std::mt19937_64 random(seed);
    const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
    const std::vector<start_of_clients> from_all = starts();
    const calls single = single_calls();
    // As in all clients: shorter sequences first.
    const auto place_of = [&](const calls& thread) {
        std::vector<std::size_t> numbers{thread.size()};
        for (const client_call& call : thread) {
            const auto same = [&](const client_call& one) {
                return one.operation == call.operation && one.argument == call.argument;
            };
            numbers.push_back(static_cast<std::size_t>(std::ranges::find_if(single, same) - single.begin()));
        }
        return numbers;
    };
    std::set<std::string> drawn;  // also those that may wait for ever
    std::size_t added = 0;
    std::size_t waiting = 0;
    for (std::size_t fruitless = 0; added < count && fruitless < draws_in_a_row; ++fruitless) {
        const start_of_clients& from = from_all[below(from_all.size())];
        client_threads threads(size.threads);
        std::vector<std::size_t> open(size.threads);
        for (std::size_t i = 0; i < open.size(); ++i) open[i] = i;
        while (!open.empty()) {
            const std::size_t which = below(open.size());
            calls& thread = threads[open[which]];
            calls allowed;
            for (const client_call& call : single) {
                thread.push_back(call);
                if (thread.size() <= size.calls && follows_rules(from, threads)) allowed.push_back(call);
                thread.pop_back();
            }
            if (allowed.empty()) {
                open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
            } else {
                thread.push_back(allowed[below(allowed.size())]);
            }
        }
        if (std::ranges::any_of(threads, &calls::empty)) continue;
        if (!tells_threads()) std::ranges::sort(threads, {}, place_of);
        if (!drawn.insert(name_of(from, size, threads)).second) continue;
        auto client = made(from, size, threads);
        if (!client) {
            ++waiting;
            continue;
        }
        add(std::move(*client));
        ++added;
        fruitless = 0;
    }
    return waiting;
}

std::string client_enumeration::name_of(const start_of_clients& from, client_size size,
                                        const client_threads& threads) const {
    std::string name = std::string(family_.name) + '/' + words_of(size) + '/';
    if (from.declared != nullptr) name += std::string(from.declared->name) + ':';
    for (const calls& thread : threads) {
        if (&thread != &threads.front()) name += '+';
        for (std::size_t i = 0; i < thread.size(); ++i) {
            const client_operation& operation = family_.operations[thread[i].operation];
            name += std::string(i == 0 ? "" : ",") + operation.name;
            // The number of a fresh value follows from the place.
            if (operation.has_argument) name += ':' + std::to_string(thread[i].argument);
        }
    }
    return name;
}

std::optional<client_call> client_enumeration::call_named(std::string_view text) const {
    const std::string_view name = take(text, ':');
    const auto found = std::ranges::find(family_.operations, name, &client_operation::name);
    if (found == family_.operations.end() || found->has_argument == text.empty()) return std::nullopt;
    client_call call{static_cast<std::uint8_t>(found - family_.operations.begin()), 0};
    if (!found->has_argument) return call;
    const auto argument = number_of<int>(text);
    if (!argument || std::ranges::count(found->arguments, *argument) == 0) return std::nullopt;
    call.argument = *argument;
    return call;
}

std::optional<enumerated_client> client_enumeration::named(std::string_view name) const {
    std::string_view rest = name;
    if (!rest.starts_with(family_.name)) return std::nullopt;
    rest.remove_prefix(std::string_view(family_.name).size());
    if (!rest.starts_with('/')) return std::nullopt;
    rest.remove_prefix(1);
    std::string_view size_text = take(rest, '/');
    const auto threads_wanted = number_of<unsigned>(take(size_text, 'x'));
    const auto calls_wanted = number_of<unsigned>(size_text);
    if (!threads_wanted || !calls_wanted) return std::nullopt;
    const client_size size{*threads_wanted, *calls_wanted};
    if (why_no_size(family_, size)) return std::nullopt;
    for (const start_of_clients& from : starts()) {
        std::string_view text = rest;
        if (from.declared != nullptr) {
            if (!text.starts_with(std::string(from.declared->name) + ':')) continue;
            take(text, ':');
        }
        client_threads threads;
        bool understood = true;
        while (!text.empty()) {
            std::string_view of_thread = take(text, '+');
            calls& thread = threads.emplace_back();
            while (!of_thread.empty()) {
                const auto call = call_named(take(of_thread, ','));
                understood &= call.has_value();
                if (call) thread.push_back(*call);
            }
            understood &= !thread.empty() && thread.size() <= size.calls;
        }
        if (!understood || threads.size() != size.threads || !follows_rules(from, threads)) continue;
        // Written in another way it would be a second scenario.
        if (name_of(from, size, threads) != name) continue;
        if (auto client = made(from, size, threads)) return client;
    }
    return std::nullopt;
}

std::optional<std::string> why_no_size(const client_family& family, client_size size) {
    std::size_t longest = 0;
    for (const client_start& start : family.starts) longest = std::max(longest, start.operations.size());
    const bool fits = size.threads >= 1 && size.threads <= most_client_threads && size.calls >= 1 &&
                      size.calls <= most_calls_of_thread &&
                      std::size_t{size.threads} * size.calls + longest <= most_client_calls;
    if (fits) return std::nullopt;
    return "a client has 1 to " + std::to_string(most_client_threads) + " threads, each with 1 to " +
           std::to_string(most_calls_of_thread) + " calls, and " + std::to_string(most_client_calls) +
           " calls at most, those of its start included";
}

namespace {

void require_sensible(const client_family& family, const client_operation& operation) {
    const std::string name = operation.name;
    if (std::ranges::count(family.operations, name, &client_operation::name) > 1) {
        refuse(family, "'" + name + "' is declared twice");
    }
    if (name.empty() || name.find_first_of(separators) != std::string::npos) {
        refuse(family,
               "'" + name + "' is no name of an operation, for it is empty or has one of " + std::string(separators));
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

// Nobody would end such a wait before the threads begin.
void require_no_wait(const client_family& family, const client_start& start) {
    if (family.specification == nullptr) return;
    const calls made = calls_of(family, start);
    const auto waits = sequential_behaviours::waiting_call(family, made);
    if (!waits) return;
    refuse(family, std::string("a call of the start '") + start.name + "' waits: '" +
                       family.operations[made[*waits].operation].name + "'");
}

}  // namespace

void require_sensible(const client_family& family) {
    if (family.operations.empty()) refuse(family, "there is no operation");
    if (family.operations.size() > 64) refuse(family, "there are more than 64 operations");
    for (const client_operation& operation : family.operations) require_sensible(family, operation);
    for (const client_size& size : family.sizes) {
        if (const auto why = why_no_size(family, size)) refuse(family, *why);
    }
    for (const client_start& start : family.starts) {
        const std::string name = start.name;
        if (std::ranges::count(family.starts, name, &client_start::name) > 1)
            refuse(family, "the start '" + name + "' is declared twice");
        if (name.empty() || name.find_first_of(separators) != std::string::npos) {
            refuse(family,
                   "'" + name + "' is no name of a start, for it is empty or has one of " + std::string(separators));
        }
        require_no_wait(family, start);
    }
}

}  // namespace ordeal::detail
