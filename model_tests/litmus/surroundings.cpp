// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation failure, exceptions across switches of threads, numbers of threads.
#include "model_tests/litmus/litmus.hpp"

#include "ordeal/scenario/faults.hpp"

#include <algorithm>
#include <exception>
#include <new>

namespace ordeal::model_tests {

namespace {

template <unsigned Nth>
struct fails_at {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        int failed[2] = {0, 0};

        void run(int thread) {
            if (thread == 0) fail_allocation(Nth);
            for (int i = 1; i <= 3; ++i) {
                try {
                    int* volatile block = new int(i);  // volatile: the compiler may not leave the pair out
                    delete block;
                } catch (const std::bad_alloc&) {
                    failed[thread] = failed[thread] * 10 + i;
                }
            }
            if (thread == 0) fail_allocation(0);
        }
        [[nodiscard]] std::string outcome() const { return values(failed[0], failed[1]); }
    };
};

template <class P>
struct fails_silently {
    static constexpr auto threads = std::array{"only"};
    bool null = false;
    void run(int) {
        fail_allocation(1);
        int* volatile none = new (std::nothrow) int;
        null = none == nullptr;
        delete none;
    }
    [[nodiscard]] std::string outcome() const { return values(null); }
};

// Each thread handles an exception of its own while the other runs: what is current must be the thread's own.
template <class P>
struct handled_on_both {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    int wrong = 0;

    void run(int thread) {
        try {
            throw thread;
        } catch (int mine) {
            x.fetch_add(1, relaxed);  // the other thread may run here
            wrong += mine != thread;
            x.fetch_add(1, relaxed);
            try {
                std::rethrow_exception(std::current_exception());
            } catch (int again) {
                x.fetch_add(1, relaxed);
                wrong += again != thread;
            }
            try {
                throw;
            } catch (int again) {
                wrong += again != thread;
            }
        }
        wrong += std::current_exception() != nullptr;
    }
    void finish() { wrong += std::current_exception() != nullptr; }
    [[nodiscard]] std::string outcome() const { return values(wrong); }
};

// As in a destructor during unwinding.
template <class P>
struct unwinding_on_both {
    struct on_exit {
        unwinding_on_both& test;
        ~on_exit() {
            const int before = std::uncaught_exceptions();
            test.x.fetch_add(1, relaxed);
            test.wrong += before != 1 || std::uncaught_exceptions() != 1;
        }
    };
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    int wrong = 0;

    void run(int thread) {
        try {
            const on_exit guard{*this};
            throw thread;
        } catch (int mine) {
            wrong += mine != thread;
        }
        wrong += std::uncaught_exceptions() != 0;
    }
    [[nodiscard]] std::string outcome() const { return values(wrong); }
};

template <std::size_t Count>
struct threads_of {
    template <class P>
    struct test {
        static constexpr auto threads = [] {
            std::array<const char*, Count> names{};
            std::ranges::fill(names, "one of many");
            return names;
        }();
        typename P::template atomic<int> x{0};
        int last = 0;

        void run(int thread) { x.fetch_or(1 << thread, relaxed); }
        void finish() { last = x.load(relaxed); }
        [[nodiscard]] std::string outcome() const { return values(last); }
    };
};

}  // namespace

litmus_table surroundings() {
    return {"Allocation, exceptions, threads",
            "Which of three allocations failed, on the thread that asked for it and on the other; how often the "
            "exception at hand was the wrong one; which threads ran, as bits.",
            "[new.delete.single]; [except.handle].",
            {agrees<fails_at<1>::test>("the first allocation fails", {"1,0"}),
             agrees<fails_at<3>::test>("the third allocation fails", {"3,0"}),
             agrees<fails_at<4>::test>("a fourth allocation would fail", {"0,0"}),
             agrees<fails_silently>("new (nothrow) fails", {"1"}),
             agrees<handled_on_both>("two threads handle exceptions", {"0"}),
             agrees<unwinding_on_both>("two threads unwind", {"0"}), agrees<threads_of<1>::test>("1 thread", {"1"}),
             agrees<threads_of<2>::test>("2 threads", {"3"}), agrees<threads_of<3>::test>("3 threads", {"7"}),
             agrees<threads_of<4>::test>("4 threads", {"15"}), agrees<threads_of<5>::test>("5 threads", {"31"}),
             agrees<threads_of<6>::test>("6 threads", {"63"}), agrees<threads_of<7>::test>("7 threads", {"127"}),
             agrees<threads_of<8>::test>("8 threads", {"255"})}};
}

}  // namespace ordeal::model_tests
