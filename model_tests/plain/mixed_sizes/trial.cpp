// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the current program over halves of 4 bytes and of 8, as code on trial.
#include "model_tests/plain/mixed_sizes/program.hpp"

#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#ifdef __clang__
#pragma clang diagnostic ignored "-Watomic-alignment"  // that not every processor has those of 16 bytes
#endif

namespace ordeal::model_tests::mixed_sizes {

namespace {

constexpr std::memory_order order_of(ordering how, std::memory_order acquire_release) {
    switch (how) {
        case ordering::relaxed: return std::memory_order_relaxed;
        case ordering::acquire_release: return acquire_release;
        default: return std::memory_order_seq_cst;
    }
}

// As many threads as it has in a program is said when it is searched.
template <class Half>
struct machine {
    static constexpr std::array threads{"0", "1", "2"};

    struct alignas(2 * sizeof(Half)) halves {
        Half first = 0;
        Half second = 0;
    };

    machine() { (void)std::atomic_ref(all_).load(std::memory_order_relaxed); }

    void run(int thread) {
        const thread_code& code = current_program().threads[static_cast<std::size_t>(thread)];
        for (std::size_t i = 0; i < code.size; ++i) {
            const instruction each = code.at[i];
            const auto half = static_cast<Half>(each.value);
            int& read = found_.read[static_cast<std::size_t>(thread)][i];
            // Both halves at one place in the source, as in a loop over them.
            if (each.of == part::both) {
                read = perform(each, std::atomic_ref(all_), halves{half, half});
            } else {
                read = perform(each, std::atomic_ref(each.of == part::first ? all_.first : all_.second), half);
            }
        }
    }
    void finish() { found_.left = number(std::atomic_ref(all_).load(std::memory_order_relaxed)); }
    [[nodiscard]] std::string outcome() const { return to_string(found_); }

private:
    [[nodiscard]] static int number(Half value) { return static_cast<int>(value); }
    [[nodiscard]] static int number(halves value) {
        return number_of(static_cast<int>(value.first), static_cast<int>(value.second));
    }
    template <class Value>
    [[nodiscard]] static int perform(const instruction& each, std::atomic_ref<Value> target, Value value) {
        const std::memory_order loads = order_of(each.how, std::memory_order_acquire);
        const std::memory_order changes = order_of(each.how, std::memory_order_acq_rel);
        switch (each.what) {
            case operation::load: return number(target.load(loads));
            case operation::store: target.store(value, order_of(each.how, std::memory_order_release)); return 0;
            case operation::exchange: return number(target.exchange(value, changes));
            default: {
                Value expected{};
                target.compare_exchange_strong(expected, value, changes, loads);
                return number(expected);
            }
        }
    }

    halves all_;
    mixed_sizes::outcome found_;
};

ORDEAL_SCENARIO("mixed_sizes/8_bytes", machine<std::uint32_t>);
ORDEAL_SCENARIO("mixed_sizes/16_bytes", machine<std::uint64_t>);

}  // namespace

}  // namespace ordeal::model_tests::mixed_sizes
