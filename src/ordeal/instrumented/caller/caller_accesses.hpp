// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/instrumented/caller/compiler_calls.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace ordeal {

/// Plain accesses of a function of a library, as those of its caller; in other code than that on trial there are none.
class caller_accesses {
public:
    explicit caller_accesses(const code_location& at) noexcept : runtime_(runtime_on_trial()), at_(at) {}

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

}  // namespace ordeal
