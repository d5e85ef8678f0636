// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/fuzz/generator.hpp"

#include <algorithm>
#include <random>

namespace ordeal::model_tests::fuzz {

namespace {

using enum operation;

// What a program is mostly about. One of everything else comes in now and then.
enum class theme : std::uint8_t {
    atomics,
    loops,
    locks,
    shared_locks,
    conditions,
    notifications,
    semaphores,
    latches,
    mixture
};
constexpr std::uint64_t themes = 9;

class generator {
public:
    explicit generator(std::uint64_t seed) : random_(seed) {}

    program make() {
        theme_ = static_cast<theme>(below(themes));
        seq_cst_ = one_in(4);
        program result;
        result.size = one_in(3) ? 3 : 2;
        for (std::size_t i = 0; i < result.size; ++i) {
            code_ = &result.threads[i];
            const std::size_t length = result.size == 3 ? 2 + below(2) : 2 + below(4);
            while (code_->size < length) add_some();
        }
        return result;
    }

private:
    // The standard's distributions differ between libraries. The bias of a remainder does not matter here.
    std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
    bool one_in(std::uint64_t n) { return below(n) == 0; }
    std::int8_t between(int lowest, int highest) {
        return static_cast<std::int8_t>(lowest +
                                        static_cast<int>(below(static_cast<std::uint64_t>(highest - lowest + 1))));
    }
    template <class T, std::size_t N>
    T one_of(const std::array<T, N>& all) {
        return all[below(N)];
    }

    order loading() {
        return seq_cst_ && !one_in(3) ? order::seq_cst : one_of(std::array{order::relaxed, order::acquire});
    }
    order storing() {
        return seq_cst_ && !one_in(3) ? order::seq_cst : one_of(std::array{order::relaxed, order::release});
    }
    order modifying() {
        return seq_cst_ && !one_in(3)
                   ? order::seq_cst
                   : one_of(std::array{order::relaxed, order::acquire, order::release, order::acq_rel});
    }

    void add(instruction next, bool always = false) {
        if (code_->size == max_instructions) return;
        if (!always) depend(next);
        code_->at[code_->size++] = next;
    }

    // On what something before it found.
    void depend(instruction& next) {
        if (code_->size == 0) return;
        const std::int8_t before = between(0, static_cast<int>(code_->size) - 1);
        if (!has_result(code_->at[static_cast<std::size_t>(before)].what)) return;
        if ((next.what == store || next.what == write) && one_in(3)) next.source = before;
        if (one_in(4)) {
            next.guard = before;
            next.guard_value = between(0, 1);
            next.unless = one_in(3);
        }
    }

    static bool has_result(operation what) {
        return (what <= compare_exchange_weak && what != store) || what == load_either_until || what == read ||
               what == try_lock || what == try_lock_shared || what == try_lock_exclusive ||
               what == condition_wait_for || what == try_acquire || what == try_acquire_for || what == try_await_count;
    }

    void add_some() {
        switch (one_in(5) ? static_cast<theme>(below(themes)) : theme_) {
            case theme::atomics: return add_atomic();
            case theme::loops: return add_loop();
            case theme::locks: return add_locked();
            case theme::shared_locks: return add_shared_locked();
            case theme::conditions: return add_condition();
            case theme::notifications: return add_notification();
            case theme::semaphores: return add_semaphore();
            case theme::latches: return add_latch();
            case theme::mixture: theme_ = static_cast<theme>(below(themes - 1)); return add_some();
        }
    }

    void add_atomic() {
        const std::int8_t object = between(0, one_in(3) ? 2 : 1);
        switch (below(8)) {
            case 0:
            case 1: return add({.what = load, .using_order = loading(), .object = object});
            case 2:
            case 3: return add({.what = store, .using_order = storing(), .object = object, .value = between(1, 2)});
            case 4:
                return add({.what = exchange, .using_order = modifying(), .object = object, .value = between(1, 2)});
            case 5: return add({.what = fetch_add, .using_order = modifying(), .object = object, .value = 1});
            case 6:
                return add({.what = one_in(2) ? compare_exchange : compare_exchange_weak,
                            .using_order = modifying(),
                            .failure = loading(),
                            .object = object,
                            .value = between(1, 2),
                            .expected = between(0, 1)});
            default: return add({.what = fence, .using_order = one_in(2) ? order::seq_cst : order::acq_rel});
        }
    }

    void add_loop() {
        const std::int8_t object = between(0, 1);
        switch (below(8)) {
            case 0:
            case 1:
                return add({.what = load_until, .using_order = loading(), .object = object, .value = between(0, 1)});
            case 2:
                return add({.what = load_either_until,
                            .using_order = loading(),
                            .object = object,
                            .other = static_cast<std::int8_t>(1 - object),
                            .value = 1,
                            .expected = 1});
            case 3:
                return add({.what = exchange_until,
                            .using_order = modifying(),
                            .failure = loading(),
                            .object = object,
                            .value = between(0, 1),
                            .expected = between(0, 1)});
            case 4: return go_again();
            case 5:
                if (one_in(2)) return add_cell();
                return add({.what = store_until,
                            .using_order = loading(),
                            .failure = storing(),
                            .object = object,
                            .other = static_cast<std::int8_t>(1 - object),
                            .value = between(0, 1),
                            .expected = between(0, 2)});
            case 6:
                return add({.what = take_until, .using_order = modifying(), .failure = modifying(), .object = object});
            default: return add({.what = store, .using_order = storing(), .object = object, .value = 1});
        }
    }

    // A loop with a bound, while what was found before is so.
    void go_again() {
        if (code_->size == 0) return add_atomic();
        const auto last = static_cast<std::int8_t>(code_->size - 1);
        const operation before = code_->at[code_->size - 1].what;
        if (!has_result(before)) return add_atomic();
        add({.what = again,
             .unless = one_in(2),
             .value = between(1, 2),
             .target = between(std::max(0, last - 1), last),
             .guard = last,
             .guard_value = between(0, 1)},
            true);
    }

    void add_cell() {
        const std::int8_t object = between(0, one_in(3) ? 1 : 0);
        if (one_in(2)) return add({.what = read, .object = object});
        add({.what = write, .object = object, .value = between(1, 2)});
    }

    void add_inside() {
        if (one_in(3)) return add_atomic();
        add_cell();
    }

    void add_locked() {
        const std::int8_t object = between(0, one_in(3) ? 1 : 0);
        if (one_in(4)) return add({.what = poll_until, .object = object, .other = 0, .value = between(0, 2)});
        const operation how = one_of(std::array{lock, lock, lock, try_lock, lock_until});
        add({.what = how, .object = object}, true);
        const auto taken = static_cast<std::int8_t>(code_->size - 1);
        if (code_->size < max_instructions) {
            add_inside();
            // Right programs touch data only if they have the lock.
            if (how == try_lock && !one_in(4)) only_if(taken);
        }
        if (!one_in(4)) add({.what = unlock, .object = object}, true);
    }

    void only_if(std::int8_t taken) {
        instruction& inside = code_->at[code_->size - 1];
        inside.guard = taken;
        inside.guard_value = 1;
        inside.unless = false;
    }

    void add_shared_locked() {
        const operation how = one_of(
            std::array{lock_shared, lock_shared, lock_exclusive, lock_exclusive, try_lock_shared, try_lock_exclusive});
        const bool exclusive = how == lock_exclusive || how == try_lock_exclusive;
        add({.what = how}, true);
        const auto taken = static_cast<std::int8_t>(code_->size - 1);
        if (code_->size < max_instructions) {
            if (exclusive) {
                add_cell();
            } else {
                add({.what = one_in(5) ? write : read, .value = 1});
            }
            if (how == try_lock_shared || how == try_lock_exclusive) only_if(taken);
        }
        if (!one_in(4)) add({.what = exclusive ? unlock_exclusive : unlock_shared}, true);
    }

    void add_condition() {
        switch (below(6)) {
            case 0:
            case 1:
                add({.what = lock}, true);
                add({.what = condition_wait_until, .object = 0, .value = 1}, true);
                if (one_in(2)) add_cell();
                return;
            case 2:
                add({.what = lock}, true);
                return add({.what = one_in(3) ? condition_wait : condition_wait_for}, true);
            case 3:
            case 4:
                if (!one_in(4)) add({.what = lock}, true);
                add({.what = write, .object = 0, .value = 1}, true);
                if (!one_in(3)) add({.what = unlock}, true);
                if (!one_in(6)) add({.what = one_in(2) ? condition_notify_one : condition_notify_all}, true);
                return;
            default: return add({.what = one_in(2) ? condition_notify_one : condition_notify_all});
        }
    }

    void add_notification() {
        const std::int8_t object = between(0, one_in(4) ? 1 : 0);
        switch (below(5)) {
            case 0:
            case 1:
                add({.what = wait,
                     .using_order = loading(),
                     .object = object,
                     .value = one_in(4) ? std::int8_t{1} : std::int8_t{0}});
                if (one_in(3)) add_cell();
                return;
            case 2:
            case 3:
                if (one_in(4)) add_cell();
                add({.what = one_in(3) ? fetch_add : store, .using_order = storing(), .object = object, .value = 1});
                if (!one_in(6)) add({.what = one_in(2) ? notify_one : notify_all, .object = object}, true);
                return;
            default: return add({.what = one_in(2) ? notify_one : notify_all, .object = object});
        }
    }

    void add_semaphore() {
        switch (below(6)) {
            case 0:
            case 1:
                add({.what = acquire});
                if (one_in(2)) add_cell();
                return;
            case 2: {
                add({.what = one_in(2) ? try_acquire : try_acquire_for});
                const auto taken = static_cast<std::int8_t>(code_->size - 1);
                if (one_in(2) && code_->size < max_instructions) {
                    add_cell();
                    only_if(taken);
                }
                return;
            }
            case 3: return add_atomic();
            default:
                if (one_in(2)) add_cell();
                return add({.what = release});
        }
    }

    // Mostly so that the order of arrivals is seen by nobody.
    void add_latch() {
        switch (below(8)) {
            case 0:
            case 1: return add_cell();
            case 2: return add_atomic();
            case 3:
            case 4:
                add({.what = await_count}, true);
                if (one_in(2)) add_cell();
                return;
            case 5:
                if (one_in(3)) return add({.what = try_await_count});
                [[fallthrough]];
            default: return add({.what = count_down}, !one_in(4));
        }
    }

    std::mt19937_64 random_;
    theme theme_ = theme::atomics;
    bool seq_cst_ = false;
    thread_code* code_ = nullptr;
};

}  // namespace

program random_program(std::uint64_t seed) { return generator(seed).make(); }

}  // namespace ordeal::model_tests::fuzz
