// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ordeal::detail {

struct address_range {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;

    [[nodiscard]] bool contains(std::uintptr_t address) const noexcept { return address >= begin && address < end; }
};

/// The program or a shared library, as loaded into this process.
struct loaded_module {
    std::string path;
    std::uintptr_t bias = 0;  ///< difference between loaded addresses and those in the file
    std::vector<address_range> segments;
    std::vector<address_range> code;       ///< the executable ones among them
    std::vector<address_range> constants;  ///< those that are read only

    [[nodiscard]] bool contains(std::uintptr_t address) const noexcept;
};

[[nodiscard]] std::optional<loaded_module> module_at(std::uintptr_t address);

/// Whether the address is in the program itself, which contains the harness and the runtime.
[[nodiscard]] bool is_in_program(std::uintptr_t address);

/// The limits of every verdict on registered modules.
[[nodiscard]] std::vector<std::string> limits_of_modules();

/// The files of registered modules.
[[nodiscard]] const std::vector<std::string>& trial_libraries();

/// Whether the address is code of a registered module.
[[nodiscard]] bool is_trial_code(std::uintptr_t address) noexcept;

[[nodiscard]] inline std::span<const ElfW(Phdr)> headers_of(const dl_phdr_info& module) noexcept {
    return {module.dlpi_phdr, module.dlpi_phnum};
}

[[nodiscard]] inline bool is_trial_module(const dl_phdr_info& module) noexcept {
    return std::ranges::any_of(headers_of(module), [&](const ElfW(Phdr) & each) {
        return each.p_type == PT_LOAD && (each.p_flags & PF_X) != 0 && is_trial_code(module.dlpi_addr + each.p_vaddr);
    });
}

/// Calls `what` with the loader's entry of each trial library.
template <class Do>
void for_each_trial_module(Do what) {
    const auto look_at = [](dl_phdr_info* module, std::size_t /*size*/, void* context) {
        if (is_trial_module(*module)) (*static_cast<Do*>(context))(*module);
        return 0;
    };
    ::dl_iterate_phdr(look_at, &what);
}

/// Globals of libraries that are on trial, in the modules that are loaded now: of each shared library that trial
/// libraries are linked with and that the program itself does not use (what such a library keeps is a matter of the
/// code on trial alone), and variables that headers of POSIX declare. Not the standard streams, which several
/// threads may use concurrently ([iostream.objects.overview]) through functions that are compiled into the trial.
[[nodiscard]] std::vector<address_range> library_globals_on_trial();

}  // namespace ordeal::detail
