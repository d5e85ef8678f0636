// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clients.hpp knows of the harness. No container crosses this interface: code on trial may be compiled with the
// debug mode of its library.
#pragma once

#include "ordeal/runtime/moment.hpp"
#include "ordeal/scenario/call_history.hpp"

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>

namespace ordeal {

/// Which orders of an execution's calls the specification has to allow one of.
enum class consistency : std::uint8_t {
    /// Those that keep happens-before: Herlihy and Wing, "Linearizability", TOPLAS 1990.
    linearizable,
    /// Those that keep the order of each thread: Lamport, "How to Make a Multiprocessor Computer That Correctly
    /// Executes Multiprocess Programs", IEEE TC 1979.
    sequential,
    /// Those that keep two calls apart where at some moment all calls so far had completed and no other had begun:
    /// Aspnes, Herlihy, Shavit, "Counting Networks", JACM 1994. Else calls of one thread come in any order.
    quiescent,
};

namespace detail {

class sequential_behaviours;

/// Ends the program with a message and exit code 2.
[[noreturn]] void refuse_clients(const char* family, const char* what);

}  // namespace detail

/// The parameter of an operation of a specification that may end in several ways, as pop() of a bag: choose(n) is one
/// of 0 to n - 1, and each of them is followed.
class choice {
public:
    choice() = default;
    choice(const choice&) = delete;
    choice& operator=(const choice&) = delete;

    /// At most most_choices times in a call.
    unsigned operator()(std::size_t alternatives) {
        if (alternatives == 0) detail::refuse_clients("a specification", "a choice of nothing");
        if (next_ == most_choices) detail::refuse_clients("a specification", "an operation makes too many choices");
        if (next_ == made_) decisions_[made_++] = {0, static_cast<unsigned>(alternatives)};
        return decisions_[next_++].taken;
    }

    static constexpr unsigned most_choices = 16;

private:
    friend class detail::sequential_behaviours;

    struct decision {
        unsigned taken = 0;
        unsigned alternatives = 0;
    };

    /// The next way, depth first; false: that was the last one.
    bool advance() noexcept {
        next_ = 0;
        while (made_ > 0 && decisions_[made_ - 1].taken + 1 >= decisions_[made_ - 1].alternatives) --made_;
        if (made_ == 0) return false;
        ++decisions_[made_ - 1].taken;
        return true;
    }

    decision decisions_[most_choices];
    unsigned made_ = 0;
    unsigned next_ = 0;
};

namespace detail {

inline constexpr std::size_t most_client_threads = 8;
inline constexpr std::size_t most_calls_of_thread = 10;
/// In all threads and the start.
inline constexpr std::size_t most_client_calls = 16;

/// An operation of the class, as it was declared. Names and arguments live as long as the program.
struct client_operation {
    const char* name = "";
    bool has_argument = false;  ///< each call gets one of `arguments`
    std::span<const int> arguments;
    bool fresh = false;            ///< each call gets a value of its own, numbered from 1
    bool completes_later = false;  ///< or never: the call itself does not wait for it
    bool may_fail = false;
    client_result::kind failure = client_result::kind::pending;  ///< what it returns then; pending: it cannot fail
    bool told_thread = false;                                    ///< which thread calls
    bool by_one_thread = false;
    bool by_owner = false;
    bool last = false;       ///< its thread makes no call after it
    unsigned at_most = ~0u;  ///< calls of a client, those of the start included
};

/// A state from which clients start: the operations that lead there from a new object.
struct client_start {
    const char* name = "";
    std::span<const char* const> operations;
};

struct client_size {
    unsigned threads = 0;
    unsigned calls = 0;  ///< of each thread, at most
};

struct client_call {
    std::uint8_t operation = 0;
    int argument = 0;  ///< or the number of the fresh value
};

/// The sequential specification: a state, and what operations do to it.
class client_specification {
public:
    client_specification() = default;
    client_specification(const client_specification&) = delete;
    client_specification& operator=(const client_specification&) = delete;
    virtual ~client_specification() = default;

    [[nodiscard]] virtual void* initial() const = 0;
    [[nodiscard]] virtual void* copy(const void* state) const = 0;
    virtual void destroy(void* state) const = 0;
    [[nodiscard]] virtual bool are_equal(const void* one, const void* other) const = 0;
    /// Whether any call may wait.
    [[nodiscard]] virtual bool may_wait() const = 0;
    /// Whether the call need not wait.
    [[nodiscard]] virtual bool is_enabled(const void* state, client_call call) const = 0;
    virtual client_result apply(void* state, client_call call, choice& choose) const = 0;
};

/// What holds of each execution's calls.
class client_requirement {
public:
    client_requirement() = default;
    client_requirement(const client_requirement&) = delete;
    client_requirement& operator=(const client_requirement&) = delete;
    virtual ~client_requirement() = default;

    [[nodiscard]] virtual const char* sentence() const = 0;
    [[nodiscard]] virtual bool holds(const call_history& calls) const = 0;
};

/// What a class declares about its clients.
struct client_family {
    const char* name = "";
    std::span<const client_operation> operations;
    std::span<const client_start> starts;  ///< besides a new object
    bool from_new = true;                  ///< whether a new object is a start as well
    std::span<const client_size> sizes;
    std::span<const char* const> clients;                 ///< of any size, besides: "2x1/push+pop"
    const client_specification* specification = nullptr;  ///< null: no order of the calls is asked for
    ordeal::consistency consistency = consistency::linearizable;
    std::span<const client_requirement* const> requirements;
    std::source_location where;  ///< of the declaration
};

/// A client: calls before the threads begin, and the calls of each thread. Lives as long as the program.
struct client_program {
    const char* name = "";  ///< of the scenario
    std::span<const char* const> thread_names;
    /// By thread: threads with the same number, from 1, make the same calls; 0: no other does.
    std::span<const int> same_calls;
    std::source_location where;  ///< of the declaration
    const void* own = nullptr;   ///< the harness's
};

// Functions of the harness: its memory is none of the code on trial.
[[nodiscard]] std::size_t starting_calls(const client_program& program) noexcept;
[[nodiscard]] client_call starting_call(const client_program& program, std::size_t number) noexcept;
[[nodiscard]] std::size_t calls_of_thread(const client_program& program, std::size_t thread) noexcept;
[[nodiscard]] client_call call_of_thread(const client_program& program, std::size_t thread,
                                         std::size_t number) noexcept;

/// What became of a call.
struct client_record {
    moment began;
    moment ended;
    client_result result{.what = client_result::kind::pending};
};

/// By thread and number of the call.
using client_history = client_record[most_client_threads][most_calls_of_thread];

/// Calls `add` for each client of the family of its sizes, and later for others that are asked for. What the family
/// points to, and the context, live as long as the program. A family that makes no sense ends the program with a
/// message and exit code 2, before main.
void make_clients(const client_family& family, void (*add)(void* context, const client_program& made), void* context);

/// Of the calls of the start, by number.
using client_start_history = client_record[most_client_calls];

/// A violation unless what the calls returned is what they return in some order that the specification allows, by the
/// consistency that is declared, and each requirement holds. Called when all threads have finished.
void require_explained(const client_program& program, const client_start_history& start, const client_history& history);

/// What the calls of the threads returned, in words: the outcome of an execution. Executions that differ by an exchange
/// of threads that make the same calls have the same. Empty without a specification.
[[nodiscard]] std::string outcome_of(const client_program& program, const client_history& history);

}  // namespace detail

}  // namespace ordeal
