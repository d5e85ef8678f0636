// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/scenario/client_family.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ordeal::detail {

/// The calls of each thread.
using client_threads = std::vector<std::vector<client_call>>;

/// A set of calls of a client, by their number: that of the first call of the first thread is 0.
using call_set = std::uint32_t;
static_assert(most_client_calls <= 32);
[[nodiscard]] constexpr call_set only_call(std::size_t call) { return call_set{1} << call; }
[[nodiscard]] constexpr bool has_call(call_set calls, std::size_t call) { return (calls & only_call(call)) != 0; }

/// All that the sequential specification allows of a client: a labelled transition system. A state is the calls that
/// have been made and the state of the specification; a transition makes one call more, with the result that it has.
///
/// The search for an order of an execution's calls is that of Wing and Gong, "Testing and Verifying Concurrent
/// Objects", JPDC 1993, and visits no state twice, as Lowe, "Testing for linearizability", CCPE 2017. That real time is
/// happens-before: Golovin, Kokologiannakis, Vafeiadis, "Relinche", POPL 2025.
class sequential_behaviours {
public:
    /// Nothing if some order of the calls that keeps that of each thread ends with calls that wait for ever. `start` is
    /// made first.
    [[nodiscard]] static std::optional<sequential_behaviours> of(const client_family& family,
                                                                 const std::vector<client_call>& start,
                                                                 const client_threads& threads);

    /// What became of each call, and which others have to be made before it.
    struct constraint {
        client_result result;
        call_set before = 0;
    };
    /// Whether some order of the calls, one for each by number, has these results. Those that did not complete come
    /// last, in any order.
    ///
    /// `start`: what the calls of the start returned; pending where that is unknown, or for none if nothing is.
    [[nodiscard]] bool allow(std::span<const constraint> calls, std::span<const client_result> start = {}) const;
    /// Whether the calls of the start may return this.
    [[nodiscard]] bool allow_start(std::span<const client_result> start) const;

    /// How far the specification goes with these results.
    struct longest_order {
        std::vector<std::uint8_t> calls;  ///< made, by number
        /// What the specification has instead: calls that nothing orders after others that are left, with a result.
        std::vector<std::pair<std::uint8_t, client_result>> next;
    };
    [[nodiscard]] longest_order longest(std::span<const constraint> calls,
                                        std::span<const client_result> start = {}) const;

    /// Each combination of results that the calls have, by number, in some order in which none fails because it may;
    /// those that do not complete are pending. Nothing if there are more.
    [[nodiscard]] std::optional<std::vector<std::vector<client_result>>> results(std::size_t most) const;

    /// The calls of which some result is a number, and one more in the other, which has the same states.
    [[nodiscard]] call_set one_less_than(const sequential_behaviours& other) const;

    /// The first of these calls of a start, by number, that may wait: nobody would end that.
    [[nodiscard]] static std::optional<std::size_t> waiting_call(const client_family& family,
                                                                 const std::vector<client_call>& start);

private:
    class builder;
    class search;

    struct state {
        std::uint32_t first;  ///< transition
        std::uint32_t count;
        call_set made;
    };
    struct transition {
        std::uint8_t call;
        client_result result;
        std::uint32_t to;
        bool fails_as_it_may = false;  ///< where the specification has something else
    };

    /// A way in which the calls of the start may end.
    struct beginning {
        std::vector<client_result> results;
        std::uint32_t state = 0;
        bool fails_as_it_may = false;  ///< some call does
    };

    std::size_t calls_ = 0;
    std::vector<beginning> beginnings_;
    std::vector<state> states_;
    std::vector<transition> transitions_;
};

}  // namespace ordeal::detail
