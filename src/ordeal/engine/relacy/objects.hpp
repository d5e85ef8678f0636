// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/execution/object_table.hpp"

#include <utility>
#include <vector>

namespace ordeal::relacy {

/// As the owner of a mutex; -1 is construction and finish.
inline constexpr int not_locked = -2;

/// An object of the code on trial, with what stands for it in Relacy.
struct object : tracked_object {
    void* shadow = nullptr;  ///< relacy::shadow_*
    void* handle = nullptr;  ///< relacy::atomic_* or mutex_*
    int last_thread = -1;
    unsigned writes = 0;     ///< to an atomic, the initial value included
    unsigned touched = 0;    ///< bit set of the threads that did anything with it
    unsigned writers = 0;    ///< bit set of the threads that wrote it after construction
    int owner = not_locked;  ///< of a mutex
    bool non_rmw_stores = false;
    bool modified = false;     ///< by a read-modify-write
    std::vector<int> waiting;  ///< threads blocked until it changes

    void renew() {
        std::vector<int> kept = std::move(waiting);
        kept.clear();
        *this = {};
        waiting = std::move(kept);
    }
};

using object_table = ordeal::object_table<object>;

}  // namespace ordeal::relacy
