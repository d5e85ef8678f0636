// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/process/isolation.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace ordeal::detail {

/// "12,345 of about 5.0e6 ± 3 %": how far a search is; the executions alone where it has no estimate.
[[nodiscard]] std::string estimate_text(const running_search& search);

/// "41 reads-from pairs, the last new one after 1,203; portfolio: 40,000": what a search has seen that is not yet
/// near its end; empty where that is nothing.
[[nodiscard]] std::string seen_text(const running_search& search);

/// "about 12 s left", by its estimate or its time budget, whichever ends it first; empty where neither tells.
[[nodiscard]] std::string time_left_text(const running_search& search);

/// "event/example: 12,345 of about 5.0e6 ± 3 %, 617 a second, about 12 s left; 41 reads-from pairs, the last new one
/// after 1,203".
[[nodiscard]] std::string search_text(const running_search& search);

/// The bar, and below it a line for each running search, as far as `rows` go. Lines of at most `width` characters, the
/// last one without an end.
[[nodiscard]] std::string bar_text(const isolation_progress& now, std::size_t width, std::size_t rows);

/// The lines that take its place where there is no terminal.
[[nodiscard]] std::string line_text(const isolation_progress& now, long long seconds);

/// "my_suite: violated: data race in event/example\n"
[[nodiscard]] std::string violation_line(const noticed_violation& found);

/// Says on standard error how far the searches are: a live bar on a terminal, with a line for each running search, and
/// some lines now and then elsewhere. The first violation that is not expected is said as soon as it is found, while
/// others are looked for.
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

    void say_first_violation(const isolation_progress& now);
    void draw_bar(const isolation_progress& now);
    void write_line(const isolation_progress& now);
    [[nodiscard]] std::string to_its_first_line() const;

    bool quiet_;
    bool terminal_;
    std::size_t drawn_ = 0;  ///< lines of the bar that stand on the terminal
    std::optional<clock::time_point> met_violation_;
    bool said_violation_ = false;
    bool said_stopping_ = false;
    clock::time_point began_ = clock::now();
    clock::time_point last_ = began_;
};

}  // namespace ordeal::detail
