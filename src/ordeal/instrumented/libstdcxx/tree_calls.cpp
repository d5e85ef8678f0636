// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees of std::map and std::set are linked inside libstdc++, out of sight. Whoever adds or removes a node changes the
// container: its head, the node, and what that hangs on.
#include "ordeal/instrumented/caller/compiler_calls.hpp"

#include <bits/stl_tree.h>

namespace {

using node = std::_Rb_tree_node_base;

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

void __wrap__ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left, node* added, node* parent,
                                                                              node* head) {
    ordeal::writes(head, sizeof(*head), "insert");
    ordeal::writes(parent, sizeof(*parent), "insert");
    ordeal::writes(added, sizeof(*added), "insert");
    std::_Rb_tree_insert_and_rebalance(left, added, parent, *head);
}

node* __wrap__ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(node* removed, node* head) {
    ordeal::writes(head, sizeof(*head), "erase");
    ordeal::writes(removed->_M_parent, sizeof(*removed), "erase");
    ordeal::writes(removed, sizeof(*removed), "erase");
    return std::_Rb_tree_rebalance_for_erase(removed, *head);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
