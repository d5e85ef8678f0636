// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/caller/runtime_on_trial.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/symbols/loaded_modules.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ordeal::detail {

[[nodiscard]] inline memory_range range_at(const volatile void* address, std::size_t size) noexcept {
    return {reinterpret_cast<std::uintptr_t>(address), size};
}

// Non-atomic accesses on behalf of the caller of the function that calls these; outside code on trial they do nothing.
// Inlined, so that the code location is that of the compiler's call.

[[gnu::always_inline]] inline void reads(const volatile void* from, std::size_t size, const char* operation = "read") {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr && size != 0) runtime->read_bytes(range_at(from, size), code_location_here(operation));
}

[[gnu::always_inline]] inline void examines(const volatile void* from, std::size_t size, const char* operation) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr && size != 0) runtime->use_bytes(range_at(from, size), code_location_here(operation));
}

[[gnu::always_inline]] inline void writes(const volatile void* to, std::size_t size, const char* operation = "write") {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr && size != 0) runtime->write_bytes(range_at(to, size), code_location_here(operation));
}

[[gnu::always_inline]] inline void copies(const volatile void* to, const volatile void* from, std::size_t size,
                                          const char* operation) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr || size == 0) return;
    runtime->copy_bytes(reinterpret_cast<std::uintptr_t>(to), range_at(from, size), code_location_here(operation));
}

inline void overflows_stack(const code_location& at) {
    if (instrumented_runtime* const runtime = runtime_on_trial()) runtime->overflow_stack(at);
}

/// The result of a C library function that has failed.
inline int fails_with(int error) noexcept {
    errno = error;
    return -1;
}

/// On trial this ends the search, see instrumented_runtime::refuse; in other code it does nothing.
[[gnu::always_inline]] inline void refused_on_trial(const char* what) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr) runtime->refuse(what, plain_code_site(code_location_here(what)));
}

/// Non-atomic accesses of a library function on behalf of its caller; none outside code on trial.
class caller_accesses {
public:
    explicit caller_accesses(const code_location& at) noexcept : runtime_(runtime_on_trial()), at_(at) {}

    /// For a function that other libraries call, too. Their calls make no accesses: a library's own objects are not on
    /// trial, and may be on the stack where the scope of an object on trial has ended.
    [[nodiscard]] static caller_accesses of_trial_code(const code_location& at) {
        caller_accesses result(at);
        if (!is_trial_code(at.address)) result.runtime_ = nullptr;
        return result;
    }

    [[nodiscard]] bool on_trial() const noexcept { return runtime_ != nullptr; }

    void reads(const volatile void* from, std::size_t size) const {
        if (runtime_ != nullptr && size != 0) runtime_->read_bytes(range_at(from, size), at_);
    }
    void examines(const volatile void* from, std::size_t size) const {
        if (runtime_ != nullptr && size != 0) runtime_->use_bytes(range_at(from, size), at_);
    }
    void writes(const volatile void* to, std::size_t size) const {
        if (runtime_ != nullptr && size != 0) runtime_->write_bytes(range_at(to, size), at_);
    }
    void copies(const volatile void* to, const volatile void* from, std::size_t size) const {
        if (runtime_ != nullptr && size != 0) {
            runtime_->copy_bytes(reinterpret_cast<std::uintptr_t>(to), range_at(from, size), at_);
        }
    }
    /// An object that the caller passed by address; null: none.
    template <class Object>
    void reads_object(const Object* object) const {
        if (object != nullptr) reads(object, sizeof(*object));
    }
    template <class Object>
    void writes_object(const Object* object) const {
        if (object != nullptr) writes(object, sizeof(*object));
    }
    void reads_text(const char* text) const { reads(text, std::strlen(text) + 1); }
    /// Of at most so many characters.
    void reads_text(const char* text, std::size_t most) const {
        reads(text, std::min(::strnlen(text, most) + 1, most));
    }
    void writes_text(const char* text) const { writes(text, std::strlen(text) + 1); }

private:
    instrumented_runtime* runtime_;
    code_location at_;
};

[[nodiscard, gnu::always_inline]] inline caller_accesses accesses_of_caller(const char* operation) noexcept {
    return caller_accesses(code_location_here(operation));
}

}  // namespace ordeal::detail
