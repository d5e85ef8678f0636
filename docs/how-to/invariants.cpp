// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trials of invariants.md.
#include <ordeal/trial.h>
#include <ordeal/scenario/require.hpp>

#include <array>
#include <atomic>
#include <thread>

// One place: put() fails where it is full, take() where it is empty.
class mailbox {
public:
    bool put(int* letter) {
        int* empty = nullptr;
        return place_.compare_exchange_strong(empty, letter, std::memory_order_release, std::memory_order_relaxed);
    }
    int* take() { return place_.exchange(nullptr, std::memory_order_acquire); }

private:
    std::atomic<int*> place_{nullptr};
};

ORDEAL_TRIAL("mailbox/publishes") {
    mailbox box;
    int letter = 0;
    std::jthread sender([&] {
        letter = 42;  // no atomic: who reads it without being ordered after this is a data race
        box.put(&letter);
    });
    if (const int* const found = box.take()) ordeal::require(*found == 42, "what was written before put() is read");
}

ORDEAL_TRIAL("mailbox/each_letter_once") {
    mailbox box;
    int letter = 42;
    box.put(&letter);
    std::array<int*, 2> taken{};
    std::thread other([&] { taken[1] = box.take(); });
    taken[0] = box.take();
    other.join();
    ordeal::require((taken[0] == nullptr) != (taken[1] == nullptr), "one of the two has it, and no more than one");
}

ORDEAL_TRIAL("mailbox/loses_nothing") {
    mailbox box;
    std::array<int, 2> letters{};
    std::array<bool, 2> was_put{};
    std::thread other([&] { was_put[1] = box.put(&letters[1]); });
    was_put[0] = box.put(&letters[0]);
    int* const early = box.take();
    other.join();
    const int* const late = box.take();
    const int taken = (early != nullptr ? 1 : 0) + (late != nullptr ? 1 : 0);
    ordeal::require(taken == (was_put[0] ? 1 : 0) + (was_put[1] ? 1 : 0), "as many come out as went in");
    ordeal::require(was_put[0] || was_put[1], "an empty place takes a letter");
}

ORDEAL_TRIAL("mailbox/excludes") {
    mailbox key;  // as a lock: who takes the key is alone
    int token = 0;
    int inside = 0;
    key.put(&token);
    const auto visit = [&] {
        int* const mine = key.take();
        if (mine == nullptr) return;
        ++inside;  // two at a time are a data race
        key.put(mine);
    };
    std::jthread other(visit);
    visit();
}
