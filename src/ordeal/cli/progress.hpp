// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/isolation.hpp"

#include <chrono>
#include <cstddef>
#include <string>

namespace ordeal {

namespace detail {

/// "12,345 of about 5.0e6 ± 3 %": how far the newest search is; empty when it has no estimate.
[[nodiscard]] std::string estimate_text(const isolation_progress& now);

/// The bar, in lines of at most `width` characters.
[[nodiscard]] std::string bar_text(const isolation_progress& now, std::size_t width);

/// The line that takes its place where there is no terminal.
[[nodiscard]] std::string line_text(const isolation_progress& now, long long seconds);

}  // namespace detail

/// Says on standard error how far the searches are: a live bar on a terminal, a line now and then elsewhere.
class progress_display {
public:
    explicit progress_display(bool quiet);
    ~progress_display() { clear(); }
    progress_display(const progress_display&) = delete;
    progress_display& operator=(const progress_display&) = delete;

    void show(const isolation_progress& now);

    /// Says once that a stop was asked for.
    void stopping();

    /// Takes the bar away.
    void clear();

private:
    using clock = std::chrono::steady_clock;

    void draw_bar(const isolation_progress& now);
    void write_line(const isolation_progress& now);

    bool quiet_;
    bool terminal_;
    bool drawn_ = false;
    bool said_stopping_ = false;
    clock::time_point began_ = clock::now();
    clock::time_point last_ = began_;
};

}  // namespace ordeal
