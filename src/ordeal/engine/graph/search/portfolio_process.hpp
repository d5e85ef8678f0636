// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/process/message_channel.hpp"

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace ordeal::graph {

/// A process beside a search, forked from it, that does something of its own a turn at a time. What its runs learn and leave
/// behind does not reach the search: that comes to the same counts with it as without.
class portfolio_process {
public:
    using clock = std::chrono::steady_clock;
    /// Called in the process: one turn, which is to end about then. What it returns goes to the search.
    using run_slice = std::function<std::string(clock::time_point until)>;

    explicit portfolio_process(const run_slice& slice);
    ~portfolio_process();
    portfolio_process(const portfolio_process&) = delete;
    portfolio_process& operator=(const portfolio_process&) = delete;

    void begin_slice(clock::time_point until);
    [[nodiscard]] bool busy() const noexcept { return busy_; }
    /// Whether there will be no answer any more: somebody outside ended the process, or it was too late by far.
    [[nodiscard]] bool gone() const noexcept { return process_ < 0; }

    /// What the turn returned; nothing where that is not there at `until`, or when a stop of the search is asked for. Throws
    /// worker_ended when the code on trial has ended the process.
    [[nodiscard]] std::optional<std::string> answer(clock::time_point until);

private:
    [[noreturn]] static void serve(const run_slice& slice, message_channel with);
    void end() noexcept;
    void note_end();

    pid_t process_ = -1;
    message_channel channel_{-1};
    bool busy_ = false;
};

}  // namespace ordeal::graph
