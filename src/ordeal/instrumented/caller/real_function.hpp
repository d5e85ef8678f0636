// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace ordeal::detail {

/// The library function of a name that this program defines too, and so interposes for the whole process. Looked up at
/// the first call, which may precede any constructor.
template <class Function>
class real_function {
public:
    /// `version`: for names of which the C library has several versions.
    consteval explicit real_function(const char* name, const char* version = nullptr) noexcept
        : name_(name), version_(version) {}
    real_function(const real_function&) = delete;
    real_function& operator=(const real_function&) = delete;

    template <class... Arguments>
    decltype(auto) operator()(Arguments... arguments) {
        return get()(arguments...);
    }

private:
    [[nodiscard]] Function* get() noexcept {
        // order: relaxed: the address is all that is handed over, and every thread that looks finds the same one
        Function* known = known_.load(std::memory_order_relaxed);
        if (known == nullptr) [[unlikely]] {
            known = look_up();
            // order: relaxed -> get: as there
            known_.store(known, std::memory_order_relaxed);
        }
        return known;
    }

    [[nodiscard]] Function* look_up() const noexcept {
        void* found = version_ == nullptr ? nullptr : ::dlvsym(RTLD_NEXT, name_, version_);
        // Processors supported later have later versions only.
        if (found == nullptr) found = ::dlsym(RTLD_NEXT, name_);
        if (found == nullptr) {
            std::fprintf(stderr, "ordeal: no library of this system has %s\n", name_);
            std::abort();
        }
        return reinterpret_cast<Function*>(found);
    }

    const char* name_;
    const char* version_;
    std::atomic<Function*> known_{nullptr};
};

}  // namespace ordeal::detail
