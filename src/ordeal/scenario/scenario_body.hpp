// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>

namespace ordeal {

/// A scenario's functions over one policy, type-erased: the object is constructed for each execution, `run` is called
/// on each thread, `finish` after all of them, `outcome` (values to count, may be empty) before destruction.
struct scenario_body {
    std::size_t size = 0;
    std::size_t alignment = 0;
    void (*construct)(void* storage) = nullptr;
    void (*run)(void* object, int thread) = nullptr;
    void (*finish)(void* object) = nullptr;
    std::string (*outcome)(void* object) = nullptr;
    void (*destroy)(void* object) = nullptr;
    bool is_program = false;  ///< one thread and nothing after it: exit handlers run on that thread
    bool exits = false;       ///< as a process does when main returns: threads that still wait then are no deadlock
    /// Replaces `construct` if the functions were made at run time: they are part of `data`.
    void (*construct_from)(void* storage, const void* data) = nullptr;
    const void* data = nullptr;  ///< lives as long as the program

    void build(void* storage) const {
        if (construct_from != nullptr) {
            construct_from(storage, data);
        } else {
            construct(storage);
        }
    }
};

}  // namespace ordeal
