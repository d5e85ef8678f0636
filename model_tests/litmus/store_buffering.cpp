// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/programs.hpp"

namespace ordeal::model_tests {

namespace {

// Each thread stores to one atomic and then loads the other's.
template <class P>
struct buffers {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    typename P::template atomic<int> y{0};
    int seen_y = 0;
    int seen_x = 0;

    [[nodiscard]] std::string outcome() const { return values(seen_y, seen_x); }
};

template <std::memory_order Store, std::memory_order Load>
struct accesses {
    template <class P>
    struct test : buffers<P> {
        void run(int thread) {
            if (thread == 0) {
                this->x.store(1, Store);
                this->seen_y = this->y.load(Load);
            } else {
                this->y.store(1, Store);
                this->seen_x = this->x.load(Load);
            }
        }
    };
};

template <std::memory_order Fence>
struct with_fences {
    template <class P>
    struct test : buffers<P> {
        void run(int thread) {
            (thread == 0 ? this->x : this->y).store(1, relaxed);
            P::fence(Fence);
            (thread == 0 ? this->seen_y : this->seen_x) = (thread == 0 ? this->y : this->x).load(relaxed);
        }
    };
};

template <class P>
struct fence_and_access : buffers<P> {
    void run(int thread) {
        if (thread == 0) {
            this->x.store(1, relaxed);
            P::fence(seq_cst);
            this->seen_y = this->y.load(relaxed);
        } else {
            this->y.store(1, seq_cst);
            this->seen_x = this->x.load(seq_cst);
        }
    }
};

// A read-modify-write that changes nothing takes the place of the load.
template <class P>
struct modifications : buffers<P> {
    void run(int thread) {
        if (thread == 0) {
            this->x.store(1, relaxed);
            this->seen_y = this->y.fetch_add(0, acq_rel);
        } else {
            this->y.store(1, relaxed);
            this->seen_x = this->x.fetch_add(0, acq_rel);
        }
    }
};

template <class P>
struct exchanges : buffers<P> {
    void run(int thread) {
        if (thread == 0) {
            this->x.exchange(1, seq_cst);
            this->seen_y = this->y.load(seq_cst);
        } else {
            this->y.exchange(1, seq_cst);
            this->seen_x = this->x.load(seq_cst);
        }
    }
};

constexpr difference newest_modified{
    "Limit: modification order is the order of execution, and a read-modify-write reads the newest value.",
    "modification order"};

}  // namespace

litmus_table store_buffering() {
    const outcome_set all{"0,0", "0,1", "1,0", "1,1"};
    const outcome_set strong{"0,1", "1,0", "1,1"};
    return {"Store buffering",
            "What the first thread saw of y, what the second saw of x; 0,0 is the outcome that seq_cst forbids.",
            "Herding Cats (SB); [atomics.order]/4.",
            {agrees<accesses<relaxed, relaxed>::test>("SB, relaxed", all),
             agrees<accesses<release, acquire>::test>("SB, release stores, acquire loads", all),
             agrees<accesses<seq_cst, acquire>::test>("SB, seq_cst stores, acquire loads", all),
             agrees<accesses<release, seq_cst>::test>("SB, release stores, seq_cst loads", all),
             agrees<accesses<seq_cst, seq_cst>::test>("SB, seq_cst", strong),
             agrees<exchanges>("SB, seq_cst exchange, seq_cst load", strong),
             agrees<with_fences<acq_rel>::test>("SB, acq_rel fences", all),
             agrees<with_fences<seq_cst>::test>("SB, seq_cst fences", strong),
             differs<fence_and_access>("SB, a seq_cst fence against seq_cst accesses", strong, all, fence_and_accesses),
             differs<modifications>("SB, acq_rel read-modify-writes as loads", all, strong, newest_modified)}};
}

}  // namespace ordeal::model_tests
