// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/symbols/loaded_modules.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/scenario/trial_registration.hpp"

#include <link.h>

#include <algorithm>
#include <utility>

namespace ordeal::detail {

namespace {

struct wanted_module {
    std::uintptr_t address;
    std::optional<loaded_module> found;
};

int look_at(dl_phdr_info* info, std::size_t /*size*/, void* context) {
    auto& wanted = *static_cast<wanted_module*>(context);
    loaded_module result;
    result.bias = info->dlpi_addr;
    for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
        const auto& header = info->dlpi_phdr[i];
        if (header.p_type != PT_LOAD) continue;
        const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
        result.segments.push_back({begin, begin + header.p_memsz});
        if ((header.p_flags & PF_X) != 0) result.code.push_back(result.segments.back());
        if ((header.p_flags & PF_W) == 0) result.constants.push_back(result.segments.back());
    }
    if (!result.contains(wanted.address)) return 0;
    // The program itself has an empty name.
    result.path = info->dlpi_name == nullptr || *info->dlpi_name == '\0' ? "/proc/self/exe" : info->dlpi_name;
    wanted.found = std::move(result);
    return 1;
}

// A function-local static, as it is needed before the constructors of globals have run.
std::vector<address_range>& trial_code() {
    static std::vector<address_range> instance;
    return instance;
}

std::vector<std::string>& trial_paths() {
    static std::vector<std::string> instance;
    return instance;
}

bool& without_plugin() {
    static bool instance = false;
    return instance;
}

}  // namespace

bool loaded_module::contains(std::uintptr_t address) const noexcept {
    return std::ranges::any_of(segments, [&](const address_range& each) { return each.contains(address); });
}

std::optional<loaded_module> module_at(std::uintptr_t address) {
    const harness_scope harness;
    wanted_module wanted{address, std::nullopt};
    dl_iterate_phdr(&look_at, &wanted);
    return std::move(wanted.found);
}

bool is_in_program(std::uintptr_t address) {
    static const loaded_module program = *module_at(reinterpret_cast<std::uintptr_t>(&is_in_program));
    return program.contains(address);
}

void register_trial_module(const void* address_inside, bool has_plugin) {
    const harness_scope harness;
    const auto found = module_at(reinterpret_cast<std::uintptr_t>(address_inside));
    if (!found) return;
    for (const address_range& each : found->code) trial_code().push_back(each);
    trial_paths().push_back(found->path);
    if (!has_plugin) without_plugin() = true;
}

std::vector<std::string> limits_of_modules() {
    if (!without_plugin()) return {};
    const harness_scope harness;
    return {
        "compiled without ordeal's plugin for the compiler: assembler, and accesses of unusual sizes, are not seen"};
}

const std::vector<std::string>& trial_libraries() { return trial_paths(); }

bool is_trial_code(std::uintptr_t address) noexcept {
    return std::ranges::any_of(trial_code(), [&](const address_range& each) { return each.contains(address); });
}

}  // namespace ordeal::detail
