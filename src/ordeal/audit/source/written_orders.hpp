// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/source/source_tokens.hpp"
#include "ordeal/runtime/site.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ordeal::detail {

/// A memory order spelt out in the source: `std::memory_order_acquire`, `memory_order::acquire`.
struct written_order {
    order value = order::seq_cst;
    std::string prefix;                  ///< what stands before its name: "std::memory_order_"
    const source_token* last = nullptr;  ///< the token that has its name
};

/// The call of an atomic operation or a fence as the source has it, and what it says of its orders.
struct atomic_call {
    const source_token* name = nullptr;
    const source_token* close = nullptr;  ///< the parenthesis at the end
    bool takes_failure = false;           ///< a compare-exchange
    bool has_arguments = false;           ///< before the orders, or orders
    std::string object;  ///< the last name of what it is called on: "state_"; empty: not told by the text
    std::vector<written_order> orders;  ///< as many as are written; none: by default

    /// What the call means: of the one order of a compare-exchange the failure follows.
    [[nodiscard]] order success() const;
    [[nodiscard]] order failure() const;
};

/// The order that a failed compare-exchange has when only the other one is given.
[[nodiscard]] order failure_of(order success) noexcept;

/// Whether the text declares an atomic, and no reference or pointer to one, of this name.
[[nodiscard]] bool declares_atomic(std::span<const source_token> tokens, std::string_view name);

/// What a site's column is that of. Of an implicit conversion it is the object's, too, or that of any token near it: where there
/// may be some, a call is not looked for behind an object.
enum class site_column : std::uint8_t {
    expression,  ///< code with a policy: the first token of the object, or the parenthesis behind the operation's name
    operation,   ///< code without: the operation's name, the parenthesis behind it, or what qualifies a function's name
};

/// The call that stands at the site's line and column. Otherwise why the order cannot be told from the text: an operator, a macro,
/// a variable; never a guess.
[[nodiscard]] std::variant<atomic_call, std::string> find_call(std::span<const source_token> tokens, const site& where,
                                                               site_column column);

}  // namespace ordeal::detail
