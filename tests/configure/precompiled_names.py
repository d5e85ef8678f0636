#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds every header to the includes of the names of `std` that it uses.

Where headers of the standard library are compiled in advance, a header that forgets one compiles all the same. So each
name that a header uses must come from a header that it includes, itself or by others of ours. A name that the table does
not have is an error, too.

usage: precompiled_names.py SRC [WITHOUT FILE]    WITHOUT FILE: as if FILE did not include <WITHOUT>
"""
import pathlib
import re
import sys

# Where each name is declared; any one of several will do.
HEADERS = {
    "algorithm": "any_of all_of none_of find find_if max min clamp sort ranges::any_of ranges::find ranges::find_if ranges::sort "
    "ranges::all_of ranges::lower_bound ranges::partition_point ranges::max ranges::contains ranges::fill ranges::transform",
    "array": "array",
    "atomic": "atomic atomic_flag atomic_ref atomic_thread_fence memory_order memory_order_acq_rel memory_order_acquire "
    "memory_order_relaxed memory_order_release memory_order_seq_cst memory_order_consume",
    "bit": "bit_cast bit_width has_single_bit popcount countr_zero bit_ceil",
    "bitset": "bitset",
    "chrono": "chrono",
    "compare": "strong_ordering strong_ordering::equal partial_ordering",
    "concepts": "constructible_from convertible_to copy_constructible copyable default_initializable equality_comparable floating_point integral "
    "invocable same_as totally_ordered derived_from",
    "condition_variable": "condition_variable",
    "coroutine": "coroutine_handle noop_coroutine suspend_always suspend_never coroutine_traits",
    "cstdarg": "va_list",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t",
    "cstdio": "FILE fprintf fflush fputs",
    "cstdlib": "_Exit abort exit free malloc getenv",
    "cstring": "memcmp memcpy memmove memset strlen strcmp",
    "ctime": "tm",
    "deque": "deque",
    "exception": "current_exception exception exception_ptr rethrow_exception terminate",
    "filesystem": "filesystem",
    "fstream": "ifstream ofstream",
    "functional": "function hash less greater invoke reference_wrapper ref",
    "initializer_list": "initializer_list",
    "iterator": "back_inserter next prev distance",
    "limits": "numeric_limits",
    "list": "list",
    "map": "map multimap",
    "memory": "addressof construct_at make_shared make_unique make_unique_for_overwrite shared_ptr unique_ptr weak_ptr",
    "mutex": "lock_guard mutex recursive_mutex scoped_lock unique_lock once_flag call_once",
    "optional": "optional nullopt make_optional",
    "random": "minstd_rand mt19937_64 mt19937",
    "ranges": "ranges::forward_range views",
    "set": "set multiset",
    "source_location": "source_location",
    "span": "span as_bytes",
    "stdexcept": "runtime_error logic_error invalid_argument out_of_range",
    "string": "string to_string u16string stoi stoull",
    "string_view": "string_view",
    "system_error": "error_code system_error errc",
    "thread": "thread this_thread jthread",
    "tuple": "tuple tie apply make_tuple",
    "type_traits": "add_pointer_t conditional_t has_unique_object_representations_v is_class_v is_constant_evaluated is_constructible_v "
    "is_convertible_v is_default_constructible_v is_final_v is_floating_point_v is_invocable_v is_nothrow_constructible_v "
    "is_object_v is_pointer_v is_reference_v is_same_v is_trivially_copyable_v is_trivially_destructible_v is_union_v "
    "is_void_v remove_const_t remove_cv_t remove_cvref_t remove_pointer_t remove_reference_t decay_t underlying_type_t enable_if_t "
    "is_enum_v is_integral_v is_unsigned_v is_signed_v is_base_of_v make_unsigned_t invoke_result_t void_t true_type false_type",
    "unordered_map": "unordered_map",
    "unordered_set": "unordered_set",
    "utility": "as_const declval exchange forward index_sequence integer_sequence make_index_sequence move pair swap",
    "variant": "variant get_if monostate visit holds_alternative variant_size_v",
    "vector": "vector erase_if",
}
SEVERAL = {
    "istream": {"iosfwd", "istream", "iostream", "sstream", "fstream"},
    "ostream": {"iosfwd", "ostream", "iostream", "sstream", "fstream"},
    "ranges::begin": {"iterator", "ranges"},
    "ranges::end": {"iterator", "ranges"},
    "ranges::next": {"iterator", "ranges"},
    "byte": {"cstddef"},
    "nullptr_t": {"cstddef"},
    "ptrdiff_t": {"cstddef"},
    "size_t": {"cstddef", "cstdio", "cstdlib", "cstring"},
    "get": {"tuple", "variant", "utility", "array"},
    "size": {"iterator", "array", "deque", "list", "map", "set", "span", "string", "string_view", "vector"},
}
DECLARED = {name: {header} for header, names in HEADERS.items() for name in names.split()} | SEVERAL


def code_of(text):
    """Without comments and text in quotes, except in includes."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'^(?!\s*#\s*include)(.*)$', lambda line: re.sub(r'"(\\.|[^"\\])*"', '""', line.group(1)), text, flags=re.M)
    return re.sub(r"//.*", "", text)


def declared_in(name):
    """A member of a class or of a namespace in the table comes with that."""
    while name not in DECLARED and "::" in name:
        name = name.rpartition("::")[0]
    return DECLARED.get(name)


class Sources:
    def __init__(self, src, without, of):
        self.src, self.without, self.of, self.closures = src, without, of, {}

    def closure(self, path):
        """What a file includes of the standard library, itself or by others of ours."""
        if path in self.closures:
            return self.closures[path]
        self.closures[path] = found = set()
        for kind, name in re.findall(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', code_of(path.read_text()), flags=re.M):
            if kind == "<":
                if not (name == self.without and path == self.of):
                    found.add(name)
                continue
            for file in (path.parent / name, self.src / name):
                if file.exists():
                    found |= self.closure(file)
                    break
        return found

    def missing(self, path):
        names = set(re.findall(r"\bstd::((?:ranges::|\w+_ordering::)?\w+)", code_of(path.read_text())))
        for name in sorted(names):
            headers = declared_in(name)
            if headers is None:
                yield f"std::{name} is not in the table of {__file__}"
            elif not headers & self.closure(path):
                yield f"std::{name} without <{'> or <'.join(sorted(headers))}>"


def main(src, without=None, of=None):
    src = pathlib.Path(src)
    sources = Sources(src, without, src / of if of else None)
    listed = (src / "compiled_by_users.txt").read_text(encoding="utf-8").splitlines()
    apart = [line for line in listed if not line.startswith("#")]
    headers = [path for path in sorted(src.rglob("*.hpp")) if not any(each in str(path) for each in apart)]
    if len(headers) < 300:
        sys.exit(f"{len(headers)} headers, which cannot be all")
    findings = [f"{path.relative_to(src)}: {what}" for path in headers for what in sources.missing(path)]
    sys.exit("\n".join(findings) or None)


main(*sys.argv[1:])
