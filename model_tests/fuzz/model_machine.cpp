// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/fuzz/model_machine.hpp"

#include "model_tests/fuzz/machine.hpp"

#include "ordeal/runtime/policy/model_policy.hpp"

namespace ordeal::model_tests::fuzz {

namespace {

struct nothing_else {};

struct policy_types {
    using atomic = model_policy::atomic<int>;
    struct cell {
        model_policy::cell<int> value{0};
    };
    using mutex = model_policy::mutex;
    using others = nothing_else;
    static constexpr bool has_others = false;

    static int load(const atomic& from, std::memory_order how) { return from.load(how); }
    static void store(atomic& to, int value, std::memory_order how) { to.store(value, how); }
    static int exchange(atomic& with, int value, std::memory_order how) { return with.exchange(value, how); }
    static int fetch_add(atomic& to, int value, std::memory_order how) { return to.fetch_add(value, how); }
    static bool compare_exchange(atomic& with, int& expected, int desired, std::memory_order success,
                                 std::memory_order failure) {
        return with.compare_exchange_strong(expected, desired, success, failure);
    }
    static bool compare_exchange_weak(atomic& with, int& expected, int desired, std::memory_order success,
                                      std::memory_order failure) {
        return with.compare_exchange_weak(expected, desired, success, failure);
    }
    static void wait(const atomic& on, int old, std::memory_order how) { on.wait(old, how); }
    static void fence(std::memory_order how) { model_policy::fence(how); }
    static int read(const cell& from) { return from.value.read(); }
    static void write(cell& to, int value) { to.value.write() = value; }
};

// Threads of a random program may have nothing in common, of which a search says that it shows nothing.
struct machine_with_a_common_cell : machine<policy_types> {
    model_policy::cell<int> common{0};

    void run(int thread) {
        (void)common.read();
        machine<policy_types>::run(thread);
    }
};

}  // namespace

scenario over_the_policy() {
    scenario result;
    result.name = "fuzz/policy";
    result.model = detail::body_of<machine_with_a_common_cell>();
    return result;
}

}  // namespace ordeal::model_tests::fuzz
