// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/runtime/state/virtual_time.hpp"
#include "ordeal/runtime/trace.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal {

class snapshot;

/// What a thread of code on trial begins with.
struct thread_start {
    std::uintptr_t routine = 0;
    std::uintptr_t argument = 0;
};

/// How words begin that name code of the trial which nobody looked at, though the build does not allow that.
inline constexpr std::string_view not_checked = "NOT CHECKED: ";

enum class unchecked_kind : std::uint8_t {
    object,      ///< of a source that was not compiled for the trial
    assembler,   ///< a function with atomic operations that are instructions
    assertions,  ///< of a source: they are compiled out
    unlisted,    ///< a trial library without a list of what nobody sees
};

/// Code that was linked into a trial and that nobody sees.
struct unchecked_item {
    unchecked_kind kind = unchecked_kind::object;
    std::string name{};       ///< "lib.cpp", the function
    std::string container{};  ///< of an object: "libl.a"; empty where it is in no library
    std::string target{};     ///< what the build calls that; empty where it does not know it
    bool allowed = false;     ///< the build names it
};

/// What an engine asks of the front end that instrumented code calls. As it stands here it answers for a program that has no
/// such code. All calls are made on the one thread of the system that searches.
class instrumented_front_end {
public:
    constexpr instrumented_front_end() = default;
    instrumented_front_end(const instrumented_front_end&) = delete;
    instrumented_front_end& operator=(const instrumented_front_end&) = delete;

    /// The site of a plain access, a lock, a call; with a frame outside the standard library where there is one.
    [[nodiscard]] virtual site_id site_of(const code_location& /*at*/) { return no_site; }
    /// "hits" for an address in a global of that name; empty when it is in none.
    [[nodiscard]] virtual std::string name_of(std::uintptr_t /*address*/) { return {}; }
    /// The functions on trial that the running thread has called, innermost first; of very many the innermost.
    [[nodiscard]] virtual std::vector<call_frame> call_stack() { return {}; }

    /// Before the first execution of a search: globals are from now on as they are.
    virtual void begin_search() {}
    /// After the last one: what is the process's own, and not of the code on trial, is as it was then.
    virtual void end_search() {}
    /// Before each execution: globals as they were then.
    virtual void begin_execution() {}
    /// All that begin_execution() sets, as it is now; and it is put back.
    virtual void save(snapshot& /*to*/) {}
    virtual void restore(snapshot& /*from*/) {}
    /// Before anything on trial, on the fiber of construction and finish: refuses what no execution could begin with.
    virtual void begin_construction() {}
    /// What runs at exit: after the last thread and finish(), on the fiber of those; of a program, which has no finish(),
    /// at the end of its main thread, on that.
    virtual void finish_execution() {}
    /// When a thread of the model is over, on its fiber.
    virtual void finish_thread() {}

    /// Where globals and thread-local variables may hold other values than at the beginning of the search.
    [[nodiscard]] virtual std::vector<memory_range> written_globals() { return {}; }
    /// A hash of all globals and thread-local variables, as they are now.
    [[nodiscard]] virtual std::uint64_t fingerprint() { return 0; }
    /// Whether some of those may hold a point in time, see virtual_time.
    [[nodiscard]] virtual bool holds_time() { return false; }
    /// Whether a change to this address is seen by `fingerprint`.
    [[nodiscard]] virtual bool is_fingerprinted(std::uintptr_t /*address*/) { return false; }
    /// The thread-local variables of the code on trial; they end with their threads.
    [[nodiscard]] virtual memory_of_threads thread_variables() { return {}; }

    /// The running thread's; and it is set back when what made time pass turns out not to have been.
    [[nodiscard]] virtual virtual_clock clock() { return {}; }
    virtual void set_clock(const virtual_clock& /*before*/) {}

    /// What the thread begins with that code on trial creates by instrumented_runtime::create_thread() with this argument.
    [[nodiscard]] virtual thread_start start_of(const void* /*argument*/) { return {}; }
    /// A hash of what a thread, by its number, hands on to one that it creates: the signals that it blocks.
    [[nodiscard]] virtual std::uint64_t inherited_from(int /*thread*/) { return 0; }
    /// A hash of what time is for a thread, by its number: other than 0 once it has slept, or waited to a limit.
    [[nodiscard]] virtual std::uint64_t time_of(int /*thread*/) { return 0; }
    /// Whether whoever joins that thread, or has joined it, asks for what it returned.
    [[nodiscard]] virtual bool is_result_requested(int /*thread*/) { return false; }

    /// An invalid access: whether it was the first write to a page of globals, and may be made again. In a signal handler.
    [[nodiscard]] virtual bool handle_fault(std::uintptr_t /*address*/) { return false; }
    /// Whether an address is in the globals of a library, or of the harness: std::cout, say. What is done to those is not
    /// on trial.
    [[nodiscard]] virtual bool is_foreign_global(std::uintptr_t /*address*/) { return false; }
    /// Whether an address is in memory that is neither on trial nor in a module: some library allocated it.
    [[nodiscard]] virtual bool is_unknown_memory(std::uintptr_t /*address*/) { return false; }

    [[nodiscard]] virtual std::vector<unchecked_item> unchecked() { return {}; }
    /// The variables of the environment that code on trial has asked for, in all processes of the search: sorted.
    [[nodiscard]] virtual std::vector<std::string> environment_reads() { return {}; }
    /// Limits of every search with these trials, whatever it comes to.
    [[nodiscard]] virtual std::vector<std::string> limits() { return {}; }

protected:
    ~instrumented_front_end() = default;
};

namespace detail {

struct no_front_end final : instrumented_front_end {};
inline constinit no_front_end no_instrumented_code;
inline constinit instrumented_front_end* front_end = &no_instrumented_code;

}  // namespace detail

/// The front end of this program; installed before main where one is linked in.
[[nodiscard]] inline instrumented_front_end& instrumented() noexcept { return *detail::front_end; }

/// One search: of a scenario without such code it does nothing. Meanwhile writes to globals come to handle_fault().
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

}  // namespace ordeal
