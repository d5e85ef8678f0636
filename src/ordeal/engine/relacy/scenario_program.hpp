// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/relacy/kernel.hpp"
#include "ordeal/engine/relacy/relacy_runtime.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace ordeal::detail::relacy {

/// One scenario as the kernel runs it: constructs it, runs its threads, checks and destroys it in each execution.
class scenario_program final : public program {
public:
    using clock = std::chrono::steady_clock;

    scenario_program(const scenario& what, search_progress& progress, clock::time_point deadline)
        : what_(what), progress_(progress), deadline_(deadline) {}

    /// Forgets the outcomes; the next run counts from zero.
    void restart(bool tracing);

    void begin() override;
    void run(int thread) override;
    void end() override;
    bool stop() override;

    /// Ends the running execution with this violation; for signal handlers and std::terminate. Returns if no code on
    /// trial runs.
    void interrupt(violation_kind kind, const char* message);

    [[nodiscard]] relacy_runtime& runtime() noexcept { return runtime_; }
    [[nodiscard]] const std::map<std::string, std::uint64_t>& outcomes() const noexcept { return outcomes_; }

private:
    const scenario& what_;
    search_progress& progress_;
    clock::time_point deadline_;
    relacy_runtime runtime_;
    std::map<std::string, std::uint64_t> outcomes_;
    void* object_ = nullptr;
    bool tracing_ = false;
};

}  // namespace ordeal::detail::relacy
