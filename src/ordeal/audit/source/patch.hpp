// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/site.hpp"
#include "ordeal/scenario/source_files.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal {

/// Another order for one site.
struct site_change {
    site where;
    order replacement = order::relaxed;
    std::string reason;    ///< the author's comment there, which may have to change, too
    std::string object{};  ///< the last name of the object that the program has there: "state_"; empty: not known
};

/// In one line of a file: `removed` at a column is replaced.
struct text_edit {
    std::uint32_t line = 0;
    std::uint32_t column = 0;  ///< in bytes, 1: the first
    std::string removed;
    std::string inserted;
};

struct file_patch {
    std::string file;  ///< as sites have it
    std::string before;
    std::string after;             ///< with as many lines
    std::vector<text_edit> edits;  ///< by place; they do not overlap
};

/// Changes of orders as changes of the source.
struct source_patch {
    std::vector<file_patch> files;      ///< by name; what can be made
    std::vector<std::string> refusals;  ///< one for each part that cannot be made: "src/x.hpp:12: the order is ..."
    std::vector<site_change> left;      ///< those parts
};

/// The text of a source file; nothing when it cannot be read.
using source_reader = std::function<std::optional<std::string>(const std::string& file)>;

/// How sites name their columns: code with a policy by an expression, code without by its operations.
enum class source_kind : std::uint8_t { with_policy, without_policy };

/// Writes the orders of these changes into the source, each in the spelling that stands there. What is no call with written orders,
/// or with none where the default is meant, is refused and not guessed. So is a file that cannot be the one that the program was
/// built from: at one of the `known` sites, whether it is changed or not, an order other than the declared one is
/// written, or the operation of a change is one on another atomic than the program has there. What comes out is read once more, and
/// refused unless it says what was to be said. `objects`: the last names of all atomics that are known.
[[nodiscard]] source_patch make_patch(std::span<const site_change> changes, std::span<const site> known,
                                      source_kind kind, const source_reader& read = read_source,
                                      std::span<const std::string> objects = {});

/// As `diff -u` writes it, for `patch -p1` and `git apply`.
[[nodiscard]] std::string unified_diff(const file_patch& patch);
[[nodiscard]] std::string unified_diff(const source_patch& patch);

}  // namespace ordeal
