// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The atomic functions for std::shared_ptr take locks from a pool in libstdc++, by a hash of the address. On trial each
// pointer has a lock of its own, beside it: a lock that two happen to share would order what the standard does not.
#include "ordeal/instrumented/shared_pointer_calls.hpp"

#include "ordeal/instrumented/code_sites.hpp"
#include "ordeal/instrumented/compiler_calls.hpp"
#include "ordeal/instrumented/real_function.hpp"
#include "ordeal/model/of_each_thread.hpp"

#include <algorithm>
#include <cstdint>

namespace ordeal {

namespace {

// As it lies in the caller's frame. In libstdc++ it has the keys of two locks; 0xfe is none of them.
struct pointer_lock {
    std::uint8_t first = 0;
    std::uint8_t second = 0;
};
constexpr std::uint8_t on_trial_key = 0xfe;

constinit real_function<void(pointer_lock*, const void*)> real_lock("_ZNSt10_Sp_lockerC1EPKv");
constinit real_function<void(pointer_lock*, const void*, const void*)> real_lock_both("_ZNSt10_Sp_lockerC1EPKvS1_");
constinit real_function<void(pointer_lock*)> real_unlock("_ZNSt10_Sp_lockerD1Ev");

// Its destructor is not told what it locked: one is held at a time by a thread, and by its end is given up.
struct held_locks {
    std::uintptr_t low = 0;
    std::uintptr_t high = 0;
};
constinit of_each_thread<held_locks> held;

held_locks& held_by(const byte_memory& port) noexcept { return held[thread_slot(port)]; }

void lock_one(byte_memory& port, std::uintptr_t address, const code_point& at) {
    port.touch_lock({address, 1}, at);
    port.lock(address, plain_code_site(at));
}

void lock(byte_memory& port, pointer_lock* self, const void* one, const void* other, const code_point& at) {
    const auto [low, high] = std::minmax(reinterpret_cast<std::uintptr_t>(one) | lock_beside,
                                         reinterpret_cast<std::uintptr_t>(other) | lock_beside);
    const std::uintptr_t first = low;
    const std::uintptr_t second = high;
    lock_one(port, first, at);
    if (second != first) lock_one(port, second, at);
    held_by(port) = {first, second};
    *self = {on_trial_key, on_trial_key};
}

void unlock(byte_memory& port, const code_point& at) {
    const held_locks mine = held_by(port);
    if (mine.high != mine.low) port.unlock(mine.high, plain_code_site(at));
    port.unlock(mine.low, plain_code_site(at));
}

}  // namespace

void shared_pointer_locks::begin_execution() noexcept { held.clear(); }
void shared_pointer_locks::keep(kept_bytes& to) { held.keep(to); }
void shared_pointer_locks::put_back(kept_bytes& from) { held.put_back(from); }

}  // namespace ordeal

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

void _ZNSt10_Sp_lockerC1EPKv(ordeal::pointer_lock* self, const void* pointer) noexcept {
    ordeal::byte_memory* const port = ordeal::current();
    if (port == nullptr) return ordeal::real_lock(self, pointer);
    ordeal::lock(*port, self, pointer, pointer, ordeal::code_point_here("lock"));
}
void _ZNSt10_Sp_lockerC1EPKvS1_(ordeal::pointer_lock* self, const void* one, const void* other) noexcept {
    ordeal::byte_memory* const port = ordeal::current();
    if (port == nullptr) return ordeal::real_lock_both(self, one, other);
    ordeal::lock(*port, self, one, other, ordeal::code_point_here("lock"));
}
void _ZNSt10_Sp_lockerD1Ev(ordeal::pointer_lock* self) noexcept {
    ordeal::byte_memory* const port = ordeal::current();
    if (port == nullptr) return ordeal::real_unlock(self);
    ordeal::unlock(*port, ordeal::code_point_here("unlock"));
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
