// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where exceptions live, and who destroys them. libstdc++ counts in the exception who refers to it, with atomics that nobody
// sees; the last to let it go destroys it. For one that std::exception_ptr has got hold of, a lock of the model stands for
// that: it orders what was done to the exception before its destruction, and decides who is the last.
#include "ordeal/instrumented/exception_calls.hpp"

#include "ordeal/instrumented/code_sites.hpp"
#include "ordeal/instrumented/compiler_calls.hpp"
#include "ordeal/instrumented/real_function.hpp"

#include <cxxabi.h>
#include <sys/mman.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace ordeal {

namespace {

constinit real_function<void*(std::size_t)> real_allocate("__cxa_allocate_exception");
constinit real_function<void(void*)> real_free("__cxa_free_exception");
constinit real_function<void()> real_end_catch("__cxa_end_catch");
constinit real_function<void(void*)> real_addref("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
constinit real_function<void(void*)> real_release("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");

constexpr std::uintptr_t base = 0x2280'0000'0000;
constexpr std::size_t arena_size = std::size_t{16} << 20;

// As libstdc++ has it on 64-bit processors: what comes before the object thrown, counter included, and before that ours.
constexpr std::size_t header_size = 128;
constexpr std::size_t prefix_size = 16;
// Of `__cxa_exception`, with which the chain of caught exceptions is made.
constexpr std::size_t size_in_chain = 112;
constexpr std::size_t class_offset = 80;

struct arenas {
    bool mapped = false;
    std::array<std::size_t, thread_slots> used{};
};

constinit arenas all;

std::uintptr_t address_of(const void* object) noexcept { return reinterpret_cast<std::uintptr_t>(object); }

bool contains(const void* object) noexcept { return address_of(object) - base < thread_slots * arena_size; }

std::uintptr_t& is_shared(void* object) noexcept {
    return *reinterpret_cast<std::uintptr_t*>(address_of(object) - header_size - prefix_size);
}

void map_arenas() noexcept {
    if (all.mapped) return;
    void* const got = ::mmap(reinterpret_cast<void*>(base), thread_slots * arena_size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED) {
        std::perror("ordeal: cannot reserve memory for exceptions");
        std::abort();
    }
    all.mapped = true;
}

void* allocate(byte_memory& port, std::size_t size) noexcept {
    const auto thread = thread_slot(port);
    const std::size_t whole = (prefix_size + header_size + size + 15) & ~std::size_t{15};
    if (all.used[thread] + whole > arena_size) {
        void* const object = real_allocate(size);
        port.fresh_bytes({address_of(object), size});
        return object;
    }
    const std::uintptr_t block = base + thread * arena_size + all.used[thread];
    all.used[thread] += whole;
    std::memset(reinterpret_cast<void*>(block), 0, prefix_size + header_size);
    return reinterpret_cast<void*>(block + prefix_size + header_size);
}

// The exception whose handler is ending; null if there is none, or it is not one of C++.
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

// Calls what lets an exception go. No other thread of the model does so meanwhile.
template <class Release>
void let_go(const code_point& at, void* object, Release release) {
    byte_memory* const port = current();
    if (port == nullptr || !contains(object) || is_shared(object) == 0) return release();
    const std::uintptr_t lock = address_of(object) | lock_beside;
    const site_id site = plain_code_site(at);
    port->touch_lock({lock, 1}, at);
    port->lock(lock, site);
    release();
    port->unlock(lock, site);
}

}  // namespace

memory_range exception_memory::region() noexcept { return {base, thread_slots * arena_size}; }

void exception_memory::begin_execution() noexcept {
    map_arenas();
    all.used = {};
}

}  // namespace ordeal

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

void ordeal_exception_ptr_addref(void** self) noexcept asm("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
void ordeal_exception_ptr_release(void** self) noexcept asm("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");

void ordeal_exception_ptr_addref(void** self) noexcept {
    if (ordeal::contains(*self)) ordeal::is_shared(*self) = 1;
    ordeal::real_addref(static_cast<void*>(self));
}
void ordeal_exception_ptr_release(void** self) noexcept {
    ordeal::let_go(ordeal::code_point_here("release exception"), *self,
                   [self] { ordeal::real_release(static_cast<void*>(self)); });
}
}

namespace __cxxabiv1 {

extern "C" {

void* __cxa_allocate_exception(std::size_t size) noexcept {
    ordeal::byte_memory* const port = ordeal::current();
    return port == nullptr ? ordeal::real_allocate(size) : ordeal::allocate(*port, size);
}
void __cxa_free_exception(void* object) noexcept {
    // What was thrown on trial may be caught by the harness.
    if (!ordeal::contains(object)) ordeal::real_free(object);
}
void __cxa_end_catch() {
    ordeal::let_go(ordeal::code_point_here("end of catch"), ordeal::object_caught(), [] { ordeal::real_end_catch(); });
}

}  // extern "C"

}  // namespace __cxxabiv1
// NOLINTEND(bugprone-reserved-identifier)
