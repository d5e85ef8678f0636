// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The atomic functions for std::shared_ptr take locks from a pool in libstdc++, by a hash of the address. On trial each
// pointer has a lock of its own beside it: pointers that share a lock by chance would be ordered where the standard
// orders nothing.
#include "ordeal/instrumented/libstdcxx/library_objects.hpp"

#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/caller/real_function.hpp"
#include "ordeal/runtime/per_thread.hpp"

#include <algorithm>
#include <cstdint>

namespace ordeal::detail {

namespace {

// Its layout in the caller's frame. In libstdc++ it has the keys of two locks; 0xfe is neither.
struct pointer_lock {
    std::uint8_t first = 0;
    std::uint8_t second = 0;
};
constexpr std::uint8_t on_trial_key = 0xfe;

constinit real_function<void(pointer_lock*, const void*)> real_lock("_ZNSt10_Sp_lockerC1EPKv");
constinit real_function<void(pointer_lock*, const void*, const void*)> real_lock_both("_ZNSt10_Sp_lockerC1EPKvS1_");
constinit real_function<void(pointer_lock*)> real_unlock("_ZNSt10_Sp_lockerD1Ev");

// The lock's destructor is not passed the lock: a thread holds one at a time, which the destructor releases.
struct held_locks {
    std::uintptr_t low = 0;
    std::uintptr_t high = 0;
};
constinit per_thread<held_locks> held;

held_locks& held_by(const instrumented_runtime& runtime) noexcept { return held[thread_slot(runtime)]; }

void lock_one(instrumented_runtime& runtime, std::uintptr_t address, const code_location& at) {
    runtime.touch_lock({address, 1}, at);
    runtime.lock(address, plain_code_site(at));
}

void lock(instrumented_runtime& runtime, pointer_lock* self, const void* one, const void* other,
          const code_location& at) {
    const auto [low, high] = std::minmax(reinterpret_cast<std::uintptr_t>(one) | companion_lock,
                                         reinterpret_cast<std::uintptr_t>(other) | companion_lock);
    const std::uintptr_t first = low;
    const std::uintptr_t second = high;
    lock_one(runtime, first, at);
    if (second != first) lock_one(runtime, second, at);
    held_by(runtime) = {first, second};
    *self = {on_trial_key, on_trial_key};
}

void unlock(instrumented_runtime& runtime, const code_location& at) {
    const held_locks mine = held_by(runtime);
    if (mine.high != mine.low) runtime.unlock(mine.high, plain_code_site(at));
    runtime.unlock(mine.low, plain_code_site(at));
}

}  // namespace

void shared_pointer_locks::begin_execution() noexcept { held.clear(); }
void shared_pointer_locks::save(snapshot& to) { held.save(to); }
void shared_pointer_locks::restore(snapshot& from) { held.restore(from); }

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

void _ZNSt10_Sp_lockerC1EPKv(pointer_lock* self, const void* pointer) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_lock(self, pointer);
    lock(*runtime, self, pointer, pointer, code_location_here("lock"));
}
void _ZNSt10_Sp_lockerC1EPKvS1_(pointer_lock* self, const void* one, const void* other) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_lock_both(self, one, other);
    lock(*runtime, self, one, other, code_location_here("lock"));
}
void _ZNSt10_Sp_lockerD1Ev(pointer_lock* self) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_unlock(self);
    unlock(*runtime, code_location_here("unlock"));
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)

}  // namespace ordeal::detail
