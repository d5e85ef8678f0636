// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/litmus.hpp"

namespace ordeal::model_tests {

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

}  // namespace

litmus_table message_passing() {
    litmus_table table{
        "Message passing", "Plain data: the data seen, 0 when the flag was not. Atomic data: flag, data.", {}};
    add_loads<relaxed>(table.rows);
    add_loads<release>(table.rows);
    add_loads<seq_cst>(table.rows);
    return table;
}

}  // namespace ordeal::model_tests
