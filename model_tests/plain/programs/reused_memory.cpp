// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that is freed and comes back as something else, at the same address.
#include "model_tests/plain/programs/programs.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <new>
#include <thread>

namespace ordeal::model_tests {

namespace {

struct connection {
    int id = 0;
};

enum class until : std::uint8_t { replaced, joined };

// "Replace connection 1 if it is still the current one", by address: a new connection may lie where the first was, unless
// the first is kept until nobody compares with it any more.
template <until Freed>
struct replaced_if_current {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::atomic<connection*> current{nullptr};
        auto* const first = new connection{1};
        auto* const mine = new connection{9};
        current = first;
        std::thread other([&] {
            connection* expected = first;
            current.compare_exchange_strong(expected, mine);
        });
        connection* expected = first;
        connection* second = nullptr;
        if (current.compare_exchange_strong(expected, nullptr)) {
            if (Freed == until::replaced) delete first;
            second = new connection{2};
            current = second;
        }
        other.join();
        require(second == nullptr || current == second, "connection 2 was replaced");
        if (second == nullptr || Freed == until::joined) delete first;
        delete second;
        delete mine;
    }
};

// The address and a count of how often it changed, in one word.
struct replaced_with_a_count {
    static constexpr auto threads = only_main;
    static constexpr int bits_of_address = 48;

    static std::uint64_t word(const connection* of, std::uint64_t count) {
        return count << bits_of_address | reinterpret_cast<std::uintptr_t>(of);
    }
    void run(int /*thread*/) {
        const auto* const first = new connection{1};
        const auto* const mine = new connection{9};
        std::atomic<std::uint64_t> current{word(first, 0)};
        std::thread other([&] {
            std::uint64_t expected = word(first, 0);
            current.compare_exchange_strong(expected, word(mine, 1));
        });
        std::uint64_t expected = word(first, 0);
        const connection* second = nullptr;
        if (current.compare_exchange_strong(expected, word(nullptr, 1))) {
            delete first;
            second = new connection{2};
            current = word(second, 2);
        }
        other.join();
        require(second == nullptr || current == word(second, 2));
        if (second == nullptr) delete first;
        delete second;
        delete mine;
    }
};

// What was computed for an object is kept under its address, also when the object is another one. The reader remembers
// what it knew of the object that it saw before.
template <bool ByAddress>
struct cache {
    static constexpr auto threads = std::array{"writer", "reader"};
    std::atomic<connection*> published{new connection{1}};
    std::atomic<int> looked{0};

    cache() = default;
    cache(const cache&) = delete;
    cache& operator=(const cache&) = delete;
    ~cache() { delete published.load(); }

    void run(int thread) {
        if (thread == 0) {
            if (looked.load(acquire) == 0) return;  // the reader may be in the middle of it
            delete published.load(relaxed);
            published.store(new connection{2}, release);
            looked.store(2, release);
            return;
        }
        const connection* const key = published.load(acquire);
        const int value = key->id;
        looked.store(1, release);
        if (looked.load(acquire) != 2) return;
        const connection* const now = published.load(acquire);
        const int known = ByAddress && now == key ? value : now->id;
        require(known == now->id, "what is kept in the cache is of another connection");
    }
};

// An atomic where another was, and each has its own order of writes.
struct atomics_in_one_place {
    static constexpr auto threads = std::array{"maker", "reader"};
    std::atomic<std::atomic<int>*> shared{nullptr};

    atomics_in_one_place() = default;
    atomics_in_one_place(const atomics_in_one_place&) = delete;
    atomics_in_one_place& operator=(const atomics_in_one_place&) = delete;
    ~atomics_in_one_place() { delete shared.load(); }

    void run(int thread) {
        if (thread == 0) {
            auto* const first = new std::atomic<int>(1);
            first->store(2, relaxed);
            delete first;
            shared.store(new std::atomic<int>(3), release);
        } else if (const auto* const found = shared.load(acquire)) {
            require(found->load(relaxed) == 3);
        }
    }
};

// Memory that comes back holds nothing.
struct read_before_written {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::thread other([] {
            auto* const first = new connection{1};
            auto const address = reinterpret_cast<std::uintptr_t>(first);
            delete first;
            auto* const second = static_cast<connection*>(::operator new(sizeof(connection)));
            const bool same = reinterpret_cast<std::uintptr_t>(second) == address;
            if (same) require(second->id != 1);
            ::operator delete(second);
        });
        other.join();
    }
};

// Who kept the address deletes what is not its own.
struct deleted_by_an_old_pointer {
    static constexpr auto threads = std::array{"first", "second"};
    std::atomic<connection*> old{new connection{1}};
    std::atomic<connection*> made{nullptr};

    void run(int thread) {
        if (thread != 0) return;
        delete old.load();
        made.store(new connection{2});
        if (old.load() == made.load()) delete old.load();
    }
    void finish() const { delete made.load(); }
};

// The second thread could have the id of the first, and it never has: the verdict says so.
struct ids_one_after_the_other {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::thread::id first;
        std::thread([&] { first = std::this_thread::get_id(); }).join();
        std::thread([&] { require(first != std::this_thread::get_id()); }).join();
    }
};

ORDEAL_SCENARIO("programs/reused_ids", met<ids_one_after_the_other>);
ORDEAL_SCENARIO("programs/reused_replaced",
                wrong<replaced_if_current<until::replaced>, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/reused_never", replaced_if_current<until::joined>);
ORDEAL_SCENARIO("programs/reused_with_a_count", replaced_with_a_count);
ORDEAL_SCENARIO("programs/reused_cache_by_address", wrong<cache<true>, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/reused_without_a_cache", cache<false>);
ORDEAL_SCENARIO("programs/reused_atomics", atomics_in_one_place);
ORDEAL_SCENARIO("programs/reused_unwritten", wrong<read_before_written, violation_kind::uninitialised_read>);
ORDEAL_SCENARIO("programs/reused_deleted_twice", wrong<deleted_by_an_old_pointer, violation_kind::double_free>);

}  // namespace

}  // namespace ordeal::model_tests
