// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/site.hpp"
#include "ordeal/scenario/source_files.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ordeal::detail {

/// Another order for one site.
struct site_change {
    site where;
    order replacement = order::relaxed;
    std::string reason;    ///< the author's comment there, which may have to change as well
    std::string object{};  ///< the last component of the object's name in the program: "state_"; empty: not known
};

/// An edit of one line: replaces `removed` at a column.
struct text_edit {
    std::uint32_t line = 0;
    std::uint32_t column = 0;  ///< in bytes, 1: the first
    std::string removed;
    std::string inserted;
};

/// The changes of one file.
struct file_patch {
    std::string file;  ///< as in sites
    std::string before;
    std::string after;             ///< with the same number of lines
    std::vector<text_edit> edits;  ///< by position, without overlaps
};

/// Changes of orders as changes of the source.
struct source_patch {
    std::vector<file_patch> files;      ///< by name: the possible changes
    std::vector<std::string> refusals;  ///< one for each impossible change: "src/x.hpp:12: the order is ..."
    std::vector<site_change> left;      ///< the impossible changes
};

/// The text of a source file; nothing if it cannot be read.
using source_reader = std::function<std::optional<std::string>(const std::string& file)>;

/// What a site's column refers to: in code with a policy an expression, in code without one an operation.
enum class source_kind : std::uint8_t { with_policy, without_policy };

/// Writes the orders of these changes into the source, each in the spelling found there. A call whose orders are
/// neither literal nor left to the default is refused, not guessed. So is a file that cannot be the one that the
/// program was built from: if at one of the `known` sites, changed or not, another order than the declared one is
/// written, or a changed operation is on another atomic than in the program. The result is parsed again, and refused
/// unless it has the intended orders. `objects`: the last names of all known atomics.
[[nodiscard]] source_patch make_patch(std::span<const site_change> changes, std::span<const site> known,
                                      source_kind kind, const source_reader& read = read_source,
                                      std::span<const std::string> objects = {});

/// As written by `diff -u`, for `patch -p1` and `git apply`.
[[nodiscard]] std::string unified_diff(const file_patch& patch);
[[nodiscard]] std::string unified_diff(const source_patch& patch);

}  // namespace ordeal::detail
