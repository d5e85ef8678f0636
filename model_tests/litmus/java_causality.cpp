// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pugh, "Causality Test Cases" (2004), with which the Java memory model was designed (Manson, Pugh, Adve, "The Java
// Memory Model", POPL 2005). The variables are relaxed atomics here, those that are volatile in Java seq_cst.
#include "model_tests/litmus/programs.hpp"

#include <array>
#include <cstddef>

namespace ordeal::model_tests {

namespace {

// Variables a to z and registers r1 to r5 of the originals; -1 where a thread did not come to the read.
template <class P>
struct java_case {
    using variable = typename P::template atomic<int>;

    variable x{0};
    variable y{0};
    variable z{0};
    std::array<int, 6> r{-1, -1, -1, -1, -1, -1};

    [[nodiscard]] std::string outcome() const { return values(r[1], r[2], r[3]); }

    int get(std::size_t number, variable& from, std::memory_order how = relaxed) { return r[number] = from.load(how); }
};

// r2=y; x=r2
template <class P, std::size_t Register = 2>
struct copied_back : java_case<P> {
    static constexpr auto threads = two_threads;
    void copy_back() { this->x.store(this->get(Register, this->y), relaxed); }
};

template <class P>
struct case_1 : copied_back<P> {
    void run(int thread) {
        if (thread == 1) return this->copy_back();
        if (this->get(1, this->x) >= 0) this->y.store(1, relaxed);
    }
    [[nodiscard]] std::string outcome() const { return values(this->r[1], this->r[2]); }
};

template <class P>
struct case_2 : copied_back<P, 3> {
    void run(int thread) {
        if (thread == 1) return this->copy_back();
        if (this->get(1, this->x) == this->get(2, this->x)) this->y.store(1, relaxed);
    }
};

template <class P>
struct case_3 : case_2<P> {
    static constexpr auto threads = three_threads;
    void run(int thread) {
        if (thread < 2) return case_2<P>::run(thread);
        this->x.store(2, relaxed);
    }
};

template <class P>
struct case_4 : copied_back<P> {
    void run(int thread) {
        if (thread == 1) return this->copy_back();
        this->y.store(this->get(1, this->x), relaxed);
    }
    [[nodiscard]] std::string outcome() const { return values(this->r[1], this->r[2]); }
};

template <class P>
struct case_5 : case_4<P> {
    static constexpr auto threads = four_threads;
    void run(int thread) {
        if (thread < 2) return case_4<P>::run(thread);
        if (thread == 2) return this->z.store(1, relaxed);
        this->x.store(this->get(3, this->z), relaxed);
    }
    using java_case<P>::outcome;
};

template <class P>
struct case_6 : java_case<P> {
    static constexpr auto threads = two_threads;
    void run(int thread) {
        if (thread == 0) {
            if (this->get(1, this->x) == 1) this->y.store(1, relaxed);
            return;
        }
        this->get(2, this->y);
        if (this->r[2] == 1) this->x.store(1, relaxed);
        if (this->r[2] == 0) this->x.store(1, relaxed);
    }
    [[nodiscard]] std::string outcome() const { return values(this->r[1], this->r[2]); }
};

template <class P>
struct case_7 : java_case<P> {
    static constexpr auto threads = two_threads;
    void run(int thread) {
        if (thread == 0) {
            this->get(1, this->z);
            this->y.store(this->get(2, this->x), relaxed);
        } else {
            this->z.store(this->get(3, this->y), relaxed);
            this->x.store(1, relaxed);
        }
    }
};

template <class P>
struct case_8 : copied_back<P, 3> {
    void run(int thread) {
        if (thread == 1) return this->copy_back();
        this->get(1, this->x);
        this->r[2] = 1 + this->r[1] * this->r[1] - this->r[1];
        this->y.store(this->r[2], relaxed);
    }
    [[nodiscard]] std::string outcome() const { return values(this->r[1], this->r[2]); }
};

template <class P>
struct case_9 : case_8<P> {
    static constexpr auto threads = three_threads;
    void run(int thread) {
        if (thread < 2) return case_8<P>::run(thread);
        this->x.store(2, relaxed);
    }
};

template <class P>
struct case_10 : java_case<P> {
    static constexpr auto threads = four_threads;
    void run(int thread) {
        switch (thread) {
            case 0:
                if (this->get(1, this->x) == 1) this->y.store(1, relaxed);
                break;
            case 1:
                if (this->get(2, this->y) == 1) this->x.store(1, relaxed);
                break;
            case 2: this->z.store(1, relaxed); break;
            default:
                if (this->get(3, this->z) == 1) this->x.store(1, relaxed);
        }
    }
};

template <class P>
struct case_11 : java_case<P> {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> w{0};
    void run(int thread) {
        if (thread == 0) {
            w.store(this->get(1, this->z), relaxed);
            this->y.store(this->get(2, this->x), relaxed);
        } else {
            this->get(4, w);
            this->z.store(this->get(3, this->y), relaxed);
            this->x.store(1, relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return values(this->r[1], this->r[2], this->r[3], this->r[4]); }
};

template <class P>
struct case_12 : copied_back<P, 3> {
    void run(int thread) {
        if (thread == 1) return this->copy_back();
        std::array<int, 2> a{1, 2};
        a.at(static_cast<std::size_t>(this->get(1, this->x))) = 0;
        this->r[2] = a[0];
        this->y.store(this->r[2], relaxed);
    }
};

template <class P>
struct case_13 : java_case<P> {
    static constexpr auto threads = two_threads;
    void run(int thread) {
        if (thread == 0) {
            if (this->get(1, this->x) == 1) this->y.store(1, relaxed);
        } else {
            if (this->get(2, this->y) == 1) this->x.store(1, relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return values(this->r[1], this->r[2]); }
};

// The second thread of cases 14 and 15 repeats its reads until one is not 0: here it ends where both are.
template <class P>
struct sees_either : java_case<P> {
    void answer(typename java_case<P>::variable& b, typename java_case<P>::variable& a) {
        if (this->get(2, this->y, seq_cst) + this->get(3, b) != 0) a.store(1, relaxed);
    }
};

template <class P>
struct case_14 : sees_either<P> {
    static constexpr auto threads = two_threads;
    void run(int thread) {
        if (thread == 1) return this->answer(this->z, this->x);
        if (this->get(1, this->x) == 0) {
            this->y.store(1, seq_cst);
        } else {
            this->z.store(1, relaxed);
        }
    }
};

template <class P>
struct case_15 : sees_either<P> {
    static constexpr auto threads = three_threads;
    typename P::template atomic<int> a{0};
    void run(int thread) {
        if (thread == 1) return this->answer(this->z, a);
        if (thread == 2) return this->x.store(1, seq_cst);
        this->r[1] = this->get(0, this->x, seq_cst) == 1 ? a.load(relaxed) : 0;
        if (this->r[1] == 0) {
            this->y.store(1, seq_cst);
        } else {
            this->z.store(1, relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return values(this->r[0], this->r[1], this->r[2], this->r[3]); }
};

template <class P>
struct case_16 : java_case<P> {
    static constexpr auto threads = two_threads;
    void run(int thread) {
        this->get(thread == 0 ? 1 : 2, this->x);
        this->x.store(1 + thread, relaxed);
    }
    [[nodiscard]] std::string outcome() const { return values(this->r[1], this->r[2]); }
};

template <class P>
struct case_17 : copied_back<P> {
    void run(int thread) {
        if (thread == 1) return this->copy_back();
        if (this->get(3, this->x) != 42) this->x.store(42, relaxed);
        this->y.store(this->get(1, this->x), relaxed);
    }
};

template <class P>
struct case_18 : copied_back<P> {
    void run(int thread) {
        if (thread == 1) return this->copy_back();
        if (this->get(3, this->x) == 0) this->x.store(42, relaxed);
        this->y.store(this->get(1, this->x), relaxed);
    }
};

// Cases 17 and 18, the first half of whose first thread is a thread that the other half joins. That half is left out if
// it has not ended.
template <class P>
struct joined : copied_back<P> {
    static constexpr auto threads = three_threads;
    typename P::template atomic<int> ended{0};
    void run_joined(int thread, bool (*changes)(int)) {
        if (thread == 1) return this->copy_back();
        if (thread == 2) {
            if (changes(this->get(3, this->x))) this->x.store(42, relaxed);
            ended.store(1, release);
        } else if (ended.load(acquire) == 1) {
            this->y.store(this->get(1, this->x), relaxed);
        }
    }
};

template <class P>
struct case_19 : joined<P> {
    void run(int thread) {
        this->run_joined(thread, [](int seen) { return seen != 42; });
    }
};

template <class P>
struct case_20 : joined<P> {
    void run(int thread) {
        this->run_joined(thread, [](int seen) { return seen == 0; });
    }
};

constexpr difference dependent_store{"The store depends on the load: no processor makes it first.",
                                     "by the letter of C++20, and on no processor", true};

}  // namespace

litmus_table java_causality() {
    return {
        "Java's causality test cases",
        "The registers in the order of their numbers, those of 8 and 9 without r3; -1 where a thread has not come to "
        "the "
        "read. *Allowed* and *forbidden* are Pugh's decisions on the outcome in question, for Java; 16 is forbidden by "
        "coherence in C++. Where Java allows an outcome that takes a store made before a load it depends on, for a "
        "compiler could know all values of an atomic, it stands as allowed here, too: so does the letter of C++20, "
        "which "
        "only recommends that no value come out of thin air.",
        "Pugh, Causality Test Cases, 2004; Manson, Pugh, Adve, POPL 2005.",
        {
            agrees<case_1>("1, allowed `r1=x; if (r1>=0) y=1 ‖ r2=y; x=r2`", {"0,0", "0,1", "1,1"})
                .relacy_lacks({"1,1"}, executed_stores)
                .asking("1,1"),
            agrees<case_2>("2, allowed `r1=x; r2=x; if (r1==r2) y=1 ‖ r3=y; x=r3`", {"0,0,0", "0,0,1", "1,1,1"})
                .relacy_lacks({"1,1,1"}, executed_stores)
                .graph_lacks({"1,1,1"}, dependent_store)
                .asking("1,1,1"),
            agrees<case_3>("3, allowed `r1=x; r2=x; if (r1==r2) y=1 ‖ r3=y; x=r3 ‖ x=2`",
                           {"0,0,0", "0,0,1", "0,2,0", "1,1,1", "2,0,0", "2,2,0", "2,2,1"})
                .relacy_lacks({"1,1,1"}, executed_stores)
                .graph_lacks({"1,1,1"}, dependent_store)
                .asking("1,1,1"),
            agrees<case_4>("4, forbidden `r1=x; y=r1 ‖ r2=y; x=r2`", {"0,0"}).asking("1,1"),
            agrees<case_5>("5, forbidden `r1=x; y=r1 ‖ r2=y; x=r2 ‖ z=1 ‖ r3=z; x=r3`",
                           {"0,0,0", "0,0,1", "1,0,1", "1,1,1"})
                .asking("1,1,0"),
            agrees<case_6>("6, allowed `r1=x; if (r1==1) y=1 ‖ r2=y; if (r2==1) x=1; if (r2==0) x=1`",
                           {"0,0", "1,0", "1,1"})
                .relacy_lacks({"1,1"}, executed_stores)
                .asking("1,1"),
            agrees<case_7>("7, allowed `r1=z; r2=x; y=r2 ‖ r3=y; z=r3; x=1`", {"0,0,0", "0,1,0", "0,1,1", "1,1,1"})
                .relacy_lacks({"0,1,1", "1,1,1"}, executed_stores)
                .asking("1,1,1"),
            agrees<case_8>("8, allowed `r1=x; r2=1+r1*r1-r1; y=r2 ‖ r3=y; x=r3`", {"0,1", "1,1"})
                .relacy_lacks({"1,1"}, executed_stores)
                .asking("1,1"),
            agrees<case_9>("9, allowed `r1=x; r2=1+r1*r1-r1; y=r2 ‖ r3=y; x=r3 ‖ x=2`", {"0,1", "1,1", "2,3"})
                .relacy_lacks({"1,1"}, executed_stores)
                .asking("1,1"),
            agrees<case_10>("10, forbidden `r1=x; if (r1==1) y=1 ‖ r2=y; if (r2==1) x=1 ‖ z=1 ‖ r3=z; if (r3==1) x=1`",
                            {"0,0,0", "0,0,1", "1,0,1", "1,1,1"})
                .asking("1,1,0"),
            agrees<case_11>("11, allowed `r1=z; w=r1; r2=x; y=r2 ‖ r4=w; r3=y; z=r3; x=1`",
                            {"0,0,0,0", "0,1,0,0", "0,1,1,0", "1,1,1,0", "1,1,1,1"})
                .relacy_lacks({"0,1,1,0", "1,1,1,0", "1,1,1,1"}, executed_stores)
                .asking("1,1,1,1"),
            agrees<case_12>("12, forbidden `r1=x; a[r1]=0; r2=a[0]; y=r2 ‖ r3=y; x=r3`", {"0,0,0"}).asking("1,1,1"),
            agrees<case_13>("13, forbidden `r1=x; if (r1==1) y=1 ‖ r2=y; if (r2==1) x=1`", {"0,0"}).asking("1,1"),
            agrees<case_14>("14, forbidden `r1=a; if (r1==0) y.sc=1 else b=1 ‖ r2=y.sc; r3=b; if (r2+r3!=0) a=1`",
                            {"0,0,0", "0,1,0"})
                .asking("1,0,1"),
            agrees<case_15>("15, forbidden `r0=x.sc; r1=r0==1 ? a : 0; if (r1==0) y.sc=1 else b=1 ‖ r2=y.sc; r3=b; if "
                            "(r2+r3!=0) a=1 ‖ x.sc=1`",
                            {"0,0,0,0", "0,0,1,0", "1,0,0,0", "1,0,1,0"})
                .asking("1,1,0,1"),
            agrees<case_16>("16, allowed `r1=x; x=1 ‖ r2=x; x=2`", {"0,0", "0,1", "2,0"}).asking("2,1"),
            agrees<case_17>("17, allowed `r3=x; if (r3!=42) x=42; r1=x; y=r1 ‖ r2=y; x=r2`",
                            {"0,0,0", "42,0,0", "42,42,0", "42,42,42"})
                .relacy_lacks({"42,42,42"}, executed_stores)
                .graph_lacks({"42,42,42"}, dependent_store)
                .asking("42,42,42"),
            agrees<case_18>("18, allowed `r3=x; if (r3==0) x=42; r1=x; y=r1 ‖ r2=y; x=r2`",
                            {"0,0,0", "42,0,0", "42,42,0", "42,42,42"})
                .relacy_lacks({"42,42,42"}, executed_stores)
                .graph_lacks({"42,42,42"}, dependent_store)
                .asking("42,42,42"),
            agrees<case_19>("19, allowed `join third; r1=x; y=r1 ‖ r2=y; x=r2 ‖ r3=x; if (r3!=42) x=42`",
                            {"-1,0,0", "0,0,0", "42,0,0", "42,42,0", "42,42,42"})
                .relacy_lacks({"42,42,42"}, executed_stores)
                .graph_lacks({"42,42,42"}, dependent_store)
                .asking("42,42,42"),
            agrees<case_20>("20, allowed `join third; r1=x; y=r1 ‖ r2=y; x=r2 ‖ r3=x; if (r3==0) x=42`",
                            {"-1,0,0", "0,0,0", "42,0,0", "42,42,0", "42,42,42"})
                .relacy_lacks({"42,42,42"}, executed_stores)
                .graph_lacks({"42,42,42"}, dependent_store)
                .asking("42,42,42"),
        }};
}

}  // namespace ordeal::model_tests
