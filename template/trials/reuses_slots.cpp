// Two items through one slot: the producer may write the second one only after the consumer has read the first.
#include "bounded_queue.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <string>

namespace {

struct reuses_slots {
    static constexpr auto about = "Has the consumer read a slot before the producer writes it again?";
    static constexpr auto threads = std::array{"producer", "consumer"};

    bounded_queue<int, 1> queue;
    int popped = 0;  // the consumer's, until the threads have ended

    void run(int thread) {
        for (int attempt = 1; attempt <= 2; ++attempt) {
            if (thread == 0) {
                queue.try_push(attempt);
            } else if (int item = 0; queue.try_pop(item)) {
                popped = popped * 10 + item;
            }
        }
    }

    // After all threads have ended.
    void finish() {
        ordeal::require(popped == 0 || popped == 1 || popped == 12,
                        "items come in the order in which they were pushed");
    }

    // What an execution ended with: `trials check --outcomes` lists them, each with an example.
    [[nodiscard]] std::string outcome() const { return "popped " + std::to_string(popped); }
};

ORDEAL_SCENARIO("bounded_queue/reuses_slots", reuses_slots);

}  // namespace
