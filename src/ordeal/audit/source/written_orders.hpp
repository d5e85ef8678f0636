// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/site.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ordeal::detail {

/// A token of C++ source. `text` points into the text that it was read from.
struct source_token {
    enum class kind : std::uint8_t {
        identifier,  ///< or a keyword
        literal,     ///< a number, a character or a string
        mark,        ///< "(", "::", "->", ...
        directive,   ///< a whole preprocessor line, with its continuation lines
    };
    kind what = kind::mark;
    std::string_view text;
    std::uint32_t line = 0;    ///< from 1
    std::uint32_t column = 0;  ///< in bytes, from 1, as compilers count
};

/// The tokens of a source text without its comments. The only multi-character operators are `::` and `->`; text that is
/// not C++ gives some tokens, too.
[[nodiscard]] std::vector<source_token> tokens_of(std::string_view text);

/// A memory order spelt out in the source: `std::memory_order_acquire`, `memory_order::acquire`.
struct written_order {
    order value = order::seq_cst;
    std::string prefix;                  ///< the text before its name: "std::memory_order_"
    const source_token* last = nullptr;  ///< the token with its name
};

/// The call of an atomic operation or a fence in the source, with its orders.
struct atomic_call {
    const source_token* name = nullptr;
    const source_token* close = nullptr;  ///< the closing parenthesis
    bool takes_failure = false;           ///< a compare-exchange
    bool has_arguments = false;           ///< before the orders, or orders themselves
    std::string object;  ///< the last component of the object expression: "state_"; empty: unknown from the text
    std::vector<written_order> orders;  ///< those written; none: default

    /// The meaning of the call: a compare-exchange with one order derives the order of failure.
    [[nodiscard]] order success() const;
    [[nodiscard]] order failure() const;
};

/// The order of a failed compare-exchange if only the order of success is given.
[[nodiscard]] order failure_of(order success) noexcept;

/// Whether the text declares an atomic of this name, not a reference or pointer to one.
[[nodiscard]] bool declares_atomic(std::span<const source_token> tokens, std::string_view name);

/// What a site's column refers to. For an implicit conversion it may also be that of the object, or of any token near
/// it: where one is possible, no call is looked for after an object.
enum class site_column : std::uint8_t {
    expression,  ///< code with a policy: the first token of the object, or the parenthesis after the operation's name
    operation,  ///< code without: the operation's name, the parenthesis after it, or the qualifier of a function's name
};

/// The call at the site's line and column. Otherwise why the order is unknown from the text: an operator, a macro, a
/// variable; never a guess.
[[nodiscard]] std::variant<atomic_call, std::string> find_call(std::span<const source_token> tokens, const site& where,
                                                               site_column column);

}  // namespace ordeal::detail
