// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The destruction of exceptions. libstdc++ counts references in the exception with atomics that are not instrumented;
// the last release destroys it. For an exception that a std::exception_ptr refers to, a lock of the model stands for
// the counter: it orders accesses to the exception before its destruction, and decides which release is the last.
#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/caller/real_function.hpp"
#include "ordeal/runtime/memory/exception_memory.hpp"

#include <cxxabi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ordeal::detail {

namespace {

constinit real_function<void()> real_end_catch("__cxa_end_catch");
constinit real_function<void(void*)> real_addref("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
constinit real_function<void(void*)> real_release("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");

// Of `__cxa_exception`, the element of the chain of caught exceptions.
constexpr std::size_t size_in_chain = 112;
constexpr std::size_t class_offset = 80;

std::uintptr_t address_of(const void* object) noexcept { return reinterpret_cast<std::uintptr_t>(object); }

// Whether a std::exception_ptr has ever referred to it.
std::uintptr_t& is_shared(void* object) noexcept { return exception_memory::word_of(object); }

// The exception whose handler is ending; null if there is none, or it is foreign.
void* object_caught() noexcept {
    auto* const top = *reinterpret_cast<std::byte**>(abi::__cxa_get_globals());
    if (top == nullptr) return nullptr;
    std::uint64_t kind = 0;
    std::memcpy(&kind, top + class_offset, sizeof(kind));
    constexpr std::uint64_t primary = 0x474e'5543'432b'2b00;    // "GNUCC++\0"
    constexpr std::uint64_t dependent = 0x474e'5543'432b'2b01;  // rethrown from an exception_ptr
    if (kind == primary) return top + size_in_chain;
    return kind == dependent ? *reinterpret_cast<void**>(top) : nullptr;
}

// Calls a function that releases an exception, while no other thread of the model does so.
template <class Release>
void let_go(const code_location& at, void* object, Release release) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr || !exception_memory::contains(object) || is_shared(object) == 0) return release();
    const std::uintptr_t lock = address_of(object) | companion_lock;
    const site_id site = plain_code_site(at);
    runtime->touch_lock({lock, 1}, at);
    runtime->lock(lock, site);
    release();
    runtime->unlock(lock, site);
}

}  // namespace

}  // namespace ordeal::detail

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

void ordeal_exception_ptr_addref(void** self) noexcept asm("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
void ordeal_exception_ptr_release(void** self) noexcept asm("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");

void ordeal_exception_ptr_addref(void** self) noexcept {
    if (ordeal::detail::exception_memory::contains(*self)) ordeal::detail::is_shared(*self) = 1;
    ordeal::detail::real_addref(static_cast<void*>(self));
}
void ordeal_exception_ptr_release(void** self) noexcept {
    ordeal::detail::let_go(ordeal::detail::code_location_here("release"), *self,
                           [self] { ordeal::detail::real_release(static_cast<void*>(self)); });
}
}

namespace __cxxabiv1 {

extern "C" {

void __cxa_end_catch() {
    ordeal::detail::let_go(ordeal::detail::code_location_here("end of catch"), ordeal::detail::object_caught(),
                           [] { ordeal::detail::real_end_catch(); });
}

}  // extern "C"

}  // namespace __cxxabiv1
// NOLINTEND(bugprone-reserved-identifier)
