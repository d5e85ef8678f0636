// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/exhibits/chase_lev_deque.hpp"

#include "ordeal/scenario/scenario.hpp"

#include <string>

namespace ordeal::exhibits {

namespace {

/// What became of the elements 1, 2, ..., each of which must have been taken once.
template <int Elements>
class taken_elements {
public:
    void note(int value) {
        if (value > 0) ++times_.at(static_cast<std::size_t>(value - 1));
    }
    /// The deque is empty.
    void require_each_once() const {
        for (const int times : times_) {
            require(times != 0, "no element is lost");
            require(times == 1, "no element is taken twice");
        }
    }

private:
    std::array<int, Elements> times_{};
};

std::string name_of(int taken) { return taken > 0 ? std::to_string(taken) : taken == 0 ? "nothing" : "lost"; }

template <class Deque, int Elements>
struct deque_scenario {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "chase_lev_deque";
    static constexpr auto expected = held;

    Deque deque;
    int by_owner = 0;
    std::array<int, 2> by_thieves{};

    void finish() { require_each_once(0); }
    /// `kept`: one that could not be pushed, or 0.
    void require_each_once(int kept) {
        taken_elements<Elements> all;
        all.note(kept);
        all.note(by_owner);
        for (const int each : by_thieves) all.note(each);
        for (int rest = deque.take(); rest != Deque::nothing; rest = deque.take()) all.note(rest);
        all.require_each_once();
    }
    [[nodiscard]] std::string outcome() const {
        return "owner: " + name_of(by_owner) + ", thief: " + name_of(by_thieves[0]);
    }
};

template <atomic_policy P>
struct chase_lev_last_element : deque_scenario<chase_lev_deque<P, 2>, 1> {
    static constexpr auto about = "The owner takes the last element while a thief steals it: one of them has it.";
    static constexpr auto threads = std::array{"owner", "thief"};

    void run(int thread) {
        if (thread == 0) {
            require(this->deque.push(1));
            this->by_owner = this->deque.take();
        } else {
            this->by_thieves[0] = this->deque.steal();
        }
    }
};

ORDEAL_SCENARIO("exhibit/chase_lev_deque/last_element", chase_lev_last_element);

template <atomic_policy P, bool FenceInTake = true>
struct two_elements : deque_scenario<chase_lev_deque<P, 2, FenceInTake>, 2> {
    static constexpr auto about =
        "The owner pushes two elements and takes one, a thief steals twice: each is taken once.";
    static constexpr auto threads = std::array{"owner", "thief"};

    void run(int thread) {
        if (thread == 0) {
            require(this->deque.push(1));
            require(this->deque.push(2));
            this->by_owner = this->deque.take();
        } else {
            for (int& each : this->by_thieves) each = this->deque.steal();
            require(this->by_thieves[0] != 2, "a thief has the oldest element");
        }
    }
    [[nodiscard]] std::string outcome() const {
        return deque_scenario<chase_lev_deque<P, 2, FenceInTake>, 2>::outcome() + ", " + name_of(this->by_thieves[1]);
    }
};

template <atomic_policy P>
struct chase_lev_two_elements : two_elements<P> {};

ORDEAL_SCENARIO("exhibit/chase_lev_deque/two_elements", chase_lev_two_elements);

template <atomic_policy P>
struct chase_lev_full : deque_scenario<chase_lev_deque<P, 1>, 2> {
    static constexpr auto about = "The owner pushes into the place of an element that a thief steals.";
    static constexpr auto threads = std::array{"owner", "thief"};
    bool pushed = false;

    void run(int thread) {
        if (thread == 0) {
            require(this->deque.push(1));
            pushed = this->deque.push(2);
        } else {
            this->by_thieves[0] = this->deque.steal();
        }
    }
    void finish() { this->require_each_once(pushed ? 0 : 2); }
    [[nodiscard]] std::string outcome() const {
        return std::string(pushed ? "pushed" : "full") + ", thief: " + name_of(this->by_thieves[0]);
    }
};

ORDEAL_SCENARIO("exhibit/chase_lev_deque/full", chase_lev_full);

template <atomic_policy P>
struct chase_lev_two_thieves : deque_scenario<chase_lev_deque<P, 2>, 1> {
    static constexpr auto about =
        "The owner takes the last element while two thieves steal it: one of the three has it.";
    static constexpr auto threads = std::array{"owner", "thief", "thief"};
    static constexpr auto interchangeable = std::array{1, 2};

    void run(int thread) {
        if (thread == 0) {
            require(this->deque.push(1));
            this->by_owner = this->deque.take();
        } else {
            this->by_thieves[static_cast<std::size_t>(thread - 1)] = this->deque.steal();
        }
    }
    [[nodiscard]] std::string outcome() const { return this->by_owner == 0 ? "a thief" : "the owner"; }
};

ORDEAL_SCENARIO("exhibit/chase_lev_deque/two_thieves", chase_lev_two_thieves);

template <atomic_policy P>
struct take_without_fence : two_elements<P, false> {
    static constexpr auto subject = "bug_take_without_fence";
    static constexpr auto about =
        "The owner of a deque may look at top before thieves see that it takes: both have an element.";
    static constexpr auto expected = violated(violation_kind::failed_requirement);
};

ORDEAL_SCENARIO("exhibit/bug_take_without_fence/two_elements", take_without_fence);

}  // namespace

}  // namespace ordeal::exhibits
