// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"
#include "ordeal/symbols/stack_walk.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ordeal::detail {

/// A function on the call stack, with its frame.
struct running_function {
    std::uintptr_t address = 0;  ///< where it resumes
    std::uintptr_t stack = 0;    ///< its stack pointer
    std::uintptr_t frame = 0;    ///< its frame pointer
    std::uintptr_t end = 0;      ///< the stack pointer of its caller, at the call and after it
};

/// A heap block, from its allocation to its end.
struct logged_block {
    memory_range where;
    std::uint32_t begins = 0;  ///< steps
    std::uint32_t ends = 0;    ///< 0: never
    std::vector<std::uintptr_t> calls;
    std::uintptr_t second_word = 0;             ///< at its end; of a coroutine frame, the destroy function
    std::vector<std::uintptr_t> first_words{};  ///< as steps found it; of a polymorphic object, its virtual tables
};

/// A step and its call stack.
struct logged_step {
    std::uint32_t index = 0;
    int thread_id = 0;
    std::vector<std::uintptr_t> calls;  ///< where the functions on the call stack resume, innermost first
};

/// Records what is needed to find names after a traced run; otherwise it does nothing. Only addresses are recorded:
/// they are resolved for the few steps that are shown.
class naming_log {
public:
    /// The stacks of the threads, and the frames of suspended ones.
    class stacks {
    public:
        stacks() = default;
        stacks(const stacks&) = delete;
        stacks& operator=(const stacks&) = delete;
        virtual ~stacks() = default;
        [[nodiscard]] virtual std::optional<int> thread_with(std::uintptr_t address) const = 0;
        [[nodiscard]] virtual calling_function suspended_in(int thread_id) const = 0;
    };

    void begin(bool wanted);
    [[nodiscard]] bool on() const noexcept { return on_; }

    void allocated(memory_range block, std::uint32_t step);
    void freed(memory_range block, std::uint32_t step);
    /// A step of the running thread.
    void stepped(std::uint32_t step, int thread_id);
    /// `address`: of the bytes that the step accesses, or a value that may be an address. For one on a stack, the
    /// function that owns it is recorded; for one in a block, the block's first word.
    void note_address(std::uint32_t step, std::uintptr_t address, int running, const stacks& all);
    /// The running thread throws an exception.
    void threw(int thread_id);
    /// The violation of this step is an exception that nobody has caught: it has the call stack of the thread's latest
    /// throw, as its own is unwound.
    void escaped(std::uint32_t step, int thread_id);
    /// The violation of this step is what a signal has met: its call stack is that of this code.
    void interrupted(std::uint32_t step, int thread_id, const calling_function& code);
    /// The violation is about these bytes, and its message begins with these words for them.
    void failed(memory_range where, std::string_view words);

    [[nodiscard]] const std::vector<logged_block>& blocks() const noexcept { return blocks_; }
    [[nodiscard]] const logged_step* step(std::uint32_t index) const;
    [[nodiscard]] const running_function* function_at(std::uint32_t step, std::uintptr_t address) const;
    [[nodiscard]] std::optional<int> owner_of(std::uintptr_t address) const;

    struct failure {
        memory_range where;
        std::string words;
    };
    [[nodiscard]] const std::optional<failure>& failure_of() const noexcept { return failed_; }

private:
    void note_first_word(std::uintptr_t address);

    bool on_ = false;
    std::vector<logged_block> blocks_;
    std::vector<logged_step> steps_;
    std::map<std::pair<std::uint32_t, std::uintptr_t>, running_function> locals_;
    std::map<std::uintptr_t, int> owners_;
    std::map<int, std::vector<std::uintptr_t>> throws_;  ///< the latest of each thread
    std::optional<failure> failed_;
};

}  // namespace ordeal::detail
