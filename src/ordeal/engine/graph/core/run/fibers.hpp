// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/view.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/runtime/snapshot.hpp"
#include "ordeal/runtime/state/floating_point.hpp"
#include "ordeal/symbols/names/naming_log.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ordeal::detail::graph {

/// The stacks of the threads of an execution, and switching between them. A fiber that is never resumed is abandoned:
/// nothing is unwound. Stacks are at fixed addresses, each above a guard page.
class fibers final : public naming_log::stacks {
public:
    using body = void (*)(void* context, int thread_id);

    fibers();
    ~fibers() override;
    fibers(const fibers&) = delete;
    fibers& operator=(const fibers&) = delete;

    /// The next resume(thread_id) calls `what`, which must end with a last suspend() instead of returning. `floating`:
    /// its initial floating-point environment, independent of the harness's.
    void start(int thread_id, body what, void* context, const floating_point& floating = {});
    /// Runs the fiber until it suspends. Called from outside all fibers.
    void resume(int thread_id);
    /// Returns to the caller of resume(); also from a signal handler on another stack.
    void suspend();

    /// Clears what a fiber that will be started anew left in the part of its stack that is normally used.
    void clear(int thread_id) noexcept;
    /// Saves where a suspended fiber is, with its stack contents if `with_stack`; restore() undoes it.
    void save(int thread_id, bool with_stack, snapshot& to) const;
    void restore(int thread_id, bool with_stack, snapshot& from);

    /// One past the highest address of the stack.
    [[nodiscard]] std::uintptr_t top(int thread_id) const noexcept;
    [[nodiscard]] bool on_stack(int thread_id, std::uintptr_t address) const noexcept;
    [[nodiscard]] memory_range region() const noexcept;
    [[nodiscard]] memory_of_threads parts() const noexcept;
    /// The part of the stack that a suspended fiber uses.
    [[nodiscard]] memory_range suspended(int thread_id) const noexcept;
    /// The thread on whose stack an address is, and where; nothing if it is on none.
    struct place {
        int thread_id = 0;
        std::uintptr_t offset = 0;
    };
    [[nodiscard]] static std::optional<place> owner_of(std::uintptr_t address) noexcept;
    [[nodiscard]] std::optional<int> thread_with(std::uintptr_t address) const override;
    /// The function that was running when the fiber suspended.
    [[nodiscard]] calling_function suspended_in(int thread_id) const override;
    /// Whether an access to this address is a stack overflow.
    [[nodiscard]] bool in_guard(std::uintptr_t address) const noexcept;
    /// Where a function on trial may have its frame. The rest is reserved for its callees: the engine, the C library.
    [[nodiscard]] memory_range usable(int thread_id) const noexcept {
        return {top(thread_id) - stack_size + reserve, stack_size - reserve};
    }

    /// The default of a native thread; pages that are never touched cost nothing.
    static constexpr std::size_t stack_size = std::size_t{8} << 20;
    static constexpr std::size_t reserve = std::size_t{64} << 10;

private:
    struct fiber {
        void* position = nullptr;                                   // as boost::context has it
        std::uintptr_t frame = 0;                                   // of suspend()
        std::array<unsigned char, 2 * sizeof(void*)> exceptions{};  // as exception_state has them
        int error = 0;                                              // errno
        floating_point floating;
        body what = nullptr;
        void* context = nullptr;
    };

    struct entry;

    std::array<fiber, max_thread_ids> fibers_;
    std::uintptr_t base_ = 0;
    void* outside_ = nullptr;
    int running_ = 0;
};

}  // namespace ordeal::detail::graph
