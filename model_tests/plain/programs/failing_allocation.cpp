// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that is not to be had: who asks for it must leave everything as it was.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

namespace ordeal::model_tests {

namespace {

template <unsigned Which>
struct push_fails {
    static constexpr auto threads = std::array{"pushes", "looks"};
    std::mutex mutex;
    std::vector<std::string> values;

    void run(int thread) {
        if (thread == 0) {
            fail_allocation(Which);
            try {
                const std::lock_guard lock(mutex);
                values.push_back("a string that does not fit into its object");
            } catch (const std::bad_alloc&) {
                push_again();
            }
            fail_allocation(0);
        } else {
            const std::lock_guard lock(mutex);
            require(values.empty() || values.size() == 1);
        }
    }
    void finish() const { require(values.size() == 1); }

private:
    void push_again() {
        const std::lock_guard lock(mutex);
        require(values.empty(), "the failed one left nothing");
        values.push_back("short");
    }
};

// Whoever has the first when the second cannot be had must give it back.
struct second_fails {
    static constexpr auto threads = std::array{"allocates"};
    std::unique_ptr<int> first;
    std::unique_ptr<int> second;

    void run(int /*thread*/) {
        fail_allocation(2);
        try {
            first = std::make_unique<int>(1);
            second = std::make_unique<int>(2);
        } catch (const std::bad_alloc&) {
            require(first && !second);
        }
    }
    void finish() const { require(!second, "the second cannot be had"); }
};

struct second_fails_and_first_is_forgotten {
    static constexpr auto threads = std::array{"allocates"};
    std::array<std::atomic<int*>, 2> made{};

    void run(int /*thread*/) {
        fail_allocation(2);
        try {
            for (std::atomic<int*>& each : made) each.store(new int(1));
            for (const std::atomic<int*>& each : made) delete each.load();
        } catch (const std::bad_alloc&) {
        }
    }
};

struct nobody_catches {
    static constexpr auto threads = std::array{"allocates"};
    std::vector<int> values;

    void run(int /*thread*/) {
        fail_allocation(1);
        values.resize(3);
    }
};

struct asked_not_to_throw {
    static constexpr auto threads = std::array{"allocates"};

    std::atomic<int*> made{nullptr};

    void run(int /*thread*/) {
        fail_allocation(1);
        made.store(new (std::nothrow) int(1));
        require(made.load() == nullptr);
        made.store(new (std::nothrow) int(2));
        require(*made.load() == 2);
        delete made.load();
    }
};

ORDEAL_SCENARIO("programs/allocation_of_string_fails", push_fails<1>);
ORDEAL_SCENARIO("programs/allocation_of_vector_fails", push_fails<2>);
ORDEAL_SCENARIO("programs/allocation_second_fails", second_fails);
ORDEAL_SCENARIO("programs/allocation_second_fails_unowned",
                wrong<second_fails_and_first_is_forgotten, violation_kind::leak>);
ORDEAL_SCENARIO("programs/allocation_nobody_catches", wrong<nobody_catches, violation_kind::uncaught_exception>);
ORDEAL_SCENARIO("programs/allocation_without_throw", asked_not_to_throw);

}  // namespace

}  // namespace ordeal::model_tests
