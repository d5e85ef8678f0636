// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/symbols/loaded_modules.hpp"

#include <link.h>

#include <algorithm>
#include <cstddef>
#include <span>

namespace ordeal::detail {

[[nodiscard]] inline std::span<const ElfW(Phdr)> headers_of(const dl_phdr_info& module) noexcept {
    return {module.dlpi_phdr, module.dlpi_phnum};
}

/// Calls `what` with the loader's entry of each trial library.
template <class Do>
void for_each_trial_module(Do what) {
    const auto look_at = [](dl_phdr_info* module, std::size_t /*size*/, void* context) {
        const bool on_trial = std::ranges::any_of(headers_of(*module), [&](const ElfW(Phdr) & each) {
            return each.p_type == PT_LOAD && (each.p_flags & PF_X) != 0 &&
                   is_trial_code(module->dlpi_addr + each.p_vaddr);
        });
        if (on_trial) (*static_cast<Do*>(context))(*module);
        return 0;
    };
    ::dl_iterate_phdr(look_at, &what);
}

}  // namespace ordeal::detail
