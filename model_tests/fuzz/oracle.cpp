// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/fuzz/oracle.hpp"

#include "model_tests/fuzz/partial.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace ordeal::model_tests::fuzz {

namespace {

using rc11::event;
using rc11::event_kind;

// Spurious ends of waits on condition variables in one thread. More of them only repeat what some execution with fewer does.
constexpr unsigned most_spurious = 2;

class exploration {
public:
    exploration(const program& what, const oracle_options& how) : what_(what), how_(how) {}

    std::optional<prediction> run() {
        std::vector<partial> level{partial(what_)};
        while (!level.empty()) {
            // An execution met again is met after as many steps.
            seen_.clear();
            following_.clear();
            for (const partial& now : level) advance(now);
            met_ += following_.size();
            if (met_ > how_.limit || too_large_) return std::nullopt;
            level = std::exchange(following_, {});
        }
        return std::move(result_);
    }

private:
    void advance(const partial& now) {
        bool over = true;
        for (std::size_t thread = 0; thread < what_.size; ++thread) {
            if (now.is_over(thread)) continue;
            over = false;
            step(now, thread);
        }
        if (over) {
            result_.outcomes.insert(outcome_text(what_, now.registers(), now.last_values()));
        } else {
            judge_standstill(now);
        }
    }

    // Every thread that has not ended waits for ever.
    void judge_standstill(const partial& now) {
        bool loops = false;
        for (std::size_t thread = 0; thread < what_.size; ++thread) {
            if (now.is_over(thread)) continue;
            if (!waits_for_ever(now, thread)) return;
            const instruction& each = now.instruction_of(thread);
            const bool locks =
                each.what == operation::poll_until && now.holder[static_cast<std::size_t>(each.object)] != none;
            loops = loops || (is_loop(each.what) && !locks);
        }
        result_.violations.insert(loops ? violation_kind::livelock : violation_kind::deadlock);
    }

    // ---- what keeps a thread for ever, all others having ended or waiting too

    static bool waits_for_ever(const partial& now, std::size_t thread) {
        const thread_state& state = now.threads[thread];
        const instruction& each = now.instruction_of(thread);
        if (now.at_end(thread) || !is_met(each, state.registers) || now.has(thread, each)) return false;
        switch (each.what) {
            case operation::load_until: return state.phase == 0 && now.last_value(each.object) != each.value;
            case operation::load_either_until:
                return state.phase == 0 && now.last_value(each.object) != each.value &&
                       now.last_value(each.other) != each.expected;
            case operation::exchange_until: return now.last_value(each.object) != each.expected;
            case operation::wait: return state.phase == waiting;
            case operation::lock:
            case operation::lock_until: return now.holder[static_cast<std::size_t>(each.object)] != none;
            case operation::lock_shared: return now.exclusive != none;
            case operation::lock_exclusive: return now.exclusive != none || now.shared != 0;
            case operation::condition_wait:
            case operation::condition_wait_until:
                return state.phase == waiting || (state.phase == locking && now.holder[0] != none);
            case operation::condition_wait_for: return state.phase == locking && now.holder[0] != none;
            case operation::acquire: return now.count() == 0;
            case operation::await_count: return now.last_value(latch_location) != latch_count;
            case operation::poll_until: {
                const int holder = now.holder[static_cast<std::size_t>(each.object)];
                if (holder == static_cast<int>(thread)) return false;
                return holder != none || now.values[static_cast<std::size_t>(each.other)] != each.value;
            }
            case operation::store_until: return state.phase == 0 && now.last_value(each.object) != each.value;
            case operation::take_until: return state.phase == 0 && now.last_value(each.object) <= 0;
            default: return false;
        }
    }

    // ---- [atomics.wait], in this one place. What the text leaves open is decided as every library does it: a wait compares
    // and blocks in one step, in one order with the notifications; and what happened before a notification is seen by a
    // wait that blocks after it or that it woke. It orders nothing else.

    // The place of the last write that happens before it.
    static std::size_t newest_known(const partial& now, std::size_t notification) {
        const int location = now.notifications[notification].object;
        const auto& writes = now.graph.coherence[static_cast<std::size_t>(location)];
        const rc11::relation before = rc11::happens_before(now.graph);
        std::size_t result = 0;
        for (std::size_t place = 0; place < writes.size(); ++place) {
            if (before.has(writes[place], now.notifications[notification].event)) result = place;
        }
        return result;
    }

    // Paragraph 4: eligible to be unblocked by a notification if there are side effects X and Y such that the wait has
    // blocked after observing X, X precedes Y in the modification order, and Y happens before the notification.
    bool is_eligible(const partial& now, std::size_t thread, std::size_t by) const {
        if (now.at_end(thread) || now.threads[thread].phase != waiting) return false;
        const instruction& each = now.instruction_of(thread);
        if (each.what != operation::wait || each.object != now.notifications[by].object) return false;
        return place_read(now, now.threads[thread].observed) < newest_known(now, by);
    }

    static std::size_t place_read(const partial& now, std::size_t read) {
        const event& each = now.graph.events[read];
        const auto& writes = now.graph.coherence[static_cast<std::size_t>(each.location)];
        return static_cast<std::size_t>(std::ranges::find(writes, each.source) - writes.begin());
    }

    void wait(const partial& now, std::size_t thread, const instruction& each) {
        const thread_state& state = now.threads[thread];
        if (state.phase == waiting) {
            if (state.spurious == most_spurious) return;
            partial after = now;
            ++after.threads[thread].spurious;
            after.threads[thread].phase = 0;
            return keep(std::move(after));
        }
        read_each(now, thread, each.object, each.using_order, [&](partial after, int value) {
            const std::size_t read = after.graph.events.size() - 1;
            const std::size_t place = place_read(after, read);
            if (state.phase == woken && place < newest_known(after, state.woken_by)) return;
            if (value != each.value) return pass(std::move(after), thread);
            for (std::size_t i = 0; i < after.notifications.size(); ++i) {
                if (after.notifications[i].object == each.object && place < newest_known(after, i)) return;
            }
            after.threads[thread].phase = waiting;
            after.threads[thread].observed = read;
            keep(std::move(after));
        });
    }

    void notify(partial now, std::size_t thread, const instruction& each) {
        const std::size_t mine = now.add({.thread = static_cast<int>(thread), .kind = event_kind::other});
        const std::size_t by = now.notifications.size();
        now.notifications.push_back({mine, each.object});
        const auto wake = [&](partial& in, std::size_t other) {
            in.threads[other].phase = woken;
            in.threads[other].woken_by = by;
        };
        bool nobody = true;
        partial all = now;
        for (std::size_t other = 0; other < what_.size; ++other) {
            if (!is_eligible(now, other, by)) continue;
            nobody = false;
            wake(all, other);
            if (each.what == operation::notify_all) continue;
            partial after = now;
            wake(after, other);
            pass(std::move(after), thread);
        }
        if (each.what == operation::notify_all || nobody) pass(std::move(all), thread);
    }

    // ---- steps

    void step(const partial& now, std::size_t thread) {
        if (now.at_end(thread)) return give_back(now, thread);
        const instruction& each = now.instruction_of(thread);
        if (!is_met(each, now.threads[thread].registers)) return pass(now, thread);
        if (each.what == operation::again) return go_back(now, thread, each);
        if (each.what <= operation::fence) return access(now, thread, each);
        if (each.what <= operation::write) return access_cell(now, thread, each);
        if (each.what <= operation::unlock) return use_mutex(now, thread, each);
        if (each.what <= operation::unlock_exclusive) return use_shared_mutex(now, thread, each);
        if (each.what <= operation::condition_notify_all) return use_condition(now, thread, each);
        if (each.what >= operation::count_down && each.what <= operation::try_await_count)
            return use_latch(now, thread, each);
        if (each.what == operation::poll_until) return poll(now, thread, each);
        if (each.what == operation::take_until) return take(now, thread, each);
        if (each.what == operation::store_until) return store(now, thread, each);
        use_semaphore(now, thread, each);
    }

    // What a thread still has at its end.
    void give_back(partial now, std::size_t thread) {
        now.give_back(thread);
        keep(std::move(now));
    }

    void go_back(partial now, std::size_t thread, const instruction& each) {
        thread_state& state = now.threads[thread];
        if (state.iterations[state.next] == each.value) return pass(std::move(now), thread);
        ++state.iterations[state.next];
        state.next = static_cast<std::size_t>(each.target);
        keep(std::move(now));
    }

    void access(const partial& now, std::size_t thread, const instruction& each) {
        const auto found = [&](partial after, int value) { pass(std::move(after), thread, value); };
        switch (each.what) {
            case operation::load: return read_each(now, thread, each.object, each.using_order, found);
            case operation::store:
                return write_each(now, thread, each, [&](partial after) { pass(std::move(after), thread); });
            case operation::exchange:
            case operation::fetch_add: return modify_each(now, thread, each, found);
            case operation::compare_exchange:
            case operation::compare_exchange_weak: return compare(now, thread, each);
            case operation::load_until:
                return read_each(now, thread, each.object, each.using_order, [&](partial after, int value) {
                    if (value == each.value) pass(std::move(after), thread);
                });
            case operation::load_either_until: return either(now, thread, each);
            case operation::exchange_until:
                return modify_each(now, thread, each, [&](partial after, int value) {
                    if (value == each.expected) pass(std::move(after), thread);
                });
            case operation::wait: return wait(now, thread, each);
            case operation::notify_one:
            case operation::notify_all: return notify(now, thread, each);
            default: return fence(now, thread, each);
        }
    }

    void fence(partial after, std::size_t thread, const instruction& each) {
        after.add({.thread = static_cast<int>(thread), .kind = event_kind::fence, .using_order = each.using_order});
        pass(std::move(after), thread);
    }

    // From every write made so far.
    template <class Then>
    void read_each(const partial& now, std::size_t thread, int location, order how, Then then) {
        for (const std::size_t source : now.graph.coherence[static_cast<std::size_t>(location)]) {
            partial after = now;
            const int value = after.add_read(thread, location, how, source, false);
            then(std::move(after), value);
        }
    }

    // At every place of the coherence order behind the initialisation.
    template <class Then>
    static void write_each(const partial& now, std::size_t thread, const instruction& each, Then then) {
        const std::size_t places = now.graph.coherence[static_cast<std::size_t>(each.object)].size();
        for (std::size_t place = 1; place <= places; ++place) {
            partial after = now;
            after.add_write(thread, each, stored_by(each, now.threads[thread].registers), place, false);
            then(std::move(after));
        }
    }

    // Reads from every write that no other read-modify-write has taken, and writes directly behind it.
    template <class Then>
    void modify_each(const partial& now, std::size_t thread, const instruction& each, Then then) {
        modify_each(
            now, thread, each, each.using_order,
            [&](int before) { return each.what == operation::fetch_add ? before + each.value : each.value; }, then);
    }
    template <class Change, class Then>
    void modify_each(const partial& now, std::size_t thread, const instruction& each, order how, Change change,
                     Then then) {
        const auto& writes = now.graph.coherence[static_cast<std::size_t>(each.object)];
        for (std::size_t place = 0; place < writes.size(); ++place) {
            if (how_.atomic_exchanges && now.is_taken(writes[place])) continue;
            partial after = now;
            const int before = after.add_read(thread, each.object, how, writes[place], true);
            instruction made = each;
            made.using_order = how;
            after.add_write(thread, made, change(before), place + 1, true);
            then(std::move(after), before);
        }
    }

    // A weak one may also fail where the value is the one expected. Success is told by 9.
    void compare(const partial& now, std::size_t thread, const instruction& each) {
        modify_each(now, thread, each, [&](partial after, int value) {
            if (value == each.expected) pass(std::move(after), thread, 9);
        });
        read_each(now, thread, each.object, each.failure, [&](partial after, int value) {
            if (value != each.expected || each.what == operation::compare_exchange_weak) {
                pass(std::move(after), thread, value);
            }
        });
    }

    void either(const partial& now, std::size_t thread, const instruction& each) {
        const bool second = now.threads[thread].phase != 0;
        read_each(now, thread, second ? each.other : each.object, each.using_order, [&](partial after, int value) {
            const bool out = value == (second ? each.expected : each.value);
            if (out) return pass(std::move(after), thread, second ? 2 : 1);
            if (second) return;
            after.threads[thread].phase = looked_at_first;
            keep(std::move(after));
        });
    }

    // ---- loops whose iterations others may see: the first ones that find nothing are made as well

    static constexpr int most_iterations = 2;

    [[nodiscard]] static bool looks_again(partial& after, std::size_t thread) {
        thread_state& state = after.threads[thread];
        return ++state.iterations[state.next] <= most_iterations;
    }

    void poll(const partial& now, std::size_t thread, const instruction& each) {
        const auto mutex = static_cast<std::size_t>(each.object);
        if (now.holder[mutex] != none) {
            if (now.holder[mutex] == static_cast<int>(thread)) pass(now, thread);
            return;
        }
        partial after = now;
        after.lock(thread, mutex);
        const auto value = access_cell(after, thread, static_cast<std::size_t>(each.other), std::nullopt);
        if (!value) return;
        after.unlock(thread, mutex);
        if (*value == each.value) return pass(std::move(after), thread);
        if (looks_again(after, thread)) keep(std::move(after));
    }

    void take(const partial& now, std::size_t thread, const instruction& each) {
        const auto add = [](int much) { return [much](int before) { return before + much; }; };
        if (now.threads[thread].phase != 0) {
            return modify_each(now, thread, each, each.failure, add(1), [&](partial after, int /*value*/) {
                after.threads[thread].phase = 0;
                keep(std::move(after));
            });
        }
        modify_each(now, thread, each, each.using_order, add(-1), [&](partial after, int value) {
            if (value > 0) return pass(std::move(after), thread);
            after.threads[thread].phase = looked_at_first;
            if (looks_again(after, thread)) keep(std::move(after));
        });
    }

    // Which of its stores others see or overwrite is up to them, so some iterations are made.
    void store(const partial& now, std::size_t thread, const instruction& each) {
        if (now.threads[thread].phase == 0) {
            return read_each(now, thread, each.object, each.using_order, [&](partial after, int value) {
                if (value == each.value) return pass(std::move(after), thread);
                after.threads[thread].phase = looked_at_first;
                if (looks_again(after, thread)) keep(std::move(after));
            });
        }
        const instruction stored{
            .what = operation::store, .using_order = each.failure, .object = each.other, .value = each.expected};
        write_each(now, thread, stored, [&](partial after) {
            after.threads[thread].phase = 0;
            keep(std::move(after));
        });
    }

    // ---- plain data

    void access_cell(partial after, std::size_t thread, const instruction& each) {
        const auto value =
            access_cell(after, thread, static_cast<std::size_t>(each.object),
                        each.what == operation::write ? std::optional(stored_by(each, after.threads[thread].registers))
                                                      : std::nullopt);
        if (value) pass(std::move(after), thread, each.what == operation::write ? none : *value);
    }

    // Nothing after a race. Without one all writes happened before this, and the last one made is the one that is read.
    std::optional<int> access_cell(partial& to, std::size_t thread, std::size_t cell, std::optional<int> written) {
        const std::size_t mine = to.add({.thread = static_cast<int>(thread), .kind = event_kind::other});
        const rc11::relation before = rc11::happens_before(to.graph);
        for (const plain_access& each : to.accesses[cell]) {
            if ((each.writes || written) && !before.has(each.event, mine)) {
                result_.violations.insert(violation_kind::data_race);
                return std::nullopt;
            }
        }
        to.accesses[cell].push_back({mine, written.has_value()});
        if (written) to.values[cell] = *written;
        return to.values[cell];
    }

    // ---- [thread.mutex.requirements.mutex]: prior unlocks synchronise with a lock

    void use_mutex(const partial& now, std::size_t thread, const instruction& each) {
        const auto which = static_cast<std::size_t>(each.object);
        if (each.what == operation::unlock) {
            partial after = now;
            if (now.holder[which] == static_cast<int>(thread)) after.unlock(thread, which);
            return pass(std::move(after), thread);
        }
        if (now.has(thread, each)) return pass(now, thread);
        const bool tries = each.what == operation::try_lock;
        if (now.holder[which] == none) {
            partial after = now;
            after.lock(thread, which);
            pass(std::move(after), thread, tries ? 1 : none);
        }
        // May fail although nobody has it, and then orders nothing.
        if (tries) pass(now, thread, 0);
    }

    // ---- [thread.sharedmutex.requirements]

    void use_shared_mutex(const partial& now, std::size_t thread, const instruction& each) {
        const bool exclusively = each.what == operation::lock_exclusive || each.what == operation::try_lock_exclusive;
        const bool tries = each.what == operation::try_lock_shared || each.what == operation::try_lock_exclusive;
        const bool shares = (now.shared >> thread & 1) != 0;
        const bool excludes = now.exclusive == static_cast<int>(thread);
        if (each.what == operation::unlock_shared || each.what == operation::unlock_exclusive) {
            partial after = now;
            if (each.what == operation::unlock_shared && shares) after.unlock_shared(thread);
            if (each.what == operation::unlock_exclusive && excludes) after.unlock_exclusive(thread);
            return pass(std::move(after), thread);
        }
        if (now.has(thread, each)) return pass(now, thread);
        if (now.exclusive == none && (!exclusively || now.shared == 0)) {
            partial after = now;
            if (exclusively) {
                after.lock_exclusive(thread);
            } else {
                after.lock_shared(thread);
            }
            pass(std::move(after), thread, tries ? 1 : none);
        }
        if (tries) pass(now, thread, 0);
    }

    // ---- [thread.condition.condvar]: the parts of waits and the notifications have one order, and order nothing else

    void use_condition(const partial& now, std::size_t thread, const instruction& each) {
        if (each.what == operation::condition_notify_one) return notify_one(now, thread);
        if (each.what == operation::condition_notify_all) return notify_all(now, thread);
        const thread_state& state = now.threads[thread];
        switch (state.phase) {
            case 0:
                if (now.holder[0] != static_cast<int>(thread)) return pass(now, thread);
                return begin_wait(now, thread, each);
            case waiting: {
                if (state.spurious == most_spurious && each.what != operation::condition_wait_for) return;
                partial after = now;
                after.threads[thread].phase = locking;
                after.threads[thread].spurious += each.what == operation::condition_wait_for ? 0 : 1;
                return keep(std::move(after));
            }
            default: return end_wait(now, thread, each);
        }
    }

    void begin_wait(partial after, std::size_t thread, const instruction& each) {
        if (each.what == operation::condition_wait_until) {
            const auto value = access_cell(after, thread, static_cast<std::size_t>(each.object), std::nullopt);
            if (!value) return;
            if (*value == each.value) return pass(std::move(after), thread);
        }
        after.unlock(thread, 0);
        after.threads[thread].phase = waiting;
        keep(std::move(after));
    }

    // Its limit may have come, whatever ended it.
    void end_wait(partial after, std::size_t thread, const instruction& each) {
        if (after.holder[0] != none) return;
        after.lock(thread, 0);
        after.threads[thread].phase = 0;
        switch (each.what) {
            case operation::condition_wait: return pass(std::move(after), thread);
            case operation::condition_wait_for: pass(after, thread, 0); return pass(std::move(after), thread, 1);
            default: return begin_wait(std::move(after), thread, each);
        }
    }

    static bool waits_for_condition(const partial& now, std::size_t thread) {
        if (now.is_over(thread) || now.at_end(thread) || now.threads[thread].phase != waiting) return false;
        return now.instruction_of(thread).what != operation::wait;
    }

    void notify_one(const partial& now, std::size_t thread) {
        bool nobody = true;
        for (std::size_t other = 0; other < what_.size; ++other) {
            if (!waits_for_condition(now, other)) continue;
            nobody = false;
            partial after = now;
            after.threads[other].phase = locking;
            pass(std::move(after), thread);
        }
        if (nobody) pass(now, thread);
    }

    void notify_all(partial after, std::size_t thread) {
        for (std::size_t other = 0; other < what_.size; ++other) {
            if (waits_for_condition(after, other)) after.threads[other].phase = locking;
        }
        pass(std::move(after), thread);
    }

    // ---- [thread.sema.cnt]: what a release adds it synchronises with

    void use_semaphore(const partial& now, std::size_t thread, const instruction& each) {
        if (each.what == operation::release) {
            partial after = now;
            after.release(thread);
            return pass(std::move(after), thread);
        }
        const bool tries = each.what != operation::acquire;
        if (now.count() > 0) {
            partial after = now;
            after.acquire(thread);
            pass(std::move(after), thread, tries ? 1 : none);
        }
        if (tries) try_in_vain(now, thread);
    }

    // Where it finds a count of 0, which may have been before what is newest, it acquires with that; a time limit has come by
    // then.
    void try_in_vain(const partial& now, std::size_t thread) {
        if (how_.tries_fail_freely) return pass(now, thread, 0);
        for (std::size_t place = 0; place < now.counts.size(); ++place) {
            if (now.counts[place] != 0) continue;
            partial after = now;
            if (after.find_count(thread, place)) pass(std::move(after), thread, 0);
        }
    }

    // ---- [thread.latch.class]: the calls that bring the count to its end synchronise with those that find it there

    void use_latch(const partial& now, std::size_t thread, instruction each) {
        each.object = static_cast<std::int8_t>(latch_location);
        if (each.what == operation::count_down) {
            each.using_order = order::release;
            return modify_each(
                now, thread, each, order::release, [](int before) { return before + 1; },
                [&](partial after, int before) {
                    if (before < latch_count) return pass(std::move(after), thread);
                    result_.violations.insert(violation_kind::precondition);
                });
        }
        read_each(now, thread, each.object, order::acquire, [&](partial after, int count) {
            const bool ended = count == latch_count;
            if (each.what == operation::try_await_count) return pass(std::move(after), thread, ended ? 1 : 0);
            if (ended) pass(std::move(after), thread);
        });
    }

    // ---- what follows

    // The instruction is done, and found this.
    void pass(partial after, std::size_t thread, int found = none) {
        thread_state& state = after.threads[thread];
        if (found != none) state.registers[state.next] = found;
        state.phase = 0;
        ++state.next;
        keep(std::move(after));
    }

    // Kept unless inconsistent, or met before.
    void keep(partial after) {
        if (after.graph.events.size() > rc11::relation::capacity) {
            too_large_ = true;
            return;
        }
        if (!rc11::consistent(after.graph, {.atomicity = how_.atomic_exchanges})) return;
        if (seen_.insert(after.key()).second) following_.push_back(std::move(after));
    }

    const program& what_;
    const oracle_options& how_;
    prediction result_;
    std::unordered_set<std::string> seen_;
    std::vector<partial> following_;
    std::size_t met_ = 0;
    bool too_large_ = false;
};

}  // namespace

std::optional<prediction> predict(const program& what, const oracle_options& how) {
    return exploration(what, how).run();
}

}  // namespace ordeal::model_tests::fuzz
