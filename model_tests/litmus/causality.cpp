// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classical shapes over two and three locations.
#include "model_tests/litmus/litmus.hpp"

#include <array>

namespace ordeal::model_tests {

namespace {

template <class P>
struct locations {
    typename P::template atomic<int> x{0};
    typename P::template atomic<int> y{0};
    typename P::template atomic<int> z{0};
    std::array<int, 4> r{};
};

template <std::memory_order Store, std::memory_order Load>
struct shape {
    template <class P>
    struct load_buffering : locations<P> {
        static constexpr auto threads = two_threads;
        void run(int thread) {
            if (thread == 0) {
                this->r[0] = this->x.load(Load);
                this->y.store(1, Store);
            } else {
                this->r[1] = this->y.load(Load);
                this->x.store(1, Store);
            }
        }
        [[nodiscard]] std::string outcome() const { return values(this->r[0], this->r[1]); }
    };

    // Write-to-read causality: what I saw before I released, you see.
    template <class P>
    struct wrc : locations<P> {
        static constexpr auto threads = three_threads;
        void run(int thread) {
            if (thread == 0) {
                this->x.store(1, relaxed);
            } else if (thread == 1) {
                this->r[0] = this->x.load(relaxed);
                this->y.store(1, Store);
            } else {
                this->r[1] = this->y.load(Load);
                this->r[2] = this->x.load(relaxed);
            }
        }
        [[nodiscard]] std::string outcome() const { return values(this->r[0], this->r[1], this->r[2]); }
    };

    // Independent reads of independent writes: do two readers agree on which came first?
    template <class P>
    struct iriw : locations<P> {
        static constexpr auto threads = four_threads;
        void run(int thread) {
            switch (thread) {
                case 0: return this->x.store(1, Store);
                case 1: return this->y.store(1, Store);
                case 2:
                    this->r[0] = this->x.load(Load);
                    this->r[1] = this->y.load(Load);
                    return;
                default: this->r[2] = this->y.load(Load); this->r[3] = this->x.load(Load);
            }
        }
        // Only the disagreement is told apart; the other outcomes are many.
        [[nodiscard]] std::string outcome() const { return this->r == std::array{1, 0, 1, 0} ? "1,0,1,0" : "other"; }
    };

    template <class P>
    struct isa2 : locations<P> {
        static constexpr auto threads = three_threads;
        void run(int thread) {
            if (thread == 0) {
                this->x.store(1, relaxed);
                this->y.store(1, Store);
            } else if (thread == 1) {
                this->r[0] = this->y.load(Load);
                this->z.store(1, Store);
            } else {
                this->r[1] = this->z.load(Load);
                this->r[2] = this->x.load(relaxed);
            }
        }
        [[nodiscard]] std::string outcome() const {
            return this->r[0] == 1 && this->r[1] == 1 ? values(1, 1, this->r[2]) : "other";
        }
    };

    template <class P>
    struct two_plus_two : locations<P> {
        static constexpr auto threads = two_threads;
        void run(int thread) {
            auto& mine = thread == 0 ? this->x : this->y;
            auto& other = thread == 0 ? this->y : this->x;
            mine.store(1, Store);
            other.store(2, Store);
        }
        void finish() { this->r = {this->x.load(relaxed), this->y.load(relaxed)}; }
        [[nodiscard]] std::string outcome() const { return values(this->r[0], this->r[1]); }
    };

    template <class P>
    struct s : locations<P> {
        static constexpr auto threads = two_threads;
        void run(int thread) {
            if (thread == 0) {
                this->x.store(2, relaxed);
                this->y.store(1, Store);
            } else {
                this->r[0] = this->y.load(Load);
                this->x.store(1, relaxed);
            }
        }
        void finish() { this->r[1] = this->x.load(relaxed); }
        [[nodiscard]] std::string outcome() const { return values(this->r[0], this->r[1]); }
    };

    template <class P>
    struct r_shape : locations<P> {
        static constexpr auto threads = two_threads;
        void run(int thread) {
            if (thread == 0) {
                this->x.store(1, Store);
                this->y.store(1, Store);
            } else {
                this->y.store(2, Store);
                this->r[0] = this->x.load(Load);
            }
        }
        void finish() { this->r[1] = this->y.load(relaxed); }
        [[nodiscard]] std::string outcome() const { return values(this->r[1], this->r[0]); }
    };
};

using weak = shape<relaxed, relaxed>;
using ordered = shape<release, acquire>;
using strong = shape<seq_cst, seq_cst>;

constexpr difference modification_order{"Limit: modification order is the order of execution.", "modification order"};

}  // namespace

litmus_table causality() {
    const outcome_set wrc_ordered{"0,0,0", "0,0,1", "0,1,0", "0,1,1", "1,0,0", "1,0,1", "1,1,1"};
    outcome_set wrc_all = wrc_ordered;
    wrc_all.insert("1,1,0");
    const outcome_set final_values{"1,2", "2,1", "2,2"};
    outcome_set all_final_values = final_values;
    all_final_values.insert("1,1");
    return {"Causality",
            "The values loaded, in the order of the threads. IRIW: x and y, then y and x. 2+2W: the last values of x "
            "and y. S: what was seen of y, the last value of x. R: the last value of y, what was seen of x.",
            {differs<weak::load_buffering>("LB, relaxed", {"0,0", "0,1", "1,0", "1,1"}, {"0,0", "0,1", "1,0"},
                                           {"Limit: a load reads a store that has been executed; no load buffering.",
                                            "not every execution of the memory model"}),
             agrees<ordered::load_buffering>("LB, release and acquire", {"0,0", "0,1", "1,0"}),
             agrees<weak::wrc>("WRC, relaxed", wrc_all), agrees<ordered::wrc>("WRC, release and acquire", wrc_ordered),
             agrees<weak::iriw>("IRIW, relaxed", {"1,0,1,0", "other"}),
             agrees<ordered::iriw>("IRIW, release and acquire", {"1,0,1,0", "other"}),
             agrees<strong::iriw>("IRIW, seq_cst", {"other"}),
             agrees<weak::isa2>("ISA2, relaxed", {"1,1,0", "1,1,1", "other"}),
             agrees<ordered::isa2>("ISA2, release and acquire", {"1,1,1", "other"}),
             differs<weak::two_plus_two>("2+2W, relaxed", all_final_values, final_values, modification_order),
             differs<ordered::two_plus_two>("2+2W, release", all_final_values, final_values, modification_order),
             agrees<strong::two_plus_two>("2+2W, seq_cst", final_values),
             differs<weak::s>("S, relaxed", {"0,1", "0,2", "1,1", "1,2"}, {"0,1", "0,2", "1,1"}, modification_order),
             agrees<ordered::s>("S, release and acquire", {"0,1", "0,2", "1,1"}),
             agrees<ordered::r_shape>("R, release and acquire", {"1,0", "1,1", "2,0", "2,1"}),
             agrees<strong::r_shape>("R, seq_cst", {"1,0", "1,1", "2,1"})}};
}

}  // namespace ordeal::model_tests
