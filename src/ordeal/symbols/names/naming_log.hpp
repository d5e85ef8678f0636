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

namespace ordeal {

/// A function that was running, with what it has on the stack.
struct running_function {
    std::uintptr_t address = 0;  ///< where it goes on
    std::uintptr_t stack = 0;    ///< its stack pointer
    std::uintptr_t frame = 0;    ///< its frame pointer
    std::uintptr_t end = 0;      ///< the stack pointer of its caller, at the call and after it
};

/// A block of the heap, from its allocation to its end.
struct logged_block {
    memory_range where;
    std::uint32_t begins = 0;  ///< steps
    std::uint32_t ends = 0;    ///< 0: never
    std::vector<std::uintptr_t> calls;
    std::uintptr_t second_word = 0;  ///< at its end; of a coroutine frame, the function that destroys it
};

struct logged_step {
    std::uint32_t index = 0;
    int thread_id = 0;
    std::vector<std::uintptr_t> calls;  ///< where the functions that were running go on, innermost first
};

/// What a traced run keeps for those who look for names when it is over; otherwise it does nothing. Kept are addresses
/// alone: what they mean is found out for the few steps that are shown.
class naming_log {
public:
    /// Where each thread's stack lies, and where the functions of one that does not run have theirs.
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
    /// A step of the running thread. `about`: the bytes that it is about, or a value of it that may be an address; on a stack, the function is
    /// noted that has it.
    void stepped(std::uint32_t step, int thread_id);
    void note_address(std::uint32_t step, std::uintptr_t address, int running, const stacks& all);
    /// The violation is about these bytes, and begins with these words for them.
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
    bool on_ = false;
    std::vector<logged_block> blocks_;
    std::vector<logged_step> steps_;
    std::map<std::pair<std::uint32_t, std::uintptr_t>, running_function> locals_;
    std::map<std::uintptr_t, int> owners_;
    std::optional<failure> failed_;
};

}  // namespace ordeal
