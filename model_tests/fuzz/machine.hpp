// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the current program: over the policy's types, or over the standard library's, as code on trial.
#pragma once

#include "model_tests/fuzz/program.hpp"

#include <array>
#include <atomic>
#include <string>

namespace ordeal::model_tests::fuzz {

/// `Types` has the atomics, cells and mutexes, and `others`, what waits and orders besides.
template <class Types>
class machine {
public:
    void run(int thread) {
        (void)seen_by_all_;
        const thread_code& code = current_program().threads[static_cast<std::size_t>(thread)];
        register_file registers;
        registers.fill(none);
        std::array<int, max_instructions> iterations{};
        holdings held;
        for (std::size_t at = 0; at < code.size; ++at) {
            const instruction each = code.at[at];
            if (!is_met(each, registers)) continue;
            if (each.what == operation::again) {
                if (iterations[at]++ < each.value) at = static_cast<std::size_t>(each.target) - 1;
                continue;
            }
            perform(each, registers, registers[at], held);
        }
        for (std::size_t i = 0; i < mutexes; ++i) {
            if (held.mutex[i]) mutexes_[i].unlock();
        }
        if constexpr (Types::has_others) {
            if (held.shared) others_.unlock_shared();
            if (held.exclusive) others_.unlock_exclusive();
        }
        found_[static_cast<std::size_t>(thread)] = registers;
    }

    void finish() {
        for (std::size_t i = 0; i < atomics; ++i) left_[i] = Types::load(atomics_[i], std::memory_order_relaxed);
        for (std::size_t i = 0; i < cells; ++i) left_[atomics + i] = Types::read(cells_[i]);
    }

    [[nodiscard]] std::string outcome() const { return outcome_text(current_program(), found_, left_); }

private:
    struct holdings {
        std::array<bool, mutexes> mutex{};
        bool shared = false;
        bool exclusive = false;
    };

    void perform(const instruction& each, const register_file& registers, int& result, holdings& held) {
        if (each.what <= operation::fence) {
            access(each, registers, result);
        } else if (each.what == operation::read) {
            result = Types::read(cells_[static_cast<std::size_t>(each.object)]);
        } else if (each.what == operation::write) {
            Types::write(cells_[static_cast<std::size_t>(each.object)], stored_by(each, registers));
        } else if (each.what <= operation::unlock) {
            lock(each, result, held.mutex[static_cast<std::size_t>(each.object)]);
        } else if constexpr (Types::has_others) {
            other(each, result, held);
        }
    }

    void access(const instruction& each, const register_file& registers, int& result) {
        auto& atomic = atomics_[static_cast<std::size_t>(each.object)];
        const auto how = to_std(each.using_order);
        const auto failing = to_std(each.failure);
        switch (each.what) {
            case operation::load: result = Types::load(atomic, how); break;
            case operation::store: Types::store(atomic, stored_by(each, registers), how); break;
            case operation::exchange: result = Types::exchange(atomic, each.value, how); break;
            case operation::fetch_add: result = Types::fetch_add(atomic, each.value, how); break;
            case operation::compare_exchange: {
                int expected = each.expected;
                const bool stored = Types::compare_exchange(atomic, expected, each.value, how, failing);
                result = stored ? 9 : expected;
                break;
            }
            case operation::compare_exchange_weak: {
                int expected = each.expected;
                const bool stored = Types::compare_exchange_weak(atomic, expected, each.value, how, failing);
                result = stored ? 9 : expected;
                break;
            }
            case operation::load_until:
                while (Types::load(atomic, how) != each.value) {
                }
                break;
            case operation::load_either_until: result = either(each); break;
            case operation::exchange_until: {
                int expected = each.expected;
                while (!Types::compare_exchange_weak(atomic, expected, each.value, how, failing)) {
                    expected = each.expected;
                }
                break;
            }
            case operation::wait: Types::wait(atomic, each.value, how); break;
            case operation::notify_one: atomic.notify_one(); break;
            case operation::notify_all: atomic.notify_all(); break;
            default: Types::fence(how);
        }
    }

    int either(const instruction& each) {
        auto& first = atomics_[static_cast<std::size_t>(each.object)];
        auto& second = atomics_[static_cast<std::size_t>(each.other)];
        const auto how = to_std(each.using_order);
        while (true) {
            if (Types::load(first, how) == each.value) return 1;
            if (Types::load(second, how) == each.expected) return 2;
        }
    }

    void lock(const instruction& each, int& result, bool& held) {
        auto& mutex = mutexes_[static_cast<std::size_t>(each.object)];
        if (each.what == operation::unlock) {
            if (held) mutex.unlock();
            held = false;
            return;
        }
        if (held) return;
        switch (each.what) {
            case operation::lock:
                mutex.lock();
                held = true;
                break;
            case operation::try_lock:
                held = mutex.try_lock();
                result = held ? 1 : 0;
                break;
            default:
                while (!mutex.try_lock()) {
                }
                held = true;
        }
    }

    void other(const instruction& each, int& result, holdings& held) {
        switch (each.what) {
            case operation::lock_shared:
            case operation::try_lock_shared:
            case operation::lock_exclusive:
            case operation::try_lock_exclusive:
                if (!held.shared && !held.exclusive) others_.take_shared_mutex(each.what, result, held);
                break;
            case operation::unlock_shared:
                if (held.shared) others_.unlock_shared();
                held.shared = false;
                break;
            case operation::unlock_exclusive:
                if (held.exclusive) others_.unlock_exclusive();
                held.exclusive = false;
                break;
            case operation::condition_wait:
            case operation::condition_wait_for:
            case operation::condition_wait_until:
                if (held.mutex[0]) {
                    others_.condition_wait(each, mutexes_[0], cells_[static_cast<std::size_t>(each.object) % cells],
                                           result);
                }
                break;
            case operation::poll_until:
                if (!held.mutex[static_cast<std::size_t>(each.object)]) poll(each);
                break;
            case operation::take_until: take(each); break;
            case operation::store_until: store(each); break;
            default: others_.perform(each.what, result);
        }
    }

    void poll(const instruction& each) {
        auto& mutex = mutexes_[static_cast<std::size_t>(each.object)];
        for (bool met = false; !met;) {
            mutex.lock();
            met = Types::read(cells_[static_cast<std::size_t>(each.other)]) == each.value;
            mutex.unlock();
        }
    }

    void take(const instruction& each) {
        auto& atomic = atomics_[static_cast<std::size_t>(each.object)];
        while (Types::fetch_add(atomic, -1, to_std(each.using_order)) <= 0) {
            Types::fetch_add(atomic, 1, to_std(each.failure));
        }
    }

    void store(const instruction& each) {
        const auto& awaited = atomics_[static_cast<std::size_t>(each.object)];
        auto& stored = atomics_[static_cast<std::size_t>(each.other)];
        while (Types::load(awaited, to_std(each.using_order)) != each.value) {
            Types::store(stored, each.expected, to_std(each.failure));
        }
    }

    [[nodiscard]] static std::memory_order to_std(order how) {
        switch (how) {
            case order::acquire: return std::memory_order_acquire;
            case order::release: return std::memory_order_release;
            case order::acq_rel: return std::memory_order_acq_rel;
            case order::seq_cst: return std::memory_order_seq_cst;
            default: return std::memory_order_relaxed;
        }
    }

    std::array<typename Types::atomic, atomics> atomics_;
    std::array<typename Types::cell, cells> cells_;
    std::array<typename Types::mutex, mutexes> mutexes_;
    typename Types::others others_;
    std::array<register_file, max_threads> found_{};
    std::array<int, atomics + cells> left_{};
    // In a random program threads may share nothing, and a search of these shows nothing.
    volatile int seen_by_all_ = 0;
};

}  // namespace ordeal::model_tests::fuzz
