// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/runtime/memory/exception_memory.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/per_thread.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace ordeal::detail {

namespace {

// As in libstdc++ on 64-bit processors: the header before the thrown object, counter included, and our prefix before
// that.
constexpr std::size_t header_size = 128;
struct prefix {
    std::uintptr_t word = 0;
    std::size_t size = 0;  ///< of the exception, in bytes
};
constexpr std::size_t prefix_size = sizeof(prefix);

struct arenas {
    bool mapped = false;
    bool full = false;               ///< some exceptions are elsewhere
    per_thread<std::size_t> filled;  ///< bytes
};

constinit arenas all;

void map_arenas() noexcept {
    void* const got =
        ::mmap(reinterpret_cast<void*>(exception_memory::base), exception_memory::region().size, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED) {
        std::perror("ordeal: cannot reserve memory for exceptions");
        std::abort();
    }
    all.mapped = true;
}

prefix& prefix_of(void* object) noexcept {
    return *reinterpret_cast<prefix*>(reinterpret_cast<std::uintptr_t>(object) - header_size - prefix_size);
}

// Null if there is no room left.
void* allocate(std::size_t thread, std::size_t size) noexcept {
    if (!all.mapped) map_arenas();
    const std::size_t whole = (prefix_size + header_size + size + 15) & ~std::size_t{15};
    if (all.filled[thread] + whole > exception_memory::arena_size) {
        all.full = true;
        return nullptr;
    }
    const std::uintptr_t block = exception_memory::base + thread * exception_memory::arena_size + all.filled[thread];
    all.filled[thread] += whole;
    std::memset(reinterpret_cast<void*>(block), 0, prefix_size + header_size);
    void* const object = reinterpret_cast<void*>(block + prefix_size + header_size);
    prefix_of(object).size = size;
    return object;
}

// The library function that this program interposes.
template <class Function>
Function* real(const char* name) noexcept {
    void* const found = ::dlsym(RTLD_NEXT, name);
    if (found == nullptr) {
        std::fprintf(stderr, "ordeal: no library of this system has %s\n", name);
        std::abort();
    }
    return reinterpret_cast<Function*>(found);
}

}  // namespace

std::uintptr_t& exception_memory::word_of(void* object) noexcept { return prefix_of(object).word; }

void exception_memory::reset() noexcept {
    all.filled.clear();
    all.full = false;
}

void exception_memory::save(snapshot& to) {
    if (all.full) to.mark_incomplete();
    all.filled.save(to);
    for (std::size_t i = 0; i < all.filled.used().size(); ++i) {
        to.put(memory_range{base + i * arena_size, all.filled.at(i)});
    }
}

void exception_memory::restore(snapshot& from) {
    all.full = false;
    all.filled.restore(from);
    for (std::size_t i = 0; i < all.filled.used().size(); ++i) {
        from.take(memory_range{base + i * arena_size, all.filled.at(i)});
    }
}

}  // namespace ordeal::detail

// NOLINTBEGIN(bugprone-reserved-identifier)
namespace __cxxabiv1 {

struct __cxa_dependent_exception;

extern "C" {

void* __cxa_allocate_exception(std::size_t size) noexcept {
    static auto* const really = ordeal::detail::real<void*(std::size_t)>("__cxa_allocate_exception");
    if (!ordeal::on_trial() || ordeal::detail::active_runtime == nullptr) return really(size);
    ordeal::current_runtime().throws();
    void* const object = ordeal::detail::allocate(ordeal::thread_slot(ordeal::current_runtime()), size);
    return object == nullptr ? really(size) : object;
}
void __cxa_free_exception(void* object) noexcept {
    static auto* const really = ordeal::detail::real<void(void*)>("__cxa_free_exception");
    // An exception thrown on trial may be caught by the harness.
    if (!ordeal::detail::exception_memory::contains(object)) return really(object);
    if (!ordeal::on_trial() || ordeal::detail::active_runtime == nullptr) return;
    ordeal::current_runtime().exception_freed(
        {reinterpret_cast<std::uintptr_t>(object), ordeal::detail::prefix_of(object).size});
}

// What std::rethrow_exception() throws: it refers to the exception of an exception_ptr.
__cxa_dependent_exception* __cxa_allocate_dependent_exception() noexcept {
    constexpr std::size_t size = 128;  // 112 of them are used
    static auto* const really =
        ordeal::detail::real<__cxa_dependent_exception*()>("__cxa_allocate_dependent_exception");
    if (!ordeal::on_trial() || ordeal::detail::active_runtime == nullptr) return really();
    ordeal::current_runtime().throws();
    void* const object = ordeal::detail::allocate(ordeal::thread_slot(ordeal::current_runtime()), size);
    if (object == nullptr) return really();
    return static_cast<__cxa_dependent_exception*>(std::memset(object, 0, size));
}
void __cxa_free_dependent_exception(__cxa_dependent_exception* object) noexcept {
    static auto* const really =
        ordeal::detail::real<void(__cxa_dependent_exception*)>("__cxa_free_dependent_exception");
    if (!ordeal::detail::exception_memory::contains(object)) really(object);
}

}  // extern "C"

}  // namespace __cxxabiv1
// NOLINTEND(bugprone-reserved-identifier)
