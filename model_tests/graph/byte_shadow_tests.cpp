// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shadow of plain memory against one that keeps everything.
#include "model_tests/graph/random_seed.hpp"
#include "ordeal/engine/graph/non_atomic/byte_shadow.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using ordeal::detail::graph::byte_access;
using ordeal::detail::graph::byte_shadow;
using ordeal::detail::graph::event_index;
using ordeal::detail::graph::max_thread_ids;
using ordeal::detail::graph::view;

constexpr std::uintptr_t base = 0x1000;

struct kept_access {
    std::uintptr_t begin;
    std::uintptr_t end;
    byte_access how;
    std::uint8_t thread_id;
    event_index epoch;
};

bool is_write(byte_access how) { return how == byte_access::write || how == byte_access::atomic_write; }
bool atomic(byte_access how) { return how == byte_access::atomic_read || how == byte_access::atomic_write; }

// Threads that do events, and now and then take over all that another knows.
class naive_shadow {
public:
    bool note(ordeal::memory_range where, const byte_shadow::access& now, const view& happened) {
        bool raced = false;
        const std::uintptr_t end = where.address + where.size;
        for (const kept_access& each : all_) {
            const bool ordered = each.thread_id == now.thread_id || happened[each.thread_id] >= each.epoch;
            const bool conflict = (is_write(each.how) || is_write(now.how)) && !(atomic(each.how) && atomic(now.how));
            raced |= each.begin < end && where.address < each.end && !ordered && conflict;
        }
        all_.push_back({where.address, end, now.how, now.thread_id, now.epoch});
        return raced;
    }

    [[nodiscard]] bool is_shared(ordeal::memory_range where, std::uint8_t thread_id, const view& fixed) const {
        const auto meets = [&](const kept_access& each) {
            return each.begin < where.address + where.size && where.address < each.end && each.thread_id != thread_id &&
                   fixed[each.thread_id] < each.epoch;
        };
        return std::ranges::any_of(all_, meets);
    }

private:
    std::vector<kept_access> all_;
};

struct many_threads {
    std::array<view, 5> happened;

    [[nodiscard]] event_index epoch(std::size_t thread_id) const {
        return static_cast<event_index>(happened[thread_id][thread_id] + 1);
    }
    void do_event(std::size_t thread_id) { ++happened[thread_id][thread_id]; }
    void take_over(std::size_t thread_id, std::size_t from) {
        do_event(from);
        happened[thread_id].join(happened[from]);
        do_event(thread_id);
    }
};

}  // namespace

// After its first race an execution is over, so the two need not agree on what comes later.
TEST_CASE("The shadow of bytes finds the first race of every history, and no other") {
    const std::uint64_t seed = ordeal::model_tests::rc11::first_seed();
    INFO("ORDEAL_SEED=" << seed);
    std::mt19937_64 random(seed);
    const auto below = [&](std::size_t bound) { return random() % bound; };
    byte_shadow shadow;
    shadow.add_region({base, 64}, false);
    std::size_t raced = 0;
    std::size_t long_ones = 0;
    for (int round = 0; round < 20'000; ++round) {
        shadow.begin_execution();
        naive_shadow naive;
        many_threads threads;
        const std::size_t first = round % 2 == 0 ? base : base + 64;  // a region, and elsewhere
        for (int i = 0; i < 60; ++i) {
            const std::size_t number = below(threads.happened.size());
            if (below(3) == 0) threads.do_event(number);
            if (below(2) == 0) threads.take_over(number, below(threads.happened.size()));
            const ordeal::memory_range where{first + below(16), std::size_t{1} << below(5)};
            const std::size_t dice = below(12);
            const auto how = dice < 6   ? byte_access::read
                             : dice < 7 ? byte_access::write
                             : dice < 8 ? byte_access::atomic_write
                                        : byte_access::atomic_read;
            const byte_shadow::access now{how, static_cast<std::uint8_t>(number), threads.epoch(number)};
            const bool expected = naive.note(where, now, threads.happened[number]);
            REQUIRE(shadow.note(where, now, threads.happened[number]).raced == expected);
            if (!expected) continue;
            ++raced;
            long_ones += i > 20 ? 1 : 0;
            break;
        }
    }
    // Not all were over at once.
    CHECK(raced > 1'000);
    CHECK(long_ones > 100);
}

// All that orders the threads here is who creates and joins whom. What else does is an object that both have touched.
TEST_CASE("The shadow of bytes finds the first two accesses of every history that two threads make unordered") {
    const std::uint64_t seed = ordeal::model_tests::rc11::first_seed();
    INFO("ORDEAL_SEED=" << seed);
    std::mt19937_64 random(seed);
    const auto below = [&](std::size_t bound) { return random() % bound; };
    byte_shadow shadow;
    shadow.add_region({base, 64}, false);
    std::size_t long_ones = 0;
    for (int round = 0; round < 20'000; ++round) {
        shadow.begin_execution();
        naive_shadow naive;
        many_threads threads;
        const std::size_t first = round % 2 == 0 ? base : base + 64;  // a region, and elsewhere
        bool met = false;
        int made = 0;
        for (; made < 60 && !met; ++made) {
            const std::size_t number = below(threads.happened.size());
            const auto thread_id = static_cast<std::uint8_t>(number);
            if (below(4) != 0) threads.take_over(number, below(threads.happened.size()));
            const ordeal::memory_range where{first + below(48), std::size_t{1} << below(3)};
            constexpr std::array kinds{byte_access::read, byte_access::write, byte_access::atomic_read,
                                       byte_access::atomic_write};
            const view& fixed = threads.happened[number];
            met = naive.is_shared(where, thread_id, fixed);
            REQUIRE(shadow.is_shared(where, thread_id, fixed) == met);
            const byte_shadow::access now{kinds.at(below(4)), thread_id, threads.epoch(number)};
            (void)naive.note(where, now, fixed);
            (void)shadow.note(where, now, fixed);
        }
        long_ones += made > 10 ? 1 : 0;
    }
    CHECK(long_ones > 100);  // not all were over at once
}

TEST_CASE("Reads by many threads are all kept until a write comes after them") {
    byte_shadow shadow;
    shadow.add_region({base, 64}, false);
    shadow.begin_execution();
    view nothing;
    for (std::uint8_t thread_id = 1; thread_id < 16; ++thread_id) {
        CHECK_FALSE(shadow.note({base, 8}, {byte_access::read, thread_id, 1}, nothing).raced);
    }
    for (std::uint8_t missing = 1; missing < 16; ++missing) {
        byte_shadow one;
        one.add_region({base, 64}, false);
        one.begin_execution();
        view knows;
        for (std::uint8_t thread_id = 1; thread_id < 16; ++thread_id) {
            (void)one.note({base, 8}, {byte_access::read, thread_id, 1}, nothing);
            knows[thread_id] = thread_id == missing ? event_index{0} : event_index{1};
        }
        INFO("missing: " << int{missing});
        CHECK(one.note({base + 3, 1}, {byte_access::write, 0, 1}, knows).raced);
        CHECK(one.raced_with().thread_id == missing);
    }
}

TEST_CASE("Heap bytes are known to be allocated, written and freed one by one") {
    byte_shadow shadow;
    shadow.add_region({base, 64}, true);
    shadow.begin_execution();
    const view nothing;
    const byte_shadow::access reads{byte_access::read, 1, 1};
    const byte_shadow::access writes{byte_access::write, 1, 1};
    const byte_shadow::access allocates{byte_access::allocation, 1, 1};
    CHECK(shadow.note({base, 1}, reads, nothing).outside);
    shadow.allocate({base, 12}, allocates, nothing);
    CHECK_FALSE(shadow.note({base, 12}, writes, nothing).outside);
    CHECK(shadow.note({base + 8, 8}, reads, nothing).outside);
    shadow.begin_execution();
    shadow.allocate({base, 16}, allocates, nothing);
    CHECK(shadow.note({base, 4}, reads, nothing).unwritten);
    (void)shadow.note({base + 2, 1}, writes, nothing);
    CHECK_FALSE(shadow.note({base, 4}, reads, nothing).unwritten);
    CHECK(shadow.note({base + 4, 4}, reads, nothing).unwritten);
    shadow.copy_written(base + 8, {base, 4});
    CHECK(shadow.note({base + 8, 2}, reads, nothing).unwritten);
    CHECK_FALSE(shadow.note({base + 10, 1}, reads, nothing).unwritten);
    CHECK_FALSE(shadow.free({base, 16}, writes, nothing).raced);
    CHECK(shadow.note({base + 15, 1}, reads, nothing).outside);
}

TEST_CASE("Allocating is a write to every byte of a block, and gives none a value") {
    byte_shadow shadow;
    shadow.add_region({base, 64}, true);
    const view nothing;
    view knows_first;
    knows_first[1] = 1;
    const byte_shadow::access allocates{byte_access::allocation, 1, 1};
    for (const byte_access how :
         {byte_access::atomic_read, byte_access::read, byte_access::atomic_write, byte_access::write}) {
        shadow.begin_execution();
        shadow.allocate({base, 12}, allocates, nothing);
        CHECK_FALSE(shadow.note({base, 4}, {how, 1, 1}, nothing).raced);
        CHECK_FALSE(shadow.note({base + 4, 4}, {how, 2, 1}, knows_first).raced);
        CHECK(shadow.note({base + 11, 1}, {how, 2, 1}, nothing).raced);
        CHECK(shadow.raced_with().how == byte_access::allocation);
        // A thread that knows what the first write came after knows the allocation.
        (void)shadow.note({base, 8}, {byte_access::write, 1, 1}, nothing);
        CHECK_FALSE(shadow.note({base, 8}, {how, 2, 1}, knows_first).raced);
    }
    shadow.begin_execution();
    shadow.allocate({base, 8}, allocates, nothing);
    CHECK(shadow.free({base, 8}, {byte_access::write, 2, 1}, nothing).raced);
    CHECK(shadow.raced_with().how == byte_access::allocation);
    shadow.begin_execution();
    shadow.allocate({base, 8}, allocates, nothing);
    CHECK(shadow.noted({base, 8}, {byte_access::write, 1, 1}));
    CHECK_FALSE(shadow.noted({base, 8}, {byte_access::read, 1, 1}));
}

TEST_CASE(
    "The end of a life is a write that leaves bytes without a value as they are, until somebody makes something new") {
    byte_shadow shadow;
    shadow.add_region({base, 256}, true);
    shadow.begin_execution();
    const view nothing;
    view knows_first;
    knows_first[1] = 1;
    const byte_shadow::access ends{byte_access::write, 1, 1};
    const byte_shadow::access allocates{byte_access::allocation, 1, 1};
    const auto by_second = [](byte_access how) { return byte_shadow::access{how, 2, 1}; };
    shadow.allocate({base, 32}, allocates, nothing);
    REQUIRE(shadow.note_end({base + 4, 8}, ends, nothing));
    CHECK_FALSE(shadow.note_end({base + 4, 8}, ends, nothing));
    CHECK_FALSE(shadow.note_end({base + 32, 8}, ends, nothing));  // nothing is there
    CHECK(shadow.note({base + 4, 4}, by_second(byte_access::read), knows_first).unwritten);

    CHECK(shadow.note({base + 4, 4}, by_second(byte_access::atomic_read), knows_first).ended);
    CHECK_FALSE(shadow.note({base + 4, 4}, by_second(byte_access::atomic_read), knows_first).raced);
    CHECK(shadow.note({base + 8, 4}, by_second(byte_access::atomic_read), nothing).raced);
    CHECK_FALSE(shadow.note({base, 4}, by_second(byte_access::atomic_read), nothing).ended);
    CHECK_FALSE(shadow.note({base + 12, 4}, by_second(byte_access::atomic_read), nothing).ended);

    // Who writes makes something new, and so does who has ended what was there, whatever it does.
    (void)shadow.note({base + 4, 4}, by_second(byte_access::write), knows_first);
    CHECK_FALSE(shadow.note({base + 4, 4}, by_second(byte_access::atomic_read), knows_first).ended);
    CHECK_FALSE(shadow.note({base + 8, 4}, {byte_access::atomic_write, 1, 2}, nothing).ended);
    CHECK_FALSE(shadow.note({base + 8, 4}, by_second(byte_access::atomic_read), knows_first).ended);

    // So does a scope, a block, and an execution.
    REQUIRE(shadow.note_end({base + 16, 16}, ends, nothing));
    shadow.begin_anew({base + 16, 4});
    CHECK_FALSE(shadow.note({base + 16, 4}, by_second(byte_access::atomic_read), knows_first).ended);
    CHECK(shadow.note({base + 20, 4}, by_second(byte_access::atomic_read), knows_first).ended);
    shadow.allocate({base + 16, 16}, allocates, nothing);
    CHECK_FALSE(shadow.note({base + 20, 4}, by_second(byte_access::atomic_read), knows_first).ended);
    REQUIRE(shadow.note_end({base + 16, 16}, ends, nothing));
    shadow.begin_execution();
    CHECK_FALSE(shadow.note({base + 16, 4}, by_second(byte_access::atomic_read), nothing).ended);
}

TEST_CASE("A variable whose scope has ended is there for nobody until a scope begins, which is a write of its thread") {
    byte_shadow shadow;
    shadow.add_region({base, 256}, false);
    shadow.begin_execution();
    const view nothing;
    view knows_first;
    knows_first[1] = 1;
    const byte_shadow::access ends{byte_access::write, 1, 1};
    const byte_shadow::access begins{byte_access::allocation, 1, 1};
    REQUIRE(shadow.note_end({base + 4, 4}, ends, nothing));
    shadow.set_scopeless({base + 4, 4}, true);
    for (const byte_access how :
         {byte_access::atomic_read, byte_access::read, byte_access::atomic_write, byte_access::write}) {
        for (const std::uint8_t thread_id : {std::uint8_t{1}, std::uint8_t{2}}) {
            CHECK(shadow.note({base + 4, 4}, {how, thread_id, 1}, knows_first).scopeless);
            CHECK_FALSE(shadow.note({base, 4}, {how, thread_id, 1}, knows_first).scopeless);
        }
    }
    shadow.begin_execution();
    REQUIRE(shadow.note_end({base + 4, 4}, ends, nothing));
    shadow.set_scopeless({base + 4, 4}, true);
    shadow.begin_scope({base + 4, 4}, begins, nothing);
    CHECK(shadow.note({base + 4, 4}, {byte_access::read, 1, 1}, nothing).unwritten);
    CHECK(shadow.note({base + 4, 4}, {byte_access::atomic_write, 2, 1}, nothing).raced);
    CHECK_FALSE(shadow.note({base + 4, 4}, {byte_access::atomic_read, 1, 1}, nothing).any());
    REQUIRE(shadow.note_end({base + 4, 4}, ends, nothing));
    CHECK_FALSE(shadow.note({base + 4, 4}, {byte_access::read, 2, 1}, knows_first).scopeless);

    // Where not every scope is told to begin, a plain write of the thread itself begins one.
    shadow.begin_execution();
    REQUIRE(shadow.note_end({base + 4, 4}, ends, nothing));
    shadow.set_scopeless({base + 4, 4}, false);
    CHECK(shadow.note({base + 4, 4}, {byte_access::write, 2, 1}, knows_first).scopeless);
    CHECK(shadow.note({base + 4, 4}, {byte_access::atomic_write, 1, 1}, nothing).scopeless);
    CHECK_FALSE(shadow.note({base + 4, 4}, {byte_access::write, 1, 1}, nothing).scopeless);
    CHECK_FALSE(shadow.note({base + 4, 4}, {byte_access::atomic_read, 1, 1}, nothing).scopeless);
}

TEST_CASE("Accesses of any two of as many threads as there may be are told apart") {
    const view nothing;
    for (std::uint8_t first = 1; first < max_thread_ids; ++first) {
        byte_shadow shadow;
        shadow.add_region({base, 64}, false);
        for (std::uint8_t second = 1; second < max_thread_ids; ++second) {
            shadow.begin_execution();
            CAPTURE(int{first}, int{second});
            CHECK_FALSE(shadow.note({base, 4}, {byte_access::atomic_write, first, 0xffe0}, nothing).raced);
            const bool raced = shadow.note({base, 4}, {byte_access::read, second, 0xffe0}, nothing).raced;
            CHECK(raced == (first != second));
            if (!raced) continue;
            CHECK(shadow.raced_with().thread_id == first);
            CHECK(shadow.raced_with().how == byte_access::atomic_write);
            CHECK(shadow.raced_with().epoch == 0xffe0);
            view knows_first;
            knows_first[first] = 0xffe0;
            shadow.begin_execution();
            (void)shadow.note({base, 4}, {byte_access::write, first, 0xffe0}, nothing);
            CHECK_FALSE(shadow.note({base, 4}, {byte_access::write, second, 1}, knows_first).raced);
        }
    }
}

TEST_CASE("A new execution of the shadow knows nothing of the last") {
    byte_shadow shadow;
    shadow.add_region({base, 64}, false);
    const view nothing;
    for (int i = 0; i < 3; ++i) {
        shadow.begin_execution();
        CHECK_FALSE(shadow.note({base, 8}, {byte_access::write, 1, 1}, nothing).raced);
        CHECK_FALSE(shadow.note({base + 100, 8}, {byte_access::write, 2, 1}, nothing).raced);
        CHECK(shadow.note({base, 1}, {byte_access::write, 2, 1}, nothing).raced);
    }
}

TEST_CASE("The memory of a thread is there until the thread ends, which must be ordered after what others did to it") {
    byte_shadow shadow;
    shadow.add_region(ordeal::detail::memory_of_threads{{base, 128}, 32});  // of threads 0 to 3
    const view nothing;
    view knows_second;
    knows_second[2] = 1;
    const byte_shadow::access first{byte_access::write, 1, 1};
    const byte_shadow::access second{byte_access::atomic_read, 2, 1};
    for (int i = 0; i < 3; ++i) {
        shadow.begin_execution();
        CHECK_FALSE(shadow.note({base + 32, 4}, first, nothing).outside);
        CHECK_FALSE(shadow.note({base + 44, 2}, second, nothing).outside);
        if (i == 0) {
            CHECK_FALSE(shadow.end_thread(1, knows_second));
        } else {
            const auto used = shadow.end_thread(1, nothing);
            REQUIRE(used);
            CHECK(used->address == base + 44);
            CHECK(used->size == 2);
            CHECK(shadow.raced_with().thread_id == 2);
        }
        CHECK(shadow.note({base + 32, 1}, second, nothing).outside);
        CHECK(shadow.note({base + 63, 1}, second, nothing).outside);  // nobody has been there
        CHECK_FALSE(shadow.note({base + 31, 1}, second, nothing).outside);
        CHECK_FALSE(shadow.note({base + 64, 1}, second, nothing).outside);
    }
}
