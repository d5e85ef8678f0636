// The smallest trial of a queue: one item goes through it.
//
// A scenario is a class. Each execution makes a new object of it and calls run(0) on the first thread and run(1) on the
// second. ordeal goes through every order in which their operations may happen, and every value that the C++ memory model
// lets a load return.
#include "bounded_queue.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>

namespace {

struct hands_over {
    static constexpr auto about = "Does the consumer see what the producer wrote into the slot?";
    static constexpr auto threads = std::array{"producer", "consumer"};

    bounded_queue<int, 2> queue;

    void run(int thread) {
        if (thread == 0) {
            queue.try_push(42);
        } else {
            int item = 0;
            if (queue.try_pop(item)) ordeal::require(item == 42, "the item is the one that was pushed");
        }
    }
};

// Subject and name: the audit takes bounded_queue.hpp as the code on trial.
ORDEAL_SCENARIO("bounded_queue/hands_over", hands_over);

}  // namespace
