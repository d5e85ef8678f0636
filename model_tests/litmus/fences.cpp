// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/litmus.hpp"

namespace ordeal::model_tests {

namespace {

template <class P>
struct passing {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> flag{0};
    typename P::template atomic<int> other{0};
    typename P::template cell<int> data{0};
    int seen = 0;

    [[nodiscard]] std::string outcome() const { return values(seen); }
};

template <std::memory_order Before, std::memory_order After>
struct both {
    template <class P>
    struct test : passing<P> {
        void run(int thread) {
            if (thread == 0) {
                this->data.write() = 1;
                P::fence(Before);
                this->flag.store(1, relaxed);
            } else if (this->flag.load(relaxed) == 1) {
                P::fence(After);
                this->seen = this->data.read();
            }
        }
    };
};

template <class P>
struct fence_and_load : passing<P> {
    void run(int thread) {
        if (thread == 0) {
            this->data.write() = 1;
            P::fence(release);
            this->flag.store(1, relaxed);
        } else if (this->flag.load(acquire) == 1) {
            this->seen = this->data.read();
        }
    }
};

template <class P>
struct store_and_fence : passing<P> {
    void run(int thread) {
        if (thread == 0) {
            this->data.write() = 1;
            this->flag.store(1, release);
        } else if (this->flag.load(relaxed) == 1) {
            P::acquire_fence(this->flag);
            this->seen = this->data.read();
        }
    }
};

template <class P>
struct late_release : passing<P> {
    void run(int thread) {
        if (thread == 0) {
            this->data.write() = 1;
            this->flag.store(1, relaxed);
            P::fence(release);
        } else if (this->flag.load(acquire) == 1) {
            this->seen = this->data.read();
        }
    }
};

template <class P>
struct early_acquire : passing<P> {
    void run(int thread) {
        if (thread == 0) {
            this->data.write() = 1;
            this->flag.store(1, release);
        } else {
            P::fence(acquire);
            if (this->flag.load(relaxed) == 1) this->seen = this->data.read();
        }
    }
};

// A fence works for stores to any atomic after it.
template <class P>
struct any_atomic : passing<P> {
    void run(int thread) {
        if (thread == 0) {
            this->data.write() = 1;
            P::fence(release);
            this->other.store(1, relaxed);
            this->flag.store(1, relaxed);
        } else if (this->flag.load(acquire) == 1) {
            this->seen = this->data.read();
        }
    }
};

// What comes after the fence is not released by it.
template <class P>
struct write_after_fence : passing<P> {
    void run(int thread) {
        if (thread == 0) {
            P::fence(release);
            this->data.write() = 1;
            this->flag.store(1, relaxed);
        } else if (this->flag.load(acquire) == 1) {
            this->seen = this->data.read();
        }
    }
};

}  // namespace

litmus_table fences() {
    const outcome_set seen{"0", "1"};
    const outcome_set race{"data race"};
    return {"Fences, message passing with plain data",
            "The data seen, 0 when the flag was not. Stores and loads are relaxed where not said otherwise.",
            "[atomics.fences].",
            {agrees<both<release, acquire>::test>("release fence, acquire fence", seen),
             agrees<both<acq_rel, acq_rel>::test>("acq_rel fences", seen),
             agrees<both<seq_cst, seq_cst>::test>("seq_cst fences", seen),
             agrees<fence_and_load>("release fence, acquire load", seen),
             agrees<store_and_fence>("release store, acquire fence", seen),
             agrees<any_atomic>("release fence, then two stores, acquire load of the second", seen),
             agrees<both<release, relaxed>::test>("release fence only", race),
             agrees<both<relaxed, acquire>::test>("acquire fence only", race),
             agrees<both<acquire, release>::test>("acquire fence, release fence", race),
             agrees<late_release>("release fence after the store", race),
             agrees<early_acquire>("acquire fence before the load", race),
             agrees<write_after_fence>("release fence before the data", race)}};
}

}  // namespace ordeal::model_tests
