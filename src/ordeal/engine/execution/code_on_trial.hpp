// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/site.hpp"

#include <cstddef>
#include <exception>

namespace ordeal::detail {

/// From now on a failed requirement ends the running execution, through the runtime.
void send_failed_requirements_to_runtime() noexcept;

/// Fails, through the runtime, if memory allocated by the execution was never freed.
void require_no_leaks();

/// Runs code on trial; an exception that escapes is a violation.
template <class Call>
void guarded(Call call) {
    try {
        call();
    } catch (const std::exception& error) {
        current_runtime().fail(violation_kind::uncaught_exception, error.what(), no_site);
    } catch (...) {
        current_runtime().fail(violation_kind::uncaught_exception, "not derived from std::exception", no_site);
    }
}

/// The fences that overrides add at a site, before and after the operation there, however it ends. `Operations`
/// performs them by add_fence(order, site).
template <class Operations>
class fences_around {
public:
    fences_around(Operations& by, site_id site) : by_(by), site_(site) { add(override_position::before); }
    ~fences_around() { add(override_position::after); }
    fences_around(const fences_around&) = delete;
    fences_around& operator=(const fences_around&) = delete;

private:
    void add(override_position position) {
        // By index: a fence lets other threads run, which may also come to sites with fences.
        for (std::size_t i = 0; i < sites().fences().size(); ++i) {
            const added_fence each = sites().fences()[i];
            if (each.at == site_ && each.position == position) by_.add_fence(each.with, site_);
        }
    }

    Operations& by_;
    site_id site_;
};

}  // namespace ordeal::detail
