// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/runtime/memory/allocation_form.hpp"

namespace ordeal::detail {

namespace {

const char* words_for(allocation_family taken, allocation_family given) noexcept {
    using enum allocation_family;
    if (given == mapping) return "memory that mmap did not return is given to munmap";
    switch (taken) {
        case c:
            return given == array ? "memory of malloc or its kin is given to delete[]"
                                  : "memory of malloc or its kin is given to delete";
        case object:
            return given == array ? "memory of new is given to delete[]" : "memory of new is given to free or realloc";
        case array:
            return given == object ? "memory of new[] is given to delete"
                                   : "memory of new[] is given to free or realloc";
        case mapping: return "memory of mmap is given to another function than munmap";
        case any: break;
    }
    return nullptr;
}

}  // namespace

const char* mismatch(allocation_form taken, std::size_t size, allocation_form given, std::size_t given_size) noexcept {
    using enum allocation_family;
    if (taken.family == any || given.family == any) return nullptr;
    if (taken.family != given.family) return words_for(taken.family, given.family);
    if (taken.family != object && taken.family != array) return nullptr;
    if (given_size != unknown_size && given_size != size) {
        return "operator delete is told another size than operator new was: another type's, or a base class without a "
               "virtual destructor";
    }
    if (taken.alignment_bits != given.alignment_bits) {
        return "operator delete is told another alignment than operator new was";
    }
    return nullptr;
}

}  // namespace ordeal::detail
