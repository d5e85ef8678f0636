// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/run/run_context.hpp"
#include "ordeal/runtime/snapshot.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// The non-atomic accesses of an execution, of which a thread may make more without end. They are no events, so nothing
/// else bounds them: after very many the thread's states are compared.
class access_count : run_context {
public:
    explicit access_count(const run_context& of) : run_context(of) {}

    void begin() noexcept;
    void count(const code_location& at) {
        operation_accounting_.count_access();
        if (++total_ > next_limit_) [[unlikely]]
            check_limit(at);
    }
    [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

    void save(snapshot& to) const {
        to.put(total_);
        to.put(next_limit_);
    }
    void restore(snapshot& from) {
        from.take(total_);
        from.take(next_limit_);
        compared_ = {};
    }

private:
    [[gnu::noinline]] void check_limit(const code_location& at);
    [[nodiscard]] bool has_come_back(std::uint64_t state) noexcept;
    void set_aside_endless(const code_location& at);
    void leave_off(const code_location& at);

    std::uint64_t total_ = 0;
    std::uint64_t next_limit_ = 0;  ///< after so many accesses the running thread may be endless
    /// Beyond that limit: states of the thread, each compared with an earlier one.
    struct compared_states {
        unsigned count = 0;
        std::uint64_t state = 0;
        std::uint64_t writes = 0;  ///< until then, outside its own stack, which is part of the state
    };
    compared_states compared_;
};

}  // namespace ordeal::detail::graph
