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

namespace ordeal {

/// Types as debug information has them. Needs a roomy stack, as all that reads it does.
namespace debug_types {

using die = Dwarf_Die;

/// Calls `what` with each child, until it returns true. Whether it did.
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

/// Whether the language keeps such names for libraries.
[[nodiscard]] bool is_reserved(std::string_view name);
[[nodiscard]] std::string_view name_of(die what);  ///< as the debug information has it; may be empty
[[nodiscard]] std::optional<std::uint64_t> number_of(die what, unsigned attribute);
[[nodiscard]] std::optional<die> type_of(die what);
/// Without typedefs, const and volatile.
[[nodiscard]] die stripped(die type);
[[nodiscard]] std::uint64_t size_of(die type);  ///< 0 when it is not known
[[nodiscard]] bool is_class(die type);
[[nodiscard]] bool same(die left, die right);

/// "std::atomic<void *>", "queue::node": with namespaces, but for inline ones.
[[nodiscard]] std::string full_name(die type);
/// "node", "queue<...>::node": without namespaces, and without long lists of arguments.
[[nodiscard]] std::string short_name(die type);
/// A name without template arguments, where those are long.
[[nodiscard]] std::string with_short_arguments(std::string_view name);

/// The name of a thing, as the linker's is spelled out, without the inline namespaces that it is declared in.
[[nodiscard]] std::string without_inline_namespaces(die what, std::string name);

/// The n-th argument of a template that is a type.
[[nodiscard]] std::optional<die> argument_of(die instance, std::size_t n = 0);
/// The class that this function is a member of.
[[nodiscard]] std::optional<die> class_of(die function);

/// What lies at some bytes of an object.
struct part {
    std::string path;         ///< ".state_", "[3].next"; empty: the whole
    die type;                 ///< of the innermost part that has a name in the source
    std::uint64_t begin = 0;  ///< of that part in the whole
};
/// From the whole inward. Members with names that are reserved for the library are none of the source's.
[[nodiscard]] std::vector<part> parts_at(die type, std::uint64_t offset, std::uint64_t size);
/// Offsets and types of the members of that name, those of bases too.
struct member {
    std::uint64_t offset = 0;
    die type;
};
[[nodiscard]] std::vector<member> members_named(die type, std::string_view name);

/// The type of what an atomic, or a policy's cell, holds; the type itself where it is neither.
[[nodiscard]] die value_type(die type);
/// The enumerator, or true or false; empty where the type has no names for values.
[[nodiscard]] std::string value_name(die type, std::uint64_t value);
/// What a pointer points to; nothing where it is none, or points to void.
[[nodiscard]] std::optional<die> pointee(die type);

}  // namespace debug_types

}  // namespace ordeal
