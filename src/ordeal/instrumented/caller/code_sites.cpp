// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/caller/code_sites.hpp"

#include "ordeal/instrumented/caller/library_files.hpp"
#include "ordeal/instrumented/caller/runtime_on_trial.hpp"
#include "ordeal/instrumented/caller/site_cache.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/standard_headers.hpp"
#include "ordeal/symbols/stack_walk.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>

namespace ordeal::detail {

namespace {

// Deeper recursion inside the library is not attributed to a user.
constexpr int longest_way_to_user = 128;

// The innermost frames of a recursion suffice, as each step of a trace has its own.
constexpr int most_user_frames = 24;
constexpr int most_frames = 1024;

// Unwinds from an operation to the user's code.
class user_search {
public:
    explicit user_search(role what) : what_(what) {}

    // Returns whether the user's code was found.
    bool pass(std::uintptr_t return_address) {
        if (!is_trial_code(return_address)) {
            own_operation_ = false;
            return false;
        }
        for (const source_frame& each : source_frames_at(return_address - 1)) {
            if (!each.file.empty() && !is_library_file(each.file)) {
                user_ = &each;
                return true;
            }
            pass_library(each);
        }
        return false;
    }

    [[nodiscard]] site result(bool atomic, const char* operation, order declared) const {
        const bool own = atomic && own_operation_ && user_ != nullptr && user_->line != 0;
        const source_frame nowhere;
        const source_frame& place = user_ != nullptr ? *user_ : library_ != nullptr ? *library_ : nowhere;
        site found{.key = {place.file, place.line, place.column, what_},
                   .atomic = own,
                   .function = place.function,
                   .operation = operation,
                   .declared = declared,
                   .of_library = of_library_};
        if (atomic && !part_.empty()) found.operation += " in " + part_;
        return found;
    }

private:
    void pass_library(const source_frame& each) {
        const bool own = !each.file.empty() && is_atomic_type(each.file, what_);
        if (library_ == nullptr || (own_operation_ && !own)) library_ = &each;
        if (!own && part_.empty()) part_ = library_part(each.file);
        own_operation_ &= own;
        of_library_ |= !each.file.empty() && !is_for_synchronisation(each.file, what_);
    }

    role what_;
    bool own_operation_ = true;  // only atomic types so far
    bool of_library_ = false;
    std::string part_;  // of the library; empty while there were only atomic types
    const source_frame* library_ = nullptr;
    const source_frame* user_ = nullptr;
};

// Hides the harness's activity from the code on trial.
struct unnoticed {
    harness_scope harness;
    int error = errno;

    ~unnoticed() { errno = error; }
};

constinit site_cache known_sites;

[[gnu::noinline, gnu::cold]] site_id look_up(const code_location& at, bool atomic, role what, order declared) {
    const unnoticed guard{};
    user_search search(what);
    std::uint64_t context = site_cache::first(at.operation, atomic, what, declared);
    calling_function function = caller_at(at);
    for (int steps = 0;; ++steps) {
        const bool ends = function.address == 0 || search.pass(function.address) || steps == longest_way_to_user;
        if (ends) {
            const site_id id = sites().add(search.result(atomic, at.operation, declared));
            known_sites.add_end(context, function.address, id);
            return id;
        }
        const unwind_rule rule = rule_for(function.address);
        context = known_sites.add_step(context, function.address, rule);
        function = caller_of(function, rule);
    }
}

inline site_id site_at(const code_location& at, bool atomic, role what, order declared) {
    const site_id id = known_sites.find(at, site_cache::first(at.operation, atomic, what, declared));
    return id != no_site ? id : look_up(at, atomic, what, declared);
}

// What clang puts between a coroutine and the await_suspend() of an awaiter.
bool is_of_compiler(std::string_view function) {
    return function.find(".__await_suspend_wrapper__") != std::string_view::npos;
}

// Calls `goes_on` with at most so many functions on the call stack, innermost first, until it returns false.
template <class Condition>
void walk_stack(const code_location& at, int most, Condition goes_on) {
    calling_function function = caller_at(at);
    for (int steps = 0; function.address != 0 && steps < most && goes_on(function); ++steps)
        function = caller_of(function, rule_for(function.address));
}

// Calls `each` with all functions on trial on the call stack, innermost first.
template <class Function>
void for_each_user_frame(const code_location& at, Function each) {
    int of_user = 0;
    walk_stack(at, most_frames, [&](const calling_function& function) {
        if (!is_trial_code(function.address)) return true;
        for (const source_frame& frame : source_frames_at(function.address - 1)) {
            if (frame.file.empty() || is_library_file(frame.file) || is_of_compiler(frame.function)) continue;
            each(frame);
            ++of_user;
        }
        return of_user < most_user_frames;
    });
}

// The harness's own header functions that run a scenario are instrumented with it, and explain nothing.
bool runs_scenarios(const std::string& file) {
    constexpr std::array headers{"ordeal/scenario/scenario.hpp", "ordeal/scenario/scenario_builder.hpp",
                                 "ordeal/scenario/clients.hpp"};
    return std::ranges::any_of(headers, [&](const char* header) { return file.ends_with(header); });
}

// Whether the condition holds for a frame of the trial that this is in, or that called it: up to the first that is no
// library's. `otherwise`: for a function without debug information.
template <class Condition>
bool some_frame_to_user(const code_location& at, bool otherwise, Condition holds) {
    const unnoticed guard{};
    bool found = false;
    walk_stack(at, longest_way_to_user, [&](const calling_function& function) {
        if (!is_trial_code(function.address)) return true;
        found = otherwise && is_without_debug_info(function.address - 1);
        if (found) return false;
        for (const source_frame& each : source_frames_at(function.address - 1)) {
            found = holds(each);
            if (found || !is_library_file(each.file)) return false;
        }
        return true;
    });
    return found;
}

}  // namespace

site_id atomic_code_site(const code_location& at, role what, order declared) {
    return site_at(at, true, what, declared);
}

site_id plain_code_site(const code_location& at) { return site_at(at, false, role::load, order::relaxed); }

bool is_library_code(std::uintptr_t address) {
    const unnoticed guard{};
    return is_library_file(source_frames_at(address - 1).front().file);
}

bool is_called_by_library_function(const code_location& at, std::string_view name) {
    return some_frame_to_user(
        at, false, [&](const source_frame& each) { return is_library_file(each.file) && each.function == name; });
}

bool is_called_by_framework(const code_location& at) {
    return some_frame_to_user(at, true, [](const source_frame& each) { return is_test_framework(each.file); });
}

bool is_in_unchecked_frame(std::uintptr_t address, const code_location& at) {
    const unnoticed guard{};
    std::uintptr_t callee = 0;  // its frame ends where that of its caller begins
    bool is_in_its_frame = false;
    walk_stack(at, most_frames, [&](const calling_function& function) {
        is_in_its_frame = address < function.stack;
        if (!is_in_its_frame) callee = function.address;
        return !is_in_its_frame;
    });
    return is_in_its_frame && callee != 0 && (!is_trial_code(callee) || is_without_debug_info(callee - 1));
}

std::vector<source_frame> call_stack(const code_location& at) {
    const unnoticed guard{};
    std::vector<source_frame> result;
    for_each_user_frame(at, [&](const source_frame& frame) { result.push_back(frame); });
    return result;
}

// Called from anywhere in the engine on the stack of the thread.
[[gnu::noinline]] std::vector<call_frame> running_functions() {
    const unnoticed guard{};
    std::vector<call_frame> result;
    for_each_user_frame(code_location_here(""), [&](const source_frame& frame) {
        if (runs_scenarios(frame.file)) return;
        result.push_back({frame.function, frame.file, frame.line});
    });
    return result;
}

std::string name_of_global(std::uintptr_t address) {
    const unnoticed guard{};
    const auto found = global_at(address);
    if (!found) return "";
    return found->offset == 0 ? found->name : found->name + "+" + std::to_string(found->offset);
}

}  // namespace ordeal::detail
