// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/site.hpp"

#include <cstddef>

namespace ordeal {

/// The fences that overrides add at a site: made where the operation there begins, and where it ends in whatever way.
/// `Operations` is what an engine makes them with, by add_fence(order, site).
template <class Operations>
class fences_around {
public:
    fences_around(Operations& by, site_id site) : by_(by), site_(site) { add(override_position::before); }
    ~fences_around() { add(override_position::after); }
    fences_around(const fences_around&) = delete;
    fences_around& operator=(const fences_around&) = delete;

private:
    void add(override_position position) {
        // Counted: a fence lets other threads run, and they may come to sites that have fences, too.
        for (std::size_t i = 0; i < sites().fences().size(); ++i) {
            const added_fence each = sites().fences()[i];
            if (each.at == site_ && each.position == position) by_.add_fence(each.with, site_);
        }
    }

    Operations& by_;
    site_id site_;
};

}  // namespace ordeal
