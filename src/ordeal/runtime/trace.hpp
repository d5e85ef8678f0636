// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/order.hpp"
#include "ordeal/runtime/runtime.hpp"
#include "ordeal/runtime/site.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// A call on the stack: the calling function and the line of the call.
struct call_frame {
    std::string function;
    std::string file;
    std::uint32_t line = 0;  ///< of the call

    bool operator==(const call_frame&) const = default;
};

/// How a step accesses the bytes that it is about.
enum class step_access : std::uint8_t {
    none,
    read,
    write,  ///< also the beginning and end of an object's lifetime, and a read-modify-write
};

[[nodiscard]] std::string_view to_string(step_access value) noexcept;  ///< "none", "read", "write"
[[nodiscard]] std::optional<step_access> parse_step_access(std::string_view text) noexcept;

/// What kind of operation a step is, as far as an explanation of the execution asks.
enum class step_kind : std::uint8_t {
    other,
    load,
    compare_exchange,
    lock,
    try_lock,
    unlock,
    wait,    ///< on a condition variable
    blocks,  ///< on an atomic
    notify,
    arrive,
    create_thread,
    construct,
    destroy,
    allocate,
    free,
    end_of_scope,
    suspend,  ///< of a coroutine
    resume,   ///< likewise
    violation,
    stuck,  ///< stands for a thread that never goes on
};

/// Told from the words of an operation, which nobody else interprets.
[[nodiscard]] step_kind kind_of_operation(std::string_view operation) noexcept;
/// Whether the operation is one of a library's own: "load in std::latch::wait".
[[nodiscard]] bool is_within_library(std::string_view operation) noexcept;

/// What a thread waits for that never goes on.
enum class awaited : std::uint8_t { other, notification, release, arrivals, end_of_thread };

/// One step of an execution, as data from which text, HTML and JSON are made.
struct trace_step {
    std::uint32_t index = 0;    ///< number of the step in the run; with gaps, and several may share one
    int thread = -1;            ///< -1: construction, finish, destruction
    std::string operation;      ///< "exchange", "read", "free", "blocked", ...
    site where;                 ///< code location; `where.key.line` 0 if there is none
    std::string object;         ///< "atomic 2", "cell 5": the n-th of its kind in this execution; or words for bytes
    std::string name;           ///< of the object in the source: "event.state_"; empty if unknown
    std::string type;           ///< of the object in the source: "std::atomic<void *>"; empty if unknown
    std::uint64_t address = 0;  ///< of the bytes accessed; the same in each run of one build
    std::uint64_t size = 0;     ///< of the bytes accessed; 0: none
    step_access access = step_access::none;
    std::optional<order> using_order;  ///< in force, after overrides
    bool overridden = false;
    std::optional<order> event_order;            ///< the same; but an atomic operation within a library has one, too
    std::optional<std::uint64_t> before;         ///< value read; of a 16-byte atomic the first 8 bytes
    std::optional<std::uint64_t> after;          ///< value written; likewise
    std::optional<std::uint64_t> second_before;  ///< the other 8 bytes
    std::optional<std::uint64_t> second_after;
    std::string before_name;                  ///< `before` as the source has it: an enumerator, "&waiter#2"
    std::string after_name;                   ///< `after`, likewise
    std::optional<std::uint32_t> coherence;   ///< of a write to an atomic: its position in coherence order, from 1
    std::optional<std::uint32_t> reads_from;  ///< `index` of the step that wrote the value read
    std::optional<std::uint32_t> woken_by;    ///< of a wait that ends: `index` of the notification that ended it
    bool stale = false;                       ///< a newer value existed
    std::vector<std::uint64_t> clock;         ///< happens-before clock of the thread after the step
    std::vector<call_frame> calls;            ///< the call stack, innermost first; instrumented code only
    std::string note;                         ///< "fails", "spuriously", the violation itself

    /// The `operation` of the step that violates a requirement, and of one that stands for a thread that is stuck.
    static constexpr const char* violation_words = "violation";
    static constexpr const char* stuck_words = "never goes on";
    /// The `note` of an operation that fails begins with this.
    static constexpr std::string_view failure_words = "fails";
    /// The `note` of the last suspension of a coroutine without a policy, if nothing resumes it.
    static constexpr std::string_view never_resumed_words = "never resumed";
    [[nodiscard]] static constexpr std::string_view failure_note(bool spuriously) noexcept {
        return spuriously ? "fails spuriously" : failure_words;
    }

    [[nodiscard]] step_kind kind() const noexcept { return kind_of_operation(operation); }
    [[nodiscard]] bool is_violation() const noexcept { return kind() == step_kind::violation; }
    [[nodiscard]] bool is_stuck() const noexcept { return kind() == step_kind::stuck; }
    [[nodiscard]] bool ends_life() const noexcept;
    [[nodiscard]] bool is_about(object_kind which) const noexcept;
    [[nodiscard]] awaited waits_for() const noexcept;
    [[nodiscard]] bool failed() const noexcept { return note.starts_with(failure_words); }

    /// Set the values, given as words of the runtime; `size` must be set.
    void set_before(std::uint64_t word);
    void set_after(std::uint64_t word);
};

using trace = std::vector<trace_step>;

}  // namespace ordeal::detail
