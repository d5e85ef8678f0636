// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/explain/explanation.hpp"
#include "ordeal/report/text/style.hpp"
#include "ordeal/report/value_names.hpp"

#include <cstddef>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// A walk along the steps of a trace, which must have some: one step at a time, with the source around it and what each
/// thread did last. Where it is changes by commands, lines of text that a person types or a test sends.
class step_walk {
public:
    /// The arguments must live as long as the walk, which begins at the first step.
    step_walk(const scenario& what, const search_result& result, const explanation& why, const text_style& style);

    /// The step, in lines of at most `walk_width` characters, unless one word is longer.
    [[nodiscard]] std::string shown() const;

    /// What comes of a command.
    struct answer {
        bool goes_on = true;
        std::string refusal;  ///< why the walk stays where it is; empty: it does not
    };
    [[nodiscard]] answer obey(std::string_view command);

    /// The position of a step by its number in the trace or its letter; nothing when there is none.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

    /// "step 4 (d), reader: load acquire atomic 1: 0"; of the violation without the operation
    [[nodiscard]] std::string title(std::size_t step) const;

private:
    [[nodiscard]] std::string name_of(std::size_t step) const;
    [[nodiscard]] std::string thread_of(const trace_step& step) const;
    [[nodiscard]] std::string source() const;
    [[nodiscard]] std::string last_steps() const;
    [[nodiscard]] std::string end_words() const;
    [[nodiscard]] answer go_to(std::size_t step);

    const search_result& result_;
    const text_style& style_;
    const explanation& why_;
    std::vector<std::string> threads_;
    std::vector<std::string> words_;  ///< of each step
    std::size_t threads_begin_ = 0;   ///< the first step of a thread
    std::size_t at_ = 0;
    mutable std::map<std::string, std::vector<std::string>> files_;
};

/// As wide as the narrowest terminal that people use.
inline constexpr std::size_t walk_width = 80;

/// Walks until a command ends it, or the input does. `echo`: commands do not show on the terminal, because they come
/// from elsewhere.
void walk(step_walk& steps, std::istream& in, std::ostream& out, bool echo);

}  // namespace ordeal::detail
