// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop has in registers is part of its state, whichever registers those are.
#include "model_tests/graph/graph_search.hpp"
#include "model_tests/support/counting_calls.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <utility>

#if defined(__x86_64__)

namespace ordeal::model_tests {

using namespace detail;

namespace {

// Failures are counted, all of them spurious, in a register.
template <std::size_t Register, bool Locks>
struct counting {
    template <class P>
    struct scenario {
        static constexpr auto threads = std::array{"tries", "looks"};
        typename P::mutex mutex;
        typename P::template atomic<int> x{0};
        long failures = 0;

        static int locks(scenario& self) {
            if (!self.mutex.try_lock()) return 0;
            self.mutex.unlock();
            return 1;
        }
        static int exchanges(scenario& self) {
            int expected = 0;
            return self.x.compare_exchange_weak(expected, 1, relaxed) ? 1 : 0;
        }
        void run(int thread) {
            if (thread == 1) return (void)x.load(relaxed);
            (void)x.load(relaxed);
            const auto attempt = Locks ? &scenario::locks : &scenario::exchanges;
            failures = count_calls[Register]({reinterpret_cast<const void*>(attempt), this, nullptr, nullptr}, 0);
        }
        [[nodiscard]] std::string outcome() const { return std::to_string(failures); }
    };
};

template <bool Locks, std::size_t... Registers>
void check_all(std::index_sequence<Registers...> /*each*/) {
    search_options how = full_search();
    how.bounds.spurious = 3;
    (check_held(make_scenario<counting<Registers, Locks>::template scenario>("counts"), {"0", "1", "2"}, how), ...);
}

}  // namespace

TEST_CASE("A count of failures is part of a state, whichever register has it") {
    check_all<true>(std::make_index_sequence<count_calls.size()>());
    check_all<false>(std::make_index_sequence<count_calls.size()>());
}

}  // namespace ordeal::model_tests

#endif
