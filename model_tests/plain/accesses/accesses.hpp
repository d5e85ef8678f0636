// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>

namespace accesses {

/// Where an access is made: an object that other threads know of, and another one for what is copied from or to it.
struct place {
    void* object;
    void* other;
};

/// One way to access memory, as compiled code on trial has it.
struct access {
    const char* how;    ///< "argument", say
    const char* type;   ///< of the object, as the compiler names it
    std::size_t size;   ///< of its bytes that are accessed, from the first on
    std::size_t align;  ///< what the type asks for
    bool writes;
    void (*run)(const place&);
};

/// All of them.
[[nodiscard]] std::span<const access> all();

/// Elsewhere, and not on trial: nobody knows what they do.
void use(const void* value);
void fill(void* value, std::size_t size);

}  // namespace accesses
