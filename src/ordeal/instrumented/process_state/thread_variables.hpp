// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::detail {

/// The control block of a thread-local variable under -femulated-tls, which the compiler passes to obtain its address.
struct thread_variable {
    std::size_t size;
    std::size_t alignment;
    std::uintptr_t used_by_the_compilers_runtime;
    const void* initial;  ///< null: zeros
};

/// Those of all trial libraries, in the same order in every process; those that the files do not describe are missing.
[[nodiscard]] std::vector<const thread_variable*> thread_variables_of_trials();

/// The thread-local block of a library that was compiled without -femulated-tls.
struct thread_block {
    std::size_t module = 0;  ///< the loader's number
    std::size_t size = 0;
    std::size_t alignment = 1;
    const void* initial = nullptr;  ///< the first bytes; the rest are zeros
    std::size_t initial_size = 0;
};

[[nodiscard]] std::vector<thread_block> thread_blocks_of_trials();

}  // namespace ordeal::detail
