// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/execution/object_table.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/runtime/word.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// An object of the code on trial and its latest accesses. An epoch is the number of the thread's events so far, plus
/// one: a point whose happens-before holds the thread's event of that epoch is ordered after the access.
struct object : tracked_object {
    location name_of = no_location;  ///< of an atomic or mutex
    std::uint64_t initial = 0;       ///< before the threads; later, for finish(), after them
    std::uint32_t began = 0;         ///< step that wrote `initial`
    site_id set_at = no_site;  ///< the site that wrote `initial`, if it was an atomic store before there were threads
    event_id newest = initial_write;  ///< after the threads: the event that wrote `initial`
    view reads;                       ///< epoch of the latest read of each thread; every atomic operation counts as one
    event_index write_epoch = 0;      ///< of the latest write, or of the beginning of its lifetime
    std::uint8_t writer = 0;
    int owner = -1;                      ///< of a mutex: the thread's id
    const char* destroyed_as = nullptr;  ///< "mutex": it stands for one that was destroyed, until the bytes are written
    bool made = false;                   ///< initialised by a function
    bool collected = false;              ///< `initial` is the value after the threads
    bool has_bytes = false;  ///< an atomic of instrumented code: what is written is left in its bytes as well

    /// Of an object of mixed_sizes: the bytes that atomic operations have accessed, and nothing else has written since.
    std::uint32_t accessed = 0;

    [[nodiscard]] footprint byte(std::size_t i) const noexcept {
        return {static_cast<std::uint8_t>(i), 1, static_cast<std::uint8_t>(where.size)};
    }
    [[nodiscard]] bool is_accessed(std::size_t i) const noexcept { return (accessed >> i & 1) != 0; }
    [[nodiscard]] std::uint64_t held(std::size_t i) const noexcept {
        return *reinterpret_cast<const unsigned char*>(where.address + i);
    }

    /// `written`: what of it is left.
    void leave(std::uint64_t value, footprint written = {}) const noexcept;
    /// While no other thread exists, the bytes hold the latest value. Another one was written by code that the engine
    /// does not see, such as a library that was compiled elsewhere.
    void take_unseen_write() noexcept;
    void renew() { *this = {}; }
};

/// Other threads of the process may read the bytes meanwhile.
inline void object::leave(std::uint64_t value, footprint written) const noexcept {
    if (!has_bytes) return;
    const std::uintptr_t first = where.address + written.offset;
    const std::size_t size = written.is_mixed() ? written.size : where.size;
    value = written.of(value);
    const auto store = [first]<class T>(T as_typed) {
        __atomic_store_n(reinterpret_cast<T*>(first), as_typed, __ATOMIC_RELAXED);
    };
    switch (size) {
        case 1: return store(static_cast<std::uint8_t>(value));
        case 2: return store(static_cast<std::uint16_t>(value));
        case 4: return store(static_cast<std::uint32_t>(value));
        case 8: return store(value);
        default: return put_word_in(reinterpret_cast<void*>(first), size, value);
    }
}

inline void object::take_unseen_write() noexcept {
    if (!alive || !has_bytes) return;
    const std::uint64_t held = word_in(reinterpret_cast<const void*>(where.address), where.size);
    if (held == initial) return;
    initial = held;
    set_at = no_site;
    newest = initial_write;
}

using objects = object_table<object>;

}  // namespace ordeal::detail::graph
