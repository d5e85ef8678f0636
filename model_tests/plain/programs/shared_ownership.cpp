// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// std::shared_ptr and std::weak_ptr between threads.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace ordeal::model_tests {

namespace {

// Each thread has its own copy; whoever is last destroys.
struct last_owner_destroys {
    static constexpr auto threads = std::array{"owner", "owner"};
    std::array<std::shared_ptr<int>, 2> owners = [] {
        const auto first = std::make_shared<int>(42);
        return std::array{first, first};
    }();

    void run(int thread) {
        std::shared_ptr<int>& own = owners[static_cast<std::size_t>(thread)];
        require(*own == 42);
        own.reset();
    }
};

// One object, two threads: the count is atomic, the pointer is not.
struct one_pointer_for_two {
    static constexpr auto threads = std::array{"copies", "resets"};
    std::shared_ptr<int> pointer = std::make_shared<int>(42);

    void run(int thread) {
        if (thread == 0) {
            const std::shared_ptr<int> own = pointer;
        } else {
            pointer.reset();
        }
    }
};

// "Nobody else has it, so I may write": use_count() is a relaxed load.
struct writes_if_alone {
    static constexpr auto threads = std::array{"writer", "reader"};
    std::array<std::shared_ptr<int>, 2> owners = [] {
        const auto first = std::make_shared<int>(1);
        return std::array{first, first};
    }();

    void run(int thread) {
        if (thread == 1) {
            require(*owners[1] == 1);
            owners[1].reset();
        } else if (owners[0].use_count() == 1) {
            *owners[0] = 2;
        }
    }
};

// What a cache knows lives as long as somebody uses it.
struct weak_cache {
    static constexpr auto threads = std::array{"user", "user"};

    void run(int /*thread*/) {
        const std::shared_ptr<const std::string> found = get(1);
        require(*found == "one");
    }

protected:
    [[nodiscard]] std::shared_ptr<const std::string> get(int key) {
        const std::lock_guard lock(mutex_);
        std::weak_ptr<const std::string>& entry = entries_[key];
        std::shared_ptr<const std::string> found = entry.lock();
        if (!found) entry = found = std::make_shared<const std::string>("one");
        return found;
    }

private:
    std::mutex mutex_;
    std::map<int, std::weak_ptr<const std::string>> entries_;
};

// The other one may have been the last owner, or may not.
struct weak_pointer_is_locked {
    static constexpr auto threads = std::array{"owner", "observer"};
    std::shared_ptr<int> owner = std::make_shared<int>(42);
    std::weak_ptr<int> observer = owner;

    void run(int thread) {
        if (thread == 0) {
            owner.reset();
        } else if (const auto own = observer.lock()) {
            require(*own == 42);
        }
    }
    void finish() const { require(observer.expired()); }
};

// "It has not expired, so I may use it."
struct weak_pointer_is_asked {
    static constexpr auto threads = std::array{"owner", "observer"};
    std::shared_ptr<int> owner{new int(42)};
    std::weak_ptr<int> observer = owner;
    int* raw = owner.get();
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            owner.reset();
        } else if (!observer.expired()) {
            seen = *raw;
        }
    }
};

// Right by the standard, and a race within libstdc++ 12: load() gives up the lock it takes with memory_order_relaxed, so that
// its read of the pointer is not ordered before the next write.
struct atomic_shared_pointer {
    static constexpr auto threads = std::array{"reader", "writer"};
    std::atomic<std::shared_ptr<int>> pointer{std::make_shared<int>(1)};

    void run(int thread) {
        if (thread == 0) {
            const std::shared_ptr<int> own = pointer.load();
            require(*own == 1 || *own == 2);
        } else {
            pointer.store(std::make_shared<int>(2));
        }
    }
};

// Two writers and nobody who only looks.
struct atomic_shared_pointer_exchanged {
    static constexpr auto threads = std::array{"writer", "writer"};
    std::atomic<std::shared_ptr<int>> pointer{std::make_shared<int>(0)};
    std::array<int, 2> before{};

    void run(int thread) {
        before[static_cast<std::size_t>(thread)] = *pointer.exchange(std::make_shared<int>(thread + 1));
    }
    void finish() const { require((before[0] == 0) != (before[1] == 0)); }
};

// Each access takes a lock of its pointer in the library, and gives it back by what it kept of it.
struct two_pointers_in_turn {
    static constexpr auto threads = std::array{"writer", "reader", "reader"};
    std::shared_ptr<int> first = std::make_shared<int>(1);
    std::shared_ptr<int> second = std::make_shared<int>(1);

    void run(int thread) {
        for (std::shared_ptr<int>* const each : {&first, &second}) {
            if (thread == 0) {
                std::atomic_store(each, std::make_shared<int>(2));
            } else {
                const std::shared_ptr<int> own = std::atomic_load(each);
                require(*own == 1 || *own == 2);
            }
        }
    }
};

struct node {
    std::shared_ptr<node> other;
    int value = 0;
};

struct cycle {
    static constexpr auto threads = std::array{"user"};

    void run(int /*thread*/) {
        const auto first = std::make_shared<node>();
        first->other = std::make_shared<node>();
        first->other->other = first;
    }
};

ORDEAL_SCENARIO("programs/shared_ptr_last_owner_destroys", last_owner_destroys);
ORDEAL_SCENARIO("programs/shared_ptr_one_for_two", wrong<one_pointer_for_two, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/shared_ptr_writes_if_alone", wrong<writes_if_alone, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/shared_ptr_weak_cache", weak_cache);
ORDEAL_SCENARIO("programs/shared_ptr_weak_locked", weak_pointer_is_locked);
ORDEAL_SCENARIO("programs/shared_ptr_weak_asked",
                wrong<weak_pointer_is_asked, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/shared_ptr_atomic", wrong<atomic_shared_pointer, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/shared_ptr_atomic_exchanged", atomic_shared_pointer_exchanged);
ORDEAL_SCENARIO("programs/shared_ptr_two_in_turn", two_pointers_in_turn);
ORDEAL_SCENARIO("programs/shared_ptr_cycle", wrong<cycle, violation_kind::leak>);

}  // namespace

}  // namespace ordeal::model_tests
