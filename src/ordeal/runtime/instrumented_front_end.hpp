// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/runtime/state/virtual_time.hpp"
#include "ordeal/runtime/trace.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

class snapshot;

/// The initial state of a thread of code on trial.
struct thread_start {
    std::uintptr_t routine = 0;
    std::uintptr_t argument = 0;
};

/// Where an address is in the thread-local variables of the code on trial.
struct thread_variable_place {
    int thread = 0;
    /// The control block of a variable under -femulated-tls, whose symbol has its name; otherwise the initial values of
    /// the library's thread-local variables.
    std::uintptr_t described_at = 0;
    bool is_library = false;  ///< `described_at` is those
    std::size_t offset = 0;   ///< from the beginning of the variable, or of the library's
};

/// Prefix of words that name unchecked code of the trial, if the build does not allow that.
inline constexpr std::string_view not_checked = "NOT CHECKED: ";

enum class unchecked_kind : std::uint8_t {
    object,      ///< of a source that was not compiled for the trial
    assembler,   ///< a function with atomic operations that are instructions
    assertions,  ///< of a source: they are compiled out
    unlisted,    ///< a trial library without a list of its unchecked code
};

/// Code linked into a trial that is not checked.
struct unchecked_item {
    unchecked_kind kind = unchecked_kind::object;
    std::string name{};       ///< "lib.cpp", the function
    std::string container{};  ///< of an object: "libl.a"; empty if it is in no library
    std::string target{};     ///< its name in the build; empty if the build does not know it
    bool allowed = false;     ///< the build lists it as allowed
};

/// The interface that an engine requires of the front end for instrumented code. This base class serves programs
/// without such code. All calls are made on the one OS thread that searches.
class instrumented_front_end {
public:
    constexpr instrumented_front_end() = default;
    instrumented_front_end(const instrumented_front_end&) = delete;
    instrumented_front_end& operator=(const instrumented_front_end&) = delete;

    /// The site of a non-atomic access, a lock, a call; includes a frame outside the standard library if there is one.
    [[nodiscard]] virtual site_id site_of(const code_location& /*at*/) { return no_site; }
    /// "hits" for an address in a global of that name; empty if it is in none.
    [[nodiscard]] virtual std::string name_of(std::uintptr_t /*address*/) { return {}; }
    /// The functions on trial on the running thread's call stack, innermost first; truncated if very deep.
    [[nodiscard]] virtual std::vector<call_frame> call_stack() { return {}; }

    /// Before the first execution of a search: saves the globals.
    virtual void begin_search() {}
    /// After the last execution: restores what belongs to the process rather than to the code on trial.
    virtual void end_search() {}
    /// Before each execution: restores the globals as they were at begin_search().
    virtual void begin_execution() {}
    /// After each execution, wherever it ended: undoes what it did outside this process.
    virtual void end_execution() {}
    /// Saves and restores everything that begin_execution() resets.
    virtual void save(snapshot& /*to*/) {}
    virtual void restore(snapshot& /*from*/) {}
    /// Before any code on trial, on the fiber of construction and finish(): refuses a state that no execution could
    /// begin with.
    virtual void begin_construction() {}
    /// Runs exit handlers: after the last thread and finish(), on their fiber; of a program, which has no finish(), at
    /// the end of its main thread, on its fiber.
    virtual void finish_execution() {}
    /// Runs a thread of the scenario, which may exit before it returns. `is_main`: of a program; its exit waits for all
    /// others.
    virtual void run_thread(void (*run)(void* object, int thread), void* object, int thread, bool /*is_main*/) {
        run(object, thread);
    }
    /// When a thread of the model ends, on its fiber.
    virtual void finish_thread() {}

    /// Globals and thread-local variables that may have changed since the beginning of the search.
    [[nodiscard]] virtual std::vector<memory_range> written_globals() { return {}; }
    /// A hash of all globals and thread-local variables, as they are now.
    [[nodiscard]] virtual std::uint64_t fingerprint() { return 0; }
    /// Whether some of those may hold a point in time, see virtual_time.
    [[nodiscard]] virtual bool holds_time() { return false; }
    /// Whether `fingerprint` covers this address.
    [[nodiscard]] virtual bool is_fingerprinted(std::uintptr_t /*address*/) { return false; }
    /// The thread-local variables of the code on trial; they end with their threads.
    [[nodiscard]] virtual memory_of_threads thread_variables() { return {}; }
    /// The one at this address.
    [[nodiscard]] virtual std::optional<thread_variable_place> thread_variable_at(std::uintptr_t /*address*/) {
        return {};
    }

    /// The running thread's clock; set_clock() undoes an advance.
    [[nodiscard]] virtual virtual_clock clock() { return {}; }
    virtual void set_clock(const virtual_clock& /*before*/) {}

    /// The initial state of a thread that code on trial creates by instrumented_runtime::create_thread() with this
    /// argument.
    [[nodiscard]] virtual thread_start start_of(const void* /*argument*/) { return {}; }
    /// A hash of what a thread, by its number, passes on to threads that it creates: its signal mask.
    [[nodiscard]] virtual std::uint64_t inherited_from(int /*thread*/) { return 0; }
    /// A hash of the clock of a thread, by its number: other than 0 once it has slept or a wait has timed out.
    [[nodiscard]] virtual std::uint64_t time_of(int /*thread*/) { return 0; }
    /// Whether the thread that joins, or has joined, this one asks for its result.
    [[nodiscard]] virtual bool is_result_requested(int /*thread*/) { return false; }

    /// On an invalid access, in a signal handler: whether it was the first write to a page of globals and can be
    /// retried.
    [[nodiscard]] virtual bool handle_fault(std::uintptr_t /*address*/) { return false; }
    /// Whether an address is in the globals of a library or of the harness, such as std::cout. Accesses to them are not
    /// on trial.
    [[nodiscard]] virtual bool is_foreign_global(std::uintptr_t /*address*/) { return false; }
    /// The code on trial is about to write these bytes, which are beyond memory_on_trial: what it writes to globals of
    /// a library is restored before the next execution.
    virtual void note_global_write(memory_range /*where*/) {}
    /// Whether an address is in memory that is neither on trial nor in a module: a library allocated it.
    [[nodiscard]] virtual bool is_unknown_memory(std::uintptr_t /*address*/) { return false; }
    /// Whether an address is in the frame of a function on the call stack that is not compiled for the trial, so that
    /// no scope of its variables is announced.
    [[nodiscard]] virtual bool is_in_unchecked_frame(std::uintptr_t /*address*/, const code_location& /*at*/) {
        return false;
    }

    [[nodiscard]] virtual std::vector<unchecked_item> unchecked() { return {}; }
    /// The environment variables that code on trial has read, in all processes of the search: sorted.
    [[nodiscard]] virtual std::vector<std::string> environment_reads() { return {}; }
    /// Limits of every search with these trials, whatever the verdict.
    [[nodiscard]] virtual std::vector<std::string> limits() { return {}; }

protected:
    ~instrumented_front_end() = default;
};

/// Heap, stacks, static memory and thread storage are here, and nothing placed by the loader.
inline constexpr memory_range memory_on_trial{0x2000'0000'0000, 0x0400'0000'0000};
[[nodiscard]] constexpr bool is_memory_on_trial(std::uintptr_t address) noexcept {
    return address - memory_on_trial.address < memory_on_trial.size;
}

struct no_front_end final : instrumented_front_end {};
inline constinit no_front_end no_instrumented_code;
inline constinit instrumented_front_end* front_end = &no_instrumented_code;

/// The front end of this program; installed before main if one is linked in.
[[nodiscard]] inline instrumented_front_end& instrumented() noexcept { return *detail::front_end; }

/// The duration of one search, in which writes to globals come to handle_fault(). Does nothing for a scenario without
/// instrumented code.
class instrumented_search_scope {
public:
    explicit instrumented_search_scope(bool of_instrumented) : of_instrumented_(of_instrumented) {
        if (of_instrumented_) instrumented().begin_search();
    }
    ~instrumented_search_scope() {
        if (of_instrumented_) instrumented().end_search();
    }
    instrumented_search_scope(const instrumented_search_scope&) = delete;
    instrumented_search_scope& operator=(const instrumented_search_scope&) = delete;

private:
    bool of_instrumented_;
};

}  // namespace ordeal::detail
