// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits of at most a thousand looks, as people write them. Each is right, and wrong where what it waited for is used although
// the wait may have given up, or was found without acquire.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>

namespace ordeal::model_tests {

namespace {

constexpr int most = 1000;
using flag = std::atomic<int>;

struct found_and_counted {
    static bool wait(const flag& full, std::memory_order order) {
        int tries = 0;
        while (full.load(order) == 0 && ++tries < most) {
        }
        return full.load(order) != 0;
    }
};

struct counted_and_found {
    static bool wait(const flag& full, std::memory_order order) {
        int tries = 0;
        while (tries < most && full.load(order) == 0) ++tries;
        return full.load(order) != 0;
    }
};

struct counted_down {
    static bool wait(const flag& full, std::memory_order order) {
        int left = most;
        while (left-- > 0 && full.load(order) == 0) {
        }
        return full.load(order) != 0;
    }
};

struct found_or_over {
    static bool wait(const flag& full, std::memory_order order) {
        int tries = 0;
        while (!(full.load(order) != 0 || ++tries == most)) {
        }
        return full.load(order) != 0;
    }
};

struct flag_in_the_condition {
    static bool wait(const flag& full, std::memory_order order) {
        bool found = false;
        for (int left = most; left > 0 && !found; --left) found = full.load(order) != 0;
        return found;
    }
};

struct flag_first {
    static bool wait(const flag& full, std::memory_order order) {
        bool found = false;
        for (int left = most; !found && left > 0; --left) found = full.load(order) != 0;
        return found;
    }
};

struct flag_of_the_iteration {
    static bool wait(const flag& full, std::memory_order order) {
        int tries = 0;
        for (;;) {
            const bool over = full.load(order) != 0 || ++tries == most;
            if (over) break;
        }
        return full.load(order) != 0;
    }
};

struct left_by_return {
    static bool wait(const flag& full, std::memory_order order) {
        for (int tries = 0; tries < most; ++tries) {
            if (full.load(order) != 0) return true;
        }
        return false;
    }
};

struct counted_before_the_check {
    static bool wait(const flag& full, std::memory_order order) {
        int tries = 0;
        int seen = 0;
        for (;;) {
            seen = full.load(order);
            if (++tries == most) return false;
            if (seen != 0) return true;
        }
    }
};

enum class mistakes { none, no_acquire, used_if_given_up, never_found };

template <class How, mistakes Mistake>
struct waits_for_data {
    static constexpr auto threads = std::array{"fills", "waits"};
    flag full{0};
    int data = 0;

    void run(int thread) {
        if (thread == 0) {
            data = 1;
            full.store(1, release);
            return;
        }
        const bool found = How::wait(full, Mistake == mistakes::no_acquire ? relaxed : acquire);
        if (Mistake == mistakes::never_found) require(!found);
        if (found || Mistake == mistakes::used_if_given_up) require(data == 1);
    }
};

// NOLINTBEGIN(bugprone-macro-parentheses): the name of a class has none
#define ORDEAL_WAIT(how) \
    ORDEAL_SCENARIO("bounded/" #how, waits_for_data<how, mistakes::none>); \
    ORDEAL_SCENARIO("bounded/" #how "_relaxed", \
                    wrong<waits_for_data<how, mistakes::no_acquire>, violation_kind::data_race>); \
    ORDEAL_SCENARIO("bounded/" #how "_given_up", \
                    wrong<waits_for_data<how, mistakes::used_if_given_up>, violation_kind::data_race>); \
    ORDEAL_SCENARIO("bounded/" #how "_never_found", \
                    wrong<waits_for_data<how, mistakes::never_found>, violation_kind::failed_requirement>)
// NOLINTEND(bugprone-macro-parentheses)

ORDEAL_WAIT(found_and_counted);
ORDEAL_WAIT(counted_and_found);
ORDEAL_WAIT(counted_down);
ORDEAL_WAIT(found_or_over);
ORDEAL_WAIT(flag_in_the_condition);
ORDEAL_WAIT(flag_first);
ORDEAL_WAIT(flag_of_the_iteration);
ORDEAL_WAIT(left_by_return);
ORDEAL_WAIT(counted_before_the_check);

#undef ORDEAL_WAIT

}  // namespace

}  // namespace ordeal::model_tests
