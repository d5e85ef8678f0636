// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/compiler_interface/trial_atomics.hpp"

#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/libstdcxx/library_objects.hpp"
#include "ordeal/instrumented/libstdcxx/wait_calls.hpp"

#include <atomic>

namespace ordeal::detail {

namespace {

// g++ encodes __sync functions and hardware lock elision in higher bits of the order.
// Beside the order, by the compiler plugin: compiler/clang_plugin.cpp.
constexpr int result_unused = 0x100;

order order_from(int code) noexcept { return from_std(static_cast<std::memory_order>(code & 0xff)); }

site_id checked_site(instrumented_runtime& runtime, const code_location& at, role what, int order_code) {
    const site_id id = atomic_code_site(at, what, order_from(order_code));
    if (!allowed(what, sites().effective(id))) {
        runtime.fail(violation_kind::failed_requirement, "a memory order that this operation cannot have", id);
    }
    return id;
}

atomic_access access_to(instrumented_runtime& runtime, const code_location& at, memory_range where, role what,
                        int order_code) {
    const site_id id = checked_site(runtime, at, what, order_code);
    if ((where.address & (where.size - 1)) != 0) runtime.refuse("an atomic operation at a misaligned address", id);
    return {where, sites().effective(id), id};
}

// The compiler's load inside an atomic wait, whose result is ignored.
std::uint64_t wait_on_trial(instrumented_runtime& runtime, const call_origin& from, memory_range where, int order_code,
                            std::uint64_t old) {
    code_location at = from.at;
    at.operation = "wait";
    runtime.wait_at(at, access_to(runtime, at, where, role::load, order_code), old);
    return old;
}

}  // namespace

std::uint64_t load_on_trial(instrumented_runtime& runtime, const call_origin& from, memory_range where,
                            int order_code) {
    const announced_load told = take_announced_load(runtime, where);
    if (told.blocks) return wait_on_trial(runtime, from, where, order_code, told.old);
    const atomic_access access = access_to(runtime, from.at, where, role::load, order_code);
    const std::uint64_t value = runtime.load_at(from, access);
    if (told.watched != nullptr) *told.watched = {access, value};
    return value;
}

void store_on_trial(instrumented_runtime& runtime, const call_origin& from, memory_range where, int order_code,
                    std::uint64_t value) {
    runtime.store_at(from.at, access_to(runtime, from.at, where, role::store, order_code), value);
}

std::uint64_t modify_on_trial(instrumented_runtime& runtime, const call_origin& from, memory_range where,
                              int order_code, modification how, std::uint64_t operand) {
    const role what = how == modification::exchange ? role::exchange : role::fetch;
    atomic_access access = access_to(runtime, from.at, where, what, order_code);
    access.result_unused = (order_code & result_unused) != 0;
    const std::uint64_t before = runtime.modify_at(from, access, how, operand);
    note_count(runtime, from.at, where, before);
    return before;
}

bool compare_exchange_on_trial(instrumented_runtime& runtime, const call_origin& from, memory_range where,
                               int success_code, int failure_code, bool weak, std::uint64_t& expected,
                               std::uint64_t desired) {
    const site_id failure = checked_site(runtime, from.at, role::failure, failure_code);
    const atomic_access access = access_to(runtime, from.at, where, role::success, success_code);
    const bool stored =
        runtime.compare_exchange_at(from, access, sites().effective(failure), failure, weak, expected, desired);
    if (!stored) note_failed_exchange(runtime, where, expected);
    return stored;
}

void fence_on_trial(instrumented_runtime& runtime, const call_origin& from, int order_code) {
    const site_id id = checked_site(runtime, from.at, role::fence, order_code);
    runtime.fence(sites().effective(id), id);
}

}  // namespace ordeal::detail
