// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways to hand data to another thread: a flag, fences, a sequence lock, a hazard pointer.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <memory>

namespace ordeal::model_tests {

namespace {

// The orders of a flag are those of two fences.
template <bool WriterFence, bool ReaderFence>
struct fenced_message {
    static constexpr auto threads = std::array{"writer", "reader"};
    int data = 0;
    std::atomic<bool> ready{false};
    int seen = 42;

    void run(int thread) {
        if (thread == 0) {
            data = 42;
            if (WriterFence) std::atomic_thread_fence(release);
            ready.store(true, relaxed);
        } else if (ready.load(relaxed)) {
            if (ReaderFence) std::atomic_thread_fence(acquire);
            seen = data;
        }
    }
    void finish() const { require(seen == 42); }
};

// The fences are there, and do nothing.
struct message_by_relaxed_fences {
    static constexpr auto threads = std::array{"writer", "reader"};
    int data = 0;
    std::atomic<bool> ready{false};
    int seen = 42;

    void run(int thread) {
        if (thread == 0) {
            data = 42;
            std::atomic_thread_fence(relaxed);
            ready.store(true, relaxed);
        } else if (ready.load(relaxed)) {
            std::atomic_thread_fence(relaxed);
            seen = data;
        }
    }
};

// What is read goes into a variable that nobody looks at, and has no use once that variable is no more.
struct value_of_no_use {
    static constexpr auto threads = std::array{"writer", "reader"};
    int data = 0;
    std::atomic<bool> ready{false};

    void take(int& value) const {
        if (ready.load(acquire)) value = data;
    }
    void run(int thread) {
        if (thread == 0) {
            data = 42;
            ready.store(true, relaxed);
        } else {
            int value = 0;
            take(value);
        }
    }
};

// Each thread announces that it is there; the value goes on through a third.
struct passed_on {
    static constexpr auto threads = std::array{"writer", "relay", "reader"};
    int data = 0;
    std::atomic<int> first{0};
    std::atomic<int> second{0};

    void run(int thread) {
        if (thread == 0) {
            data = 42;
            first.store(1, release);
        } else if (thread == 1) {
            if (first.load(acquire) == 1) second.store(1, release);
        } else if (second.load(acquire) == 1) {
            require(data == 42);
        }
    }
};

// Sequence lock after Boehm, "Can seqlocks get along with programming language memory models?" (MSPC 2012).
template <class Word, bool ReaderFence>
struct sequence_lock {
    static constexpr auto threads = std::array{"writer", "reader"};
    std::atomic<unsigned> sequence{0};
    Word first{0};
    Word second{0};

    void run(int thread) {
        if (thread == 0) {
            write(1);
        } else {
            read();
        }
    }

private:
    static void put(int& word, int value) { word = value; }
    static void put(std::atomic<int>& word, int value) { word.store(value, relaxed); }
    [[nodiscard]] static int get(const int& word) { return word; }
    [[nodiscard]] static int get(const std::atomic<int>& word) { return word.load(relaxed); }

    void write(int value) {
        const unsigned before = sequence.load(relaxed);
        sequence.store(before + 1, relaxed);
        std::atomic_thread_fence(release);
        put(first, value);
        put(second, value);
        sequence.store(before + 2, release);
    }
    void read() const {
        const unsigned before = sequence.load(acquire);
        if (before % 2 != 0) return;
        const int seen_first = get(first);
        const int seen_second = get(second);
        if (ReaderFence) std::atomic_thread_fence(acquire);
        if (sequence.load(relaxed) == before) require(seen_first == seen_second, "half of a write");
    }
};

// A reader says what it uses; who takes that away lets it be.
template <std::memory_order Announce, std::memory_order Look>
struct hazard_pointer {
    static constexpr auto threads = std::array{"reader", "writer"};
    std::atomic<int*> current{new int(1)};
    std::atomic<int*> hazard{nullptr};
    int* retired = nullptr;
    int seen = 1;

    ~hazard_pointer() {
        delete current.load();
        delete retired;
    }
    hazard_pointer() = default;
    hazard_pointer(const hazard_pointer&) = delete;
    hazard_pointer& operator=(const hazard_pointer&) = delete;

    void run(int thread) {
        if (thread == 0) {
            int* const wanted = current.load(relaxed);
            hazard.store(wanted, Announce);
            if (current.load(Look) == wanted) seen = *wanted;
            hazard.store(nullptr, release);
        } else {
            int* const old = current.exchange(new int(2), Announce == seq_cst ? seq_cst : std::memory_order_acq_rel);
            if (hazard.load(Look) == old) {
                retired = old;
            } else {
                delete old;
            }
        }
    }
    void finish() const { require(seen == 1 || seen == 2); }
};

template <bool WriterFence, bool ReaderFence>
using racy_message = wrong<fenced_message<WriterFence, ReaderFence>, violation_kind::data_race>;

ORDEAL_SCENARIO("programs/message_fenced", fenced_message<true, true>);
ORDEAL_SCENARIO("programs/message_writer_fence_missing", racy_message<false, true>);
ORDEAL_SCENARIO("programs/message_reader_fence_missing", racy_message<true, false>);
ORDEAL_SCENARIO("programs/message_relaxed_fences", wrong<message_by_relaxed_fences, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/message_passed_on", passed_on);
ORDEAL_SCENARIO("programs/message_of_no_use", wrong<value_of_no_use, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/sequence_lock", sequence_lock<std::atomic<int>, true>);
ORDEAL_SCENARIO("programs/sequence_lock_without_fence",
                wrong<sequence_lock<std::atomic<int>, false>, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/sequence_lock_plain_data", wrong<sequence_lock<int, true>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/hazard_pointer", hazard_pointer<seq_cst, seq_cst>);
ORDEAL_SCENARIO("programs/hazard_pointer_acquire_release",
                wrong<hazard_pointer<release, acquire>, violation_kind::unsynchronised_destruction>);

}  // namespace

}  // namespace ordeal::model_tests
