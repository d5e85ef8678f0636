// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// Types from debug information. Needs much stack, as all reading of debug information does.
namespace debug_types {

using die = Dwarf_Die;

/// Calls `what` with each child until it returns true. Returns whether it did.
template <class Function>
bool any_child(die of, Function what) {
    die child;
    for (bool more = dwarf_child(&of, &child) == 0; more;) {
        if (what(child)) return true;
        die next;
        more = dwarf_siblingof(&child, &next) == 0;
        child = next;
    }
    return false;
}

/// Whether such names are reserved for the implementation.
[[nodiscard]] bool is_reserved(std::string_view name);
[[nodiscard]] std::string_view name_of(die what);  ///< as the debug information has it; may be empty
[[nodiscard]] std::optional<std::uint64_t> number_of(die what, unsigned attribute);
[[nodiscard]] std::optional<die> type_of(die what);
/// Without typedefs, const and volatile.
[[nodiscard]] die stripped(die type);
[[nodiscard]] std::uint64_t size_of(die type);  ///< 0 if unknown
[[nodiscard]] bool is_class(die type);
[[nodiscard]] bool same(die left, die right);

/// "std::atomic<void *>", "queue::node": with namespaces except inline ones.
[[nodiscard]] std::string full_name(die type);
/// "node", "queue<...>::node": without namespaces and long argument lists.
[[nodiscard]] std::string short_name(die type);
/// A name without template arguments if they are long.
[[nodiscard]] std::string with_short_arguments(std::string_view name);

/// A demangled name without the inline namespaces in which the entity is declared.
[[nodiscard]] std::string without_inline_namespaces(die what, std::string name);

/// The n-th type argument of a template.
[[nodiscard]] std::optional<die> argument_of(die instance, std::size_t n = 0);
/// The class of a member function.
[[nodiscard]] std::optional<die> class_of(die function);

/// A part of an object, by the bytes that it occupies.
struct part {
    std::string path;         ///< ".state_", "[3].next"; empty: the whole
    die type;                 ///< of the innermost part with a name in the source
    std::uint64_t begin = 0;  ///< of that part in the whole
};
/// From the outermost inward. Members with names reserved for the implementation are skipped.
[[nodiscard]] std::vector<part> parts_at(die type, std::uint64_t offset, std::uint64_t size);
/// Offsets and types of the members of that name, those of bases included.
struct member {
    std::uint64_t offset = 0;
    die type;
};
[[nodiscard]] std::vector<member> members_named(die type, std::string_view name);

/// The value type of an atomic or of a policy's cell; otherwise the type itself.
[[nodiscard]] die value_type(die type);
/// The enumerator, or true or false; empty if the type has no names for values.
[[nodiscard]] std::string value_name(die type, std::uint64_t value);
/// The type that a pointer points to; nothing if it is no pointer, or points to void.
[[nodiscard]] std::optional<die> pointee(die type);

}  // namespace debug_types

}  // namespace ordeal::detail
