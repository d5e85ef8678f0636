// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Something that is made once, by whoever needs it first.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>

namespace ordeal::model_tests {

namespace {

struct settings {
    int answer = 42;
    int uses = 0;
};

// Both threads use it, and see it whole.
template <const settings& (*Instance)()>
struct used_by_two {
    static constexpr auto threads = std::array{"user", "user"};
    std::array<const settings*, 2> seen{};

    void run(int thread) {
        const settings& found = Instance();
        require(found.answer == 42);
        seen[static_cast<std::size_t>(thread)] = &found;
    }
    void finish() const { require(seen[0] == seen[1]); }
};

const settings& function_local() {
    static const auto instance = std::make_unique<settings>();
    return *instance;
}

std::once_flag made;
std::optional<settings> by_call_once;

const settings& called_once() {
    std::call_once(made, [] { by_call_once.emplace(); });
    return *by_call_once;
}

// The first try fails: the next one who comes makes it.
std::once_flag tried;
std::optional<settings> at_second_try;
int tries = 0;

const settings& called_until_it_succeeds() {
    for (;;) {
        try {
            std::call_once(tried, [] {
                if (++tries == 1) throw std::runtime_error("not yet");
                at_second_try.emplace();
            });
            return *at_second_try;
        } catch (const std::runtime_error&) {
        }
    }
}

template <std::memory_order Load, std::memory_order Store>
const settings& double_checked() {
    static constinit std::atomic<const settings*> instance{nullptr};
    static constinit std::mutex mutex;
    static settings storage;
    const settings* found = instance.load(Load);
    if (found == nullptr) {
        const std::lock_guard lock(mutex);
        found = instance.load(std::memory_order_relaxed);
        if (found == nullptr) {
            storage.uses = 1;
            found = &storage;
            instance.store(found, Store);
        }
    }
    require(found->uses == 1);
    return *found;
}

const settings& double_checked_plainly() {
    static constinit const settings* instance = nullptr;
    static constinit std::mutex mutex;
    static settings storage;
    if (instance == nullptr) {
        const std::lock_guard lock(mutex);
        if (instance == nullptr) instance = &storage;
    }
    return *instance;
}

// Not even a mutex.
const settings& unprotected() {
    static constinit settings* instance = nullptr;
    static settings storage;
    if (instance == nullptr) instance = &storage;
    return *instance;
}

template <const settings& (*Instance)()>
using racy_singleton = wrong<used_by_two<Instance>, violation_kind::data_race>;

ORDEAL_SCENARIO("programs/singleton_function_local", used_by_two<function_local>);
ORDEAL_SCENARIO("programs/singleton_call_once", used_by_two<called_once>);
ORDEAL_SCENARIO("programs/singleton_call_once_throws", used_by_two<called_until_it_succeeds>);
ORDEAL_SCENARIO("programs/singleton_double_checked", used_by_two<double_checked<acquire, release>>);
ORDEAL_SCENARIO("programs/singleton_load_relaxed", racy_singleton<double_checked<relaxed, release>>);
ORDEAL_SCENARIO("programs/singleton_store_relaxed", racy_singleton<double_checked<acquire, relaxed>>);
ORDEAL_SCENARIO("programs/singleton_plain_pointer", racy_singleton<double_checked_plainly>);
ORDEAL_SCENARIO("programs/singleton_unprotected", racy_singleton<unprotected>);

}  // namespace

}  // namespace ordeal::model_tests
