// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiled parts of libstdc++'s containers, strings and threads, called by code on trial, which is linked with
// --wrap. Their accesses are the caller's. The trees of std::map and std::set are linked inside libstdc++,
// uninstrumented: adding or removing a node changes the container, that is its header, the node, and the node's parent.

#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/runtime/execution.hpp"

#include <bits/hash_bytes.h>
#include <bits/stl_tree.h>
#include <cxxabi.h>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <list>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>

namespace {

using list_node = std::__detail::_List_node_base;
using tree_node = std::_Rb_tree_node_base;
using rehash_policy = std::__detail::_Prime_rehash_policy;
using ordeal::detail::caller_accesses;

void links(const caller_accesses& caller, const list_node* node) { caller.writes(node, sizeof(*node)); }

void reads_node(const caller_accesses& caller, const tree_node* node) { caller.reads(node, sizeof(*node)); }

// As the library steps to the next node in order, or to the previous one.
void note_step(const caller_accesses& caller, const tree_node* node, tree_node* tree_node::* down,
               tree_node* tree_node::* back) {
    if (!caller.on_trial()) return;
    reads_node(caller, node);
    if (node->*down != nullptr) {
        node = node->*down;
        reads_node(caller, node);
        while (node->*back != nullptr) {
            node = node->*back;
            reads_node(caller, node);
        }
        return;
    }
    const tree_node* above = node->_M_parent;
    reads_node(caller, above);
    while (node == above->*down) {
        node = above;
        above = above->_M_parent;
        reads_node(caller, above);
    }
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,bugprone-macro-parentheses)
extern "C" {

void* __wrap_realloc(void* block, std::size_t size);

void __wrap__ZNSt8__detail15_List_node_base7_M_hookEPS0_(list_node* self, list_node* before) {
    const caller_accesses caller = ordeal::detail::accesses_of_caller("insert");
    caller.reads(before, sizeof(*before));
    links(caller, self);
    caller.writes(&before->_M_prev->_M_next, sizeof(before->_M_next));
    caller.writes(&before->_M_prev, sizeof(before->_M_prev));
    self->_M_hook(before);
}
void __wrap__ZNSt8__detail15_List_node_base9_M_unhookEv(list_node* self) {
    const caller_accesses caller = ordeal::detail::accesses_of_caller("erase");
    caller.reads(self, sizeof(*self));
    caller.writes(&self->_M_prev->_M_next, sizeof(self->_M_next));
    caller.writes(&self->_M_next->_M_prev, sizeof(self->_M_prev));
    self->_M_unhook();
}
void __wrap__ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(list_node* self, list_node* first, list_node* last) {
    const caller_accesses caller = ordeal::detail::accesses_of_caller("splice");
    if (self != last) {
        for (list_node* const each : {self, first, last}) {
            caller.reads(&each->_M_prev, sizeof(each->_M_prev));
            caller.writes(&each->_M_prev->_M_next, sizeof(each->_M_next));
            caller.writes(&each->_M_prev, sizeof(each->_M_prev));
        }
    }
    self->_M_transfer(first, last);
}
void __wrap__ZNSt8__detail15_List_node_base10_M_reverseEv(list_node* self) {
    const caller_accesses caller = ordeal::detail::accesses_of_caller("reverse");
    if (caller.on_trial()) {
        const list_node* each = self;
        do {
            caller.reads(each, sizeof(*each));
            links(caller, each);
            each = each->_M_next;
        } while (each != self);
    }
    self->_M_reverse();
}
void __wrap__ZNSt8__detail15_List_node_base4swapERS0_S1_(list_node* one, list_node* other) {
    const caller_accesses caller = ordeal::detail::accesses_of_caller("swap");
    for (list_node* const each : {one, other}) {
        caller.reads(each, sizeof(*each));
        caller.writes(&each->_M_next->_M_prev, sizeof(each->_M_prev));
        caller.writes(&each->_M_prev->_M_next, sizeof(each->_M_next));
        links(caller, each);
    }
    list_node::swap(*one, *other);
}

#define ORDEAL_TREE_STEP(symbol, type, function, down, back) \
    type __wrap_##symbol(type node) { \
        note_step(ordeal::detail::accesses_of_caller("iterate"), node, &tree_node::down, &tree_node::back); \
        return std::function(node); \
    }
ORDEAL_TREE_STEP(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base, tree_node*, _Rb_tree_increment, _M_right, _M_left)
ORDEAL_TREE_STEP(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base, const tree_node*, _Rb_tree_increment, _M_right,
                 _M_left)
// The header's parent is the root, whose parent is the header: the predecessor of the end is the rightmost node.
#define ORDEAL_TREE_STEP_BACK(symbol, type) \
    type __wrap_##symbol(type node) { \
        const caller_accesses caller = ordeal::detail::accesses_of_caller("iterate"); \
        const bool head = node->_M_color == std::_S_red && node->_M_parent->_M_parent == node; \
        if (head) { \
            reads_node(caller, node); \
        } else { \
            note_step(caller, node, &tree_node::_M_left, &tree_node::_M_right); \
        } \
        return std::_Rb_tree_decrement(node); \
    }
ORDEAL_TREE_STEP_BACK(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base, tree_node*)
ORDEAL_TREE_STEP_BACK(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base, const tree_node*)

// Two words, in two registers, as the library returns them.
struct rehash_answer {
    unsigned long needed;
    unsigned long buckets;
};
rehash_answer ordeal_need_rehash(
    const rehash_policy* self, unsigned long buckets, unsigned long elements,
    unsigned long inserted) asm("_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm");
rehash_answer __wrap__ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(const rehash_policy* self,
                                                                               unsigned long buckets,
                                                                               unsigned long elements,
                                                                               unsigned long inserted) {
    const caller_accesses caller = ordeal::detail::accesses_of_caller("insert");
    caller.reads(self, sizeof(*self));
    caller.writes(self, sizeof(*self));
    return ordeal_need_rehash(self, buckets, elements, inserted);
}
unsigned long __wrap__ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(const rehash_policy* self,
                                                                          unsigned long buckets) {
    const caller_accesses caller = ordeal::detail::accesses_of_caller("rehash");
    caller.reads(self, sizeof(*self));
    caller.writes(self, sizeof(*self));
    return self->_M_next_bkt(buckets);
}

std::size_t __wrap__ZSt11_Hash_bytesPKvmm(const void* from, std::size_t size, std::size_t seed) {
    ordeal::detail::accesses_of_caller("hash").examines(from, size);
    return std::_Hash_bytes(from, size, seed);
}

// The text of an exception is copied.
#define ORDEAL_EXCEPTION_CONSTRUCTOR(name, kind) \
    void ordeal_##kind##_##name(void* self, const std::string* text) asm( \
        "_ZNSt" #name #kind "ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"); \
    void __wrap__ZNSt##name##kind##ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(void* self, \
                                                                                           const std::string* text) { \
        const caller_accesses caller = ordeal::detail::accesses_of_caller("construct exception"); \
        caller.reads(text, sizeof(*text)); \
        caller.reads(text->data(), text->size() + 1); \
        ordeal_##kind##_##name(self, text); \
    } \
    void ordeal_text_##kind##_##name(void* self, const char* text) asm("_ZNSt" #name #kind "EPKc"); \
    void __wrap__ZNSt##name##kind##EPKc(void* self, const char* text) { \
        ordeal::detail::accesses_of_caller("construct exception").reads_text(text); \
        ordeal_text_##kind##_##name(self, text); \
    }
// Of a complete object, and of a base.
#define ORDEAL_EXCEPTION(name) \
    ORDEAL_EXCEPTION_CONSTRUCTOR(name, C1) \
    ORDEAL_EXCEPTION_CONSTRUCTOR(name, C2)
ORDEAL_EXCEPTION(11logic_error)
ORDEAL_EXCEPTION(12domain_error)
ORDEAL_EXCEPTION(16invalid_argument)
ORDEAL_EXCEPTION(12length_error)
ORDEAL_EXCEPTION(12out_of_range)
ORDEAL_EXCEPTION(13runtime_error)
ORDEAL_EXCEPTION(11range_error)
ORDEAL_EXCEPTION(14overflow_error)
ORDEAL_EXCEPTION(15underflow_error)

// A thread's handle is an object that two threads may share.
void __wrap__ZNSt6thread4joinEv(std::thread* self) {
    const caller_accesses caller = ordeal::detail::accesses_of_caller("join");
    caller.reads(self, sizeof(*self));
    self->join();
    caller.writes(self, sizeof(*self));
}
void ordeal_start_thread(std::thread* self, void* state, void (*depend)()) asm(
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE");
void __wrap__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(std::thread* self,
                                                                                                  void* state,
                                                                                                  void (*depend)()) {
    ordeal::detail::accesses_of_caller("create thread").writes(self, sizeof(*self));
    ordeal_start_thread(self, state, depend);
}
void __wrap__ZNSt6thread6detachEv(std::thread* self) {
    const caller_accesses caller = ordeal::detail::accesses_of_caller("detach");
    caller.reads(self, sizeof(*self));
    self->detach();
    caller.writes(self, sizeof(*self));
}

#define ORDEAL_TO_CHARS(suffix, parameters, arguments) \
    std::to_chars_result __wrap__ZSt8to_charsPcS_##suffix parameters { \
        const caller_accesses caller = ordeal::detail::accesses_of_caller("to_chars"); \
        const std::to_chars_result result = std::to_chars arguments; \
        caller.writes(to, static_cast<std::size_t>(result.ptr - to)); \
        return result; \
    }
#define ORDEAL_FLOATING_CHARS(letter, type) \
    ORDEAL_TO_CHARS(letter, (char* to, char* end, type value), (to, end, value)) \
    ORDEAL_TO_CHARS(letter##St12chars_format, (char* to, char* end, type value, std::chars_format form), \
                    (to, end, value, form)) \
    ORDEAL_TO_CHARS(letter##St12chars_formati, \
                    (char* to, char* end, type value, std::chars_format form, int precision), \
                    (to, end, value, form, precision)) \
    std::from_chars_result __wrap__ZSt10from_charsPKcS0_R##letter##St12chars_format( \
        const char* from, const char* end, type* value, std::chars_format form) { \
        const caller_accesses caller = ordeal::detail::accesses_of_caller("from_chars"); \
        type read{}; \
        const std::from_chars_result result = std::from_chars(from, end, read, form); \
        const std::size_t size = static_cast<std::size_t>(result.ptr - from); \
        caller.reads(from, result.ptr == end ? size : size + 1); \
        if (result.ec == std::errc()) { \
            caller.writes(value, sizeof(*value)); \
            *value = read; \
        } \
        return result; \
    }
#pragma GCC diagnostic push
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wreturn-type-c-linkage"
#endif
ORDEAL_FLOATING_CHARS(f, float)
ORDEAL_FLOATING_CHARS(d, double)
ORDEAL_FLOATING_CHARS(e, long double)
#pragma GCC diagnostic pop

// The library function would resize a block of the heap on trial with the C library's own realloc.
char* __wrap___cxa_demangle(const char* name, char* buffer, std::size_t* size, int* status) {
    const caller_accesses caller = ordeal::detail::accesses_of_caller("__cxa_demangle");
    if (!caller.on_trial()) return abi::__cxa_demangle(name, buffer, size, status);
    if (name != nullptr) caller.reads_text(name);
    int result = name == nullptr || (buffer != nullptr && size == nullptr) ? -3 : 0;
    char* text = nullptr;
    if (result == 0) {
        const ordeal::harness_scope harness;
        text = abi::__cxa_demangle(name, nullptr, nullptr, &result);
    }
    if (text != nullptr) {
        const std::size_t wanted = std::strlen(text) + 1;
        if (buffer != nullptr) caller.reads(size, sizeof(*size));
        if (buffer == nullptr || *size < wanted) {
            buffer = static_cast<char*>(__wrap_realloc(buffer, wanted));
            if (size != nullptr) caller.writes(size, sizeof(*size));
            if (size != nullptr) *size = wanted;
        }
        caller.writes(buffer, wanted);
        std::memcpy(buffer, text, wanted);
        std::free(text);
    } else {
        buffer = nullptr;
    }
    if (status != nullptr) caller.writes(status, sizeof(*status));
    if (status != nullptr) *status = result;
    return buffer;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,bugprone-macro-parentheses)

namespace {

using node = std::_Rb_tree_node_base;

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

void __wrap__ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left, node* added, node* parent,
                                                                              node* head) {
    ordeal::detail::writes(head, sizeof(*head), "insert");
    ordeal::detail::writes(parent, sizeof(*parent), "insert");
    ordeal::detail::writes(added, sizeof(*added), "insert");
    std::_Rb_tree_insert_and_rebalance(left, added, parent, *head);
}

node* __wrap__ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(node* removed, node* head) {
    ordeal::detail::writes(head, sizeof(*head), "erase");
    ordeal::detail::writes(removed->_M_parent, sizeof(*removed), "erase");
    ordeal::detail::writes(removed, sizeof(*removed), "erase");
    return std::_Rb_tree_rebalance_for_erase(removed, *head);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
