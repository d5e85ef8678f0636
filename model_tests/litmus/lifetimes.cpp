// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/litmus.hpp"

#include <new>

namespace ordeal::model_tests {

namespace {

// The first thread uses the object and says so; the second destroys it when it has been told.
template <std::memory_order Store, template <class> class Object>
struct destruction {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        Object<P>* object = new Object<P>;
        typename P::template atomic<int> done{0};
        int destroyed = 0;

        void run(int thread) {
            if (thread == 0) {
                object->use();
                done.store(1, Store);
            } else if (done.load(acquire) == 1) {
                delete object;
                destroyed = 1;
            }
        }
        void finish() {
            if (destroyed == 0) delete object;
        }
        [[nodiscard]] std::string outcome() const { return values(destroyed); }
    };
};

// The first thread makes the object and hands out its address.
template <std::memory_order Store, template <class> class Object>
struct publication {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<Object<P>*> shared{nullptr};
        int used = 0;

        void run(int thread) {
            if (thread == 0) {
                shared.store(new Object<P>, Store);
            } else if (Object<P>* const object = shared.load(acquire)) {
                object->use();
                used = 1;
            }
        }
        void finish() { delete shared.load(relaxed); }
        [[nodiscard]] std::string outcome() const { return values(used); }
    };
};

template <class P>
struct an_atomic {
    typename P::template atomic<int> value{0};
    void use() { value.store(1, relaxed); }
};
template <class P>
struct a_cell {
    typename P::template cell<int> value{0};
    void use() { value.write() = 1; }
};
template <class P>
struct a_mutex {
    typename P::mutex value;
    void use() {
        value.lock();
        value.unlock();
    }
};

template <class P>
struct used_after {
    static constexpr auto threads = two_threads;
    an_atomic<P>* object = new an_atomic<P>;
    typename P::template atomic<int> gone{0};

    void run(int thread) {
        if (thread == 0) {
            delete object;
            gone.store(1, release);
        } else if (gone.load(acquire) == 1) {
            object->use();
        }
    }
};

template <class P>
struct destroyed_twice {
    static constexpr auto threads = two_threads;
    an_atomic<P>* object = new an_atomic<P>;
    typename P::template atomic<int> gone{0};

    void run(int thread) {
        if (thread == 0) {
            delete object;
            gone.store(1, release);
        } else if (gone.load(acquire) == 1) {
            delete object;
        }
    }
};

template <class P>
struct never_freed {
    static constexpr auto threads = std::array{"only"};
    // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): that is the test
    void run(int) { [[maybe_unused]] auto* const lost = new an_atomic<P>; }
};

template <class P>
struct never_written {
    static constexpr auto threads = two_threads;
    typename P::template cell<int> data;
    typename P::template atomic<int> flag{0};
    int seen = 0;

    // One path through the program forgets to write.
    void run(int thread) {
        if (thread == 0) {
            flag.store(1, release);
        } else if (flag.load(acquire) == 1) {
            seen = data.read();
        }
    }
};

// An array freed with its size, and one aligned more than usual.
template <class P>
struct sized_and_aligned {
    struct alignas(64) wide {
        int value = 1;
    };
    static constexpr auto threads = std::array{"only"};
    int sum = 0;
    void run(int) {
        auto* const array = new wide[3];
        for (int i = 0; i < 3; ++i) sum += array[i].value;
        delete[] array;
        void* const block = ::operator new(24);
        ::operator delete(block, std::size_t{24});
        void* const nothing = ::operator new(24, std::align_val_t{128}, std::nothrow);
        sum += reinterpret_cast<std::uintptr_t>(nothing) % 128 == 0 ? 1 : 0;
        ::operator delete(nothing, std::size_t{24}, std::align_val_t{128});
    }
    [[nodiscard]] std::string outcome() const { return values(sum); }
};

}  // namespace

litmus_table lifetimes() {
    const outcome_set either{"0", "1"};
    const outcome_set unsynchronised{"unsynchronised destruction"};
    const outcome_set race{"data race"};
    return {"Lifetimes",
            "Whether the object was destroyed, or used, by the second thread. Where C++20 calls the behaviour "
            "undefined, the kind says how it came about.",
            "[basic.life]; [intro.races].",
            {agrees<destruction<relaxed, an_atomic>::test>("an atomic destroyed after a relaxed store", unsynchronised),
             agrees<destruction<release, an_atomic>::test>("an atomic destroyed after a release store", either),
             agrees<destruction<relaxed, a_cell>::test>("a cell destroyed after a relaxed store", unsynchronised),
             agrees<destruction<release, a_cell>::test>("a cell destroyed after a release store", either),
             agrees<destruction<relaxed, a_mutex>::test>("a mutex destroyed after a relaxed store", unsynchronised),
             agrees<destruction<release, a_mutex>::test>("a mutex destroyed after a release store", either),
             agrees<publication<relaxed, an_atomic>::test>("an atomic published by a relaxed store", race),
             agrees<publication<release, an_atomic>::test>("an atomic published by a release store", either),
             agrees<publication<relaxed, a_cell>::test>("a cell published by a relaxed store", race),
             agrees<publication<release, a_cell>::test>("a cell published by a release store", either),
             agrees<publication<relaxed, a_mutex>::test>("a mutex published by a relaxed store", race),
             agrees<publication<release, a_mutex>::test>("a mutex published by a release store", either),
             agrees<used_after>("used after its ordered destruction", {"use after free"}),
             agrees<destroyed_twice>("destroyed twice, in order", {"double free"}),
             agrees<never_freed>("never freed", {"leak"}),
             agrees<never_written>("a cell read that nobody wrote", {"uninitialised read"}),
             agrees<sized_and_aligned>("sized, aligned and nothrow forms of new and delete", {"4"})}};
}

}  // namespace ordeal::model_tests
