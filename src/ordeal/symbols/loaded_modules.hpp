// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ordeal {

struct address_range {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;

    [[nodiscard]] bool contains(std::uintptr_t address) const noexcept { return address >= begin && address < end; }
};

/// The program or a shared library, as it was loaded into this process.
struct loaded_module {
    std::string path;
    std::uintptr_t bias = 0;  ///< what was added to the addresses in the file
    std::vector<address_range> segments;
    std::vector<address_range> code;  ///< those of them that can be executed

    [[nodiscard]] bool contains(std::uintptr_t address) const noexcept;
};

[[nodiscard]] std::optional<loaded_module> module_at(std::uintptr_t address);

/// Whether this is in the program itself, which has the harness and the runtime.
[[nodiscard]] bool is_in_program(std::uintptr_t address);

/// What no verdict on registered modules may leave out, for it is about all that they do.
[[nodiscard]] std::vector<std::string> limits_of_modules();

/// The files of registered modules.
[[nodiscard]] const std::vector<std::string>& trial_libraries();

/// Whether this is code of a registered module.
[[nodiscard]] bool is_trial_code(std::uintptr_t address) noexcept;

}  // namespace ordeal
