// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

namespace examples {

/// Two copies of a T: readers look at one while a writer changes the other. Readers never wait; a writer waits for
/// readers.
///
/// Thread safety: read() and write() may be called by any number of threads; writers take turns. write() must not be
/// called from
///                inside read(), which it would wait for.
/// Ordering:      write() happens before each read() that sees its change, and each read() that does not see it happens
///                before the return of write().
/// Errors:        what `change` throws leaves write(); the two copies may differ then.
/// Source:        P. Ramalhete, A. Correia, "Left-Right: a concurrency control technique with wait-free population
///                oblivious reads" (2013), which has every operation seq_cst; orders re-derived.
template <class T>
class left_right {
public:
    explicit left_right(const T& initial) : copies_{initial, initial} {}
    left_right(const left_right&) = delete;
    left_right& operator=(const left_right&) = delete;

    /// Calls `look` with the copy that is not being changed, and returns what it returns.
    template <class Look>
    decltype(auto) read(Look look) const {
        const arrival here(*this);
        // order: seq_cst <-> write: of a reader that arrives and a writer that changes over, the reader sees the new
        //        copy or the writer the reader. Its acquire <- write: what the writer did to this copy.
        return look(std::as_const(copies_[copy_.load(std::memory_order_seq_cst)]));
    }

    /// Calls `change` twice, once with each copy. It must do the same to both.
    template <class Change>
    void write(Change change) {
        const std::scoped_lock guard(writers_);
        // order: relaxed: the writers' own.
        const std::size_t old = copy_.load(std::memory_order_relaxed);
        change(copies_[1 - old]);
        // order: seq_cst <-> read: as there. Its release -> read: the change.
        copy_.store(1 - old, std::memory_order_seq_cst);
        change_version();
        change(copies_[old]);
    }

private:
    // A reader counts in the version that it finds. After copy_ changed, new readers see the new copy. To know that all
    // who may see the old one have left, the writer waits for each version once, with new readers in the other
    // meanwhile.
    class arrival {
    public:
        explicit arrival(const left_right& owner)
            // order: relaxed: which version is of no matter to a reader; the writer waits for both.
            : readers_(owner.readers_[owner.version_.load(std::memory_order_relaxed)]) {
            // order: seq_cst <-> wait_for_readers: as at the load of copy_.
            readers_.fetch_add(1, std::memory_order_seq_cst);
        }
        arrival(const arrival&) = delete;
        arrival& operator=(const arrival&) = delete;
        ~arrival() {
            // order: release -> wait_for_readers: what was read, before it is written.
            readers_.fetch_sub(1, std::memory_order_release);
        }

    private:
        std::atomic<std::uint32_t>& readers_;
    };

    void change_version() {
        // order: relaxed: the writers' own.
        const std::size_t old = version_.load(std::memory_order_relaxed);
        wait_for_readers(1 - old);
        // order: relaxed: a reader may be late to see it, and is waited for below.
        version_.store(1 - old, std::memory_order_relaxed);
        wait_for_readers(old);
    }

    void wait_for_readers(std::size_t version) const {
        // order: seq_cst <-> arrival: as at the load of copy_. Its acquire <- ~arrival: what was read.
        while (readers_[version].load(std::memory_order_seq_cst) != 0) std::this_thread::yield();
    }

    std::mutex writers_;
    std::atomic<std::size_t> copy_{0};     // which one readers look at
    std::atomic<std::size_t> version_{0};  // where readers count
    mutable std::array<std::atomic<std::uint32_t>, 2> readers_{};
    std::array<T, 2> copies_;
};

}  // namespace examples
