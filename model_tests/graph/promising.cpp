// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/graph/promising.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ordeal::model_tests::rc11 {

namespace {

// The place of a message in the modification order of each location: what a thread, or who reads a message, has seen at least.
using view = std::array<std::int8_t, max_locations>;

void join(view& into, const view& other) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], other[i]);
}

constexpr std::int8_t nobody = -1;

struct message {
    std::int8_t value = 0;
    std::int8_t promised_by = nobody;  ///< a thread that has not made the write yet
    bool sealed = false;               ///< promised, and its thread has released since
    std::int8_t known_to = nobody;     ///< who has released it, and may read it before it is made
    bool attached = false;             ///< of a read-modify-write: nothing comes between it and the message before it
    std::int8_t born = 0;              ///< so many messages were there before it
    view seen{};

    bool operator==(const message&) const = default;
};

struct thread {
    std::size_t next = 0;
    register_file registers{};
    view current{};
    view acquirable{};  ///< what an acquire fence adds
    view released{};    ///< `current` at the last release fence
};

struct machine {
    std::array<std::vector<message>, max_locations> memory;
    std::vector<thread> threads;
    std::int8_t messages = 0;

    // Makes room at a place: whoever has seen that message, or a later one, has seen it one further on.
    void insert(std::size_t location, std::int8_t place, const message& added) {
        const auto shift = [&](view& each) {
            each[location] = static_cast<std::int8_t>(each[location] + (each[location] >= place ? 1 : 0));
        };
        for (thread& each : threads) {
            shift(each.current);
            shift(each.acquirable);
            shift(each.released);
        }
        for (auto& all : memory) {
            for (message& each : all) shift(each.seen);
        }
        auto& here = memory[location];
        here.insert(here.begin() + place, added);
        here[static_cast<std::size_t>(place)].seen[location] = place;
        here[static_cast<std::size_t>(place)].born = messages++;
    }

    // An acquire holds back the writes behind it. What the thread has promised is one that it has already made when it reads what is older.
    // `fulfilled`: the promise that this very operation makes.
    [[nodiscard]] bool may_acquire(std::size_t number, const message& from, const message* fulfilled = nullptr) const {
        if (from.known_to == static_cast<std::int8_t>(number)) return true;
        return std::ranges::none_of(memory, [&](const auto& all) {
            return std::ranges::any_of(all, [&](const message& each) {
                return each.promised_by == static_cast<std::int8_t>(number) && each.born < from.born &&
                       &each != fulfilled;
            });
        });
    }

    [[nodiscard]] std::size_t promises_of(std::size_t number) const {
        std::size_t count = 0;
        for (const auto& all : memory) {
            count += static_cast<std::size_t>(
                std::ranges::count(all, static_cast<std::int8_t>(number), &message::promised_by));
        }
        return count;
    }

    [[nodiscard]] std::string key() const {
        std::string text;
        const auto add = [&](const view& each) { text.append(each.begin(), each.end()); };
        bool promised = false;
        for (const auto& all : memory) {
            promised |= std::ranges::any_of(all, [](const message& each) { return each.promised_by != nobody; });
        }
        for (const auto& all : memory) {
            text += static_cast<char>(all.size());
            for (const message& each : all) {
                if (promised) text += static_cast<char>(each.born);
                text += static_cast<char>(each.value);
                text += static_cast<char>(each.promised_by);
                text += static_cast<char>(each.sealed);
                text += static_cast<char>(each.known_to);
                text += static_cast<char>(each.attached);
                add(each.seen);
            }
        }
        for (const thread& each : threads) {
            text += static_cast<char>(each.next);
            for (const auto& held : each.registers) text += static_cast<char>(held.value_or(99));
            add(each.current);
            add(each.acquirable);
            add(each.released);
        }
        return text;
    }
};

// A write that a thread could promise: where it would stand among the messages that there are.
struct candidate {
    std::size_t location;
    std::int8_t place;
    message what;
};

class enumeration {
public:
    enumeration(const program& what, const promising_options& how) : what_(what), how_(how) {
        for (const thread_code& code : what.threads) {
            for (const instruction& each : code) {
                const bool known = each.what <= operation::fence && each.using_order != order::seq_cst &&
                                   each.failure != order::seq_cst;
                if (!known) throw std::invalid_argument("the machine has no locks and no seq_cst");
            }
        }
    }

    std::optional<std::set<std::string>> run() {
        machine first;
        first.threads.resize(what_.threads.size());
        for (std::size_t i = 0; i < locations_of(what_); ++i) first.memory[i].push_back({});
        for (std::size_t i = 0; i < first.threads.size(); ++i) skip(first, i);
        add(first);
        while (!work_.empty()) {
            if (met_.size() > how_.limit) return std::nullopt;
            const machine now = std::move(work_.back());
            work_.pop_back();
            bool ended = true;
            for (std::size_t i = 0; i < now.threads.size(); ++i) {
                if (now.threads[i].next == what_.threads[i].size()) continue;
                ended = false;
                std::vector<machine> after;
                step(now, i, after);
                for (machine& each : after) {
                    if (can_fulfil(each, i)) add(each);
                }
                if (how_.promises && now.promises_of(i) < how_.most_outstanding) promise(now, i);
            }
            if (ended) finish(now);
        }
        return std::move(outcomes_);
    }

private:
    void add(const machine& state) {
        if (met_.insert(state.key()).second) work_.push_back(state);
    }

    void finish(const machine& state) {
        std::vector<register_file> registers;
        std::vector<int> values;
        for (const thread& each : state.threads) registers.push_back(each.registers);
        for (std::size_t i = 0; i < locations_of(what_); ++i) values.push_back(state.memory[i].back().value);
        outcomes_.insert(outcome_text(what_, registers, values));
    }

    void skip(machine& state, std::size_t number) const {
        thread& self = state.threads[number];
        const thread_code& code = what_.threads[number];
        while (self.next < code.size()) {
            const instruction& each = code[self.next];
            if (each.guard == none || self.registers[static_cast<std::size_t>(each.guard)] == each.guard_value) return;
            ++self.next;
        }
    }

    void go_past(machine state, std::size_t number, std::vector<machine>& after) const {
        ++state.threads[number].next;
        skip(state, number);
        after.push_back(std::move(state));
    }

    // All that the thread may do next, but for promises.
    void step(const machine& now, std::size_t number, std::vector<machine>& after) const {
        const instruction& each = what_.threads[number][now.threads[number].next];
        const auto location = static_cast<std::size_t>(each.location);
        if (each.what == operation::fence) {
            fence(now, number, each.using_order, after);
        } else if (each.what == operation::store) {
            const int source = each.source;
            const int value = source == none
                                  ? each.value
                                  : now.threads[number].registers[static_cast<std::size_t>(source)].value_or(0);
            const bool depends = each.source != none || each.guard != none;
            write(now, number, location, static_cast<std::int8_t>(value), each.using_order, depends, after);
        } else {
            read(now, number, location, each, after);
        }
    }

    void fence(machine state, std::size_t number, order how, std::vector<machine>& after) const {
        if (state.promises_of(number) > 0) return;
        thread& self = state.threads[number];
        if (acquires(how)) join(self.current, self.acquirable);
        if (releases(how)) self.released = self.current;
        go_past(std::move(state), number, after);
    }

    [[nodiscard]] static bool has_promise_at(const machine& state, std::size_t number, std::size_t location) {
        return std::ranges::count(state.memory[location], static_cast<std::int8_t>(number), &message::promised_by) > 0;
    }

    // A new message, or one that was promised.
    void write(const machine& now, std::size_t number, std::size_t location, std::int8_t value, order how, bool depends,
               std::vector<machine>& after) const {
        const auto& messages = now.memory[location];
        const std::int8_t seen = now.threads[number].current[location];
        if (releases(how) && has_promise_at(now, number, location)) return;
        for (auto place = static_cast<std::int8_t>(seen + 1); place <= static_cast<std::int8_t>(messages.size());
             ++place) {
            if (place < static_cast<std::int8_t>(messages.size()) && messages[static_cast<std::size_t>(place)].attached)
                continue;
            machine state = now;
            const bool known = releases(how) && !depends;
            state.insert(location, place,
                         {.value = value, .known_to = known ? static_cast<std::int8_t>(number) : nobody});
            made(std::move(state), number, location, place, releases(how), {}, after);
        }
        for (auto place = static_cast<std::int8_t>(seen + 1); place < static_cast<std::int8_t>(messages.size());
             ++place) {
            const message& each = messages[static_cast<std::size_t>(place)];
            if (each.promised_by != static_cast<std::int8_t>(number) || each.attached || each.value != value) continue;
            machine state = now;
            state.memory[location][static_cast<std::size_t>(place)].promised_by = nobody;
            made(std::move(state), number, location, place, false, {}, after);
        }
    }

    // `continued`: what the message says that a read-modify-write has read.
    void made(machine state, std::size_t number, std::size_t location, std::int8_t place, bool release,
              const view& continued, std::vector<machine>& after) const {
        thread& self = state.threads[number];
        self.current[location] = std::max(self.current[location], place);
        self.acquirable[location] = std::max(self.acquirable[location], place);
        view& seen = state.memory[location][static_cast<std::size_t>(place)].seen;
        join(seen, release ? self.current : self.released);
        join(seen, continued);
        if (release) seal(state, number);
        go_past(std::move(state), number, after);
    }

    // A release, then an acquire that is no plain load, hold back the writes behind them.
    static void seal(machine& state, std::size_t number) {
        for (auto& all : state.memory) {
            for (message& each : all) each.sealed |= each.promised_by == static_cast<std::int8_t>(number);
        }
    }
    [[nodiscard]] static bool has_sealed(const machine& state, std::size_t number) {
        return std::ranges::any_of(state.memory, [&](const auto& all) {
            return std::ranges::any_of(all, [&](const message& each) {
                return each.sealed && each.promised_by == static_cast<std::int8_t>(number);
            });
        });
    }

    void read(const machine& now, std::size_t number, std::size_t location, const instruction& each,
              std::vector<machine>& after) const {
        const std::size_t first = static_cast<std::size_t>(now.threads[number].current[location]);
        for (std::size_t place = first; place < now.memory[location].size(); ++place) {
            const message& from = now.memory[location][place];
            if (from.promised_by == static_cast<std::int8_t>(number)) continue;
            const bool writes = each.what != operation::load &&
                                (each.what != operation::compare_exchange || from.value == each.expected);
            const bool fails = each.what == operation::compare_exchange && !writes;
            const order how = fails ? each.failure : each.using_order;
            machine state = now;
            thread& self = state.threads[number];
            self.registers[self.next] = from.value;
            join(self.acquirable, from.seen);
            self.current[location] = static_cast<std::int8_t>(place);
            if (acquires(how)) join(self.current, from.seen);
            if (!writes) {
                if (!acquires(how) || now.may_acquire(number, from)) go_past(std::move(state), number, after);
                continue;
            }
            const int value = each.what == operation::fetch_add ? from.value + each.value : each.value;
            modify(state, number, location, place, static_cast<std::int8_t>(value), how, after);
        }
    }

    // The write of a read-modify-write, directly behind what it has read.
    void modify(const machine& now, std::size_t number, std::size_t location, std::size_t read, std::int8_t value,
                order how, std::vector<machine>& after) const {
        if (acquires(how) && has_sealed(now, number)) return;
        const auto& messages = now.memory[location];
        const auto place = static_cast<std::int8_t>(read + 1);
        const view continued = messages[read].seen;
        const message* const behind = read + 1 < messages.size() ? &messages[read + 1] : nullptr;
        if ((behind == nullptr || !behind->attached) && (!acquires(how) || now.may_acquire(number, messages[read])) &&
            !(releases(how) && has_promise_at(now, number, location))) {
            machine state = now;
            state.insert(location, place, {.value = value, .attached = true});
            made(std::move(state), number, location, place, releases(how), continued, after);
        }
        if (behind != nullptr && behind->attached && behind->promised_by == static_cast<std::int8_t>(number) &&
            behind->value == value && !releases(how) &&
            (!acquires(how) || now.may_acquire(number, messages[read], behind))) {
            machine state = now;
            state.memory[location][read + 1].promised_by = nobody;
            made(std::move(state), number, location, place, false, continued, after);
        }
    }

    // Whether the thread can make all that it has promised when it runs alone.
    bool can_fulfil(const machine& state, std::size_t number) {
        if (state.promises_of(number) == 0) return true;
        const std::string key = state.key() + static_cast<char>(number);
        const auto [known, fresh] = fulfilled_.emplace(key, false);
        if (!fresh) return known->second;
        bool can = false;
        if (state.threads[number].next < what_.threads[number].size()) {
            std::vector<machine> after;
            step(state, number, after);
            can = std::ranges::any_of(after, [&](const machine& each) { return can_fulfil(each, number); });
        }
        return fulfilled_[key] = can;
    }

    void promise(const machine& now, std::size_t number) {
        std::vector<candidate> all;
        collect(now, now, number, all);
        for (const candidate& each : all) {
            machine state = now;
            message added = each.what;
            added.promised_by = static_cast<std::int8_t>(number);
            if (added.attached) added.seen = state.memory[each.location][static_cast<std::size_t>(each.place - 1)].seen;
            state.insert(each.location, each.place, added);
            join(state.memory[each.location][static_cast<std::size_t>(each.place)].seen,
                 state.threads[number].released);
            if (can_fulfil(state, number)) add(state);
        }
    }

    // What the thread may write if it runs alone from `now`, among the messages of `from`. What it writes on the way is not there yet, so a
    // read-modify-write of that cannot be promised.
    void collect(const machine& from, const machine& now, std::size_t number, std::vector<candidate>& all) const {
        if (now.threads[number].next == what_.threads[number].size()) return;
        const instruction& each = what_.threads[number][now.threads[number].next];
        std::vector<machine> after;
        step(now, number, after);
        for (const machine& next : after) {
            for (std::size_t location = 0; location < max_locations; ++location) {
                if (next.memory[location].size() == now.memory[location].size() || releases(each.using_order)) continue;
                propose(from, next, location, all);
            }
            collect(from, next, number, all);
        }
    }

    // Each place among what was there: certification says which of them will do.
    static void propose(const machine& from, const machine& next, std::size_t location, std::vector<candidate>& all) {
        for (const message& made : next.memory[location]) {
            if (std::ranges::any_of(all, [&](const candidate& known) {
                    return known.location == location && known.what.value == made.value &&
                           known.what.attached == made.attached;
                }))
                continue;
            const auto& there = from.memory[location];
            for (std::size_t place = 1; place <= there.size(); ++place) {
                if (place < there.size() && there[place].attached) continue;
                all.push_back(
                    {location, static_cast<std::int8_t>(place), {.value = made.value, .attached = made.attached}});
            }
        }
    }

    const program& what_;
    promising_options how_;
    std::vector<machine> work_;
    std::unordered_set<std::string> met_;
    std::unordered_map<std::string, bool> fulfilled_;
    std::set<std::string> outcomes_;
};

}  // namespace

std::optional<std::set<std::string>> promising_outcomes(const program& what, const promising_options& how) {
    return enumeration(what, how).run();
}

}  // namespace ordeal::model_tests::rc11
