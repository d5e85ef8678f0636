// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/programs.hpp"

namespace ordeal::model_tests {

using namespace detail;

namespace {

template <std::memory_order Store, std::memory_order Load>
struct with_orders {
    // The data are plain: without happens-before the read is a data race.
    template <class P>
    struct plain {
        static constexpr auto threads = two_threads;
        typename P::template atomic<int> flag{0};
        typename P::template cell<int> data{0};
        int seen = 0;

        void run(int thread) {
            if (thread == 0) {
                data.write() = 1;
                flag.store(1, Store);
            } else if (flag.load(Load) == 1) {
                seen = data.read();
            }
        }
        [[nodiscard]] std::string outcome() const { return values(seen); }
    };

    // The data are atomic: without happens-before the load may be stale.
    template <class P>
    struct stale {
        static constexpr auto threads = two_threads;
        typename P::template atomic<int> flag{0};
        typename P::template atomic<int> data{0};
        int seen_flag = 0;
        int seen_data = 0;

        void run(int thread) {
            if (thread == 0) {
                data.store(1, relaxed);
                flag.store(1, Store);
            } else {
                seen_flag = flag.load(Load);
                seen_data = data.load(relaxed);
            }
        }
        [[nodiscard]] std::string outcome() const { return values(seen_flag, seen_data); }
    };

    static void add_to(std::vector<litmus_row>& rows) {
        const std::string orders = name_of(Store) + " store, " + name_of(Load) + " load";
        const bool ordered = releases(Store) && acquires(Load);
        rows.push_back(
            agrees<plain>("MP, plain data, " + orders, ordered ? outcome_set{"0", "1"} : outcome_set{"data race"}));
        outcome_set outcomes{"0,0", "0,1", "1,1"};
        if (!ordered) outcomes.insert("1,0");
        rows.push_back(agrees<stale>("MP, atomic data, " + orders, outcomes));
    }
};

template <std::memory_order Store>
void add_loads(std::vector<litmus_row>& rows) {
    with_orders<Store, relaxed>::add_to(rows);
    with_orders<Store, acquire>::add_to(rows);
    with_orders<Store, seq_cst>::add_to(rows);
}

// Relaxed accesses with fences, and one of the two replaced by an access that orders.
void add_fences(std::vector<litmus_row>& rows) {
    const outcome_set ordered{"0,0", "0,1", "1,1"};
    const auto fenced = [](std::memory_order before, std::memory_order after) -> rc11::program {
        return {{{write(x, 1), fence(before), write(y, 1)}, {read(y), fence(after), read(x)}}};
    };
    rows.push_back(runs("MP, atomic data, release fence, acquire fence", fenced(release, acquire), ordered));
    rows.push_back(runs("MP, atomic data, acq_rel fences", fenced(acq_rel, acq_rel), ordered));
    rows.push_back(runs("MP, atomic data, seq_cst fences", fenced(seq_cst, seq_cst), ordered));
    rows.push_back(
        runs("MP, atomic data, acquire fence, release fence", fenced(acquire, release), {"0,0", "0,1", "1,0", "1,1"}));
    rows.push_back(runs("MP, atomic data, release fence, acquire load",
                        {{{write(x, 1), fence(release), write(y, 1)}, {read(y, acquire), read(x)}}}, ordered));
    rows.push_back(runs("MP, atomic data, release store, acquire fence",
                        {{{write(x, 1), write(y, 1, release)}, {read(y), fence(acquire), read(x)}}}, ordered));
    rows.push_back(runs("MP, atomic data, fences outside of the accesses",
                        {{{fence(release), write(x, 1), write(y, 1)}, {read(y), read(x), fence(acquire)}}},
                        {"0,0", "0,1", "1,0", "1,1"}));
}

}  // namespace

litmus_table message_passing() {
    litmus_table table{"Message passing",
                       "Plain data: the data seen, 0 when the flag was not. Atomic data: flag, data; 1,0 is the "
                       "outcome that release and "
                       "acquire forbid.",
                       "Herding Cats (MP); [intro.races], [atomics.order]/2.",
                       {}};
    add_loads<relaxed>(table.rows);
    add_loads<release>(table.rows);
    add_loads<seq_cst>(table.rows);
    add_fences(table.rows);
    return table;
}

}  // namespace ordeal::model_tests
