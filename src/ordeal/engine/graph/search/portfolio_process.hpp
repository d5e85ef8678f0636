// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/process/message_channel.hpp"

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace ordeal::detail::graph {

/// A process forked from a search that works in time slices. Its runs do not affect the search, whose counts are the
/// same with and without it.
class portfolio_process {
public:
    using clock = std::chrono::steady_clock;
    /// Called in the process: one slice, which should end at about `until`. The result is sent to the search.
    using run_slice = std::function<std::string(clock::time_point until)>;

    explicit portfolio_process(const run_slice& slice);
    ~portfolio_process();
    portfolio_process(const portfolio_process&) = delete;
    portfolio_process& operator=(const portfolio_process&) = delete;

    void begin_slice(clock::time_point until);
    [[nodiscard]] bool busy() const noexcept { return busy_; }
    /// Whether no answer will come: the process was ended from outside, or was far too late.
    [[nodiscard]] bool gone() const noexcept { return process_ < 0; }

    /// The result of the slice; nothing if it has not arrived by `until`, or if the search is asked to stop. Throws
    /// worker_ended if the code on trial has ended the process.
    [[nodiscard]] std::optional<std::string> answer(clock::time_point until);

private:
    [[noreturn]] static void serve(const run_slice& slice, message_channel with);
    void end() noexcept;
    void note_end();

    pid_t process_ = -1;
    message_channel channel_{-1};
    bool busy_ = false;
};

}  // namespace ordeal::detail::graph
