// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/execution/object_table.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <cstdint>

namespace ordeal::graph {

/// An object of the code on trial, with who accessed it when: an epoch is the number of the thread's events so far, and
/// one. Whatever happens-before holds an event of the thread from that epoch on is ordered after the access.
struct object : tracked_object {
    location name_of = no_location;   ///< of an atomic or mutex
    std::uint64_t initial = 0;        ///< before the threads; then, for finish(), after them
    std::uint32_t began = 0;          ///< step that wrote `initial`
    site_id set_at = no_site;         ///< where `initial` was written, if by an atomic store before there were threads
    event_id newest = initial_write;  ///< after the threads: the event that wrote `initial`
    view reads;                       ///< epoch of the newest read of each thread; an atomic operation is a read too
    std::uint16_t write_epoch = 0;    ///< of the newest write, or the beginning of its life
    std::uint8_t writer = 0;
    int owner = -1;                      ///< of a mutex: the thread's id
    const char* destroyed_as = nullptr;  ///< "mutex": it stands for one that is no more, until the bytes are written
    bool made = false;                   ///< by a function that initialises it
    bool collected = false;              ///< `initial` is the value after the threads

    void renew() { *this = {}; }
};

using objects = object_table<object>;

}  // namespace ordeal::graph
