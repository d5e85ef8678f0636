// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/caller/foreign_memory.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/symbols/loaded_modules.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace ordeal::detail {

namespace {

std::vector<address_range> all_globals() {
    std::vector<address_range> result;
    const auto add_segments = [](dl_phdr_info* module, std::size_t /*size*/, void* context) {
        for (const ElfW(Phdr) & each : headers_of(*module)) {
            if (each.p_type != PT_LOAD) continue;
            const std::uintptr_t begin = module->dlpi_addr + each.p_vaddr;
            static_cast<std::vector<address_range>*>(context)->push_back({begin, begin + each.p_memsz});
        }
        return 0;
    };
    ::dl_iterate_phdr(add_segments, &result);
    return result;
}

std::vector<address_range> globals_but_of_trials() {
    std::vector<address_range> result = all_globals();
    for_each_trial_module([&](const dl_phdr_info& module) {
        for (const ElfW(Phdr) & each : headers_of(module)) {
            std::erase_if(result, [&](const address_range& known) {
                return each.p_type == PT_LOAD && known.begin == module.dlpi_addr + each.p_vaddr;
            });
        }
    });
    return result;
}

constexpr std::uintptr_t page = 4096;

bool is_mapped(std::uintptr_t address) noexcept {
    unsigned char resident = 0;
    return ::mincore(reinterpret_cast<void*>(address & ~(page - 1)), 1, &resident) == 0;
}

}  // namespace

bool is_foreign_global(std::uintptr_t address) noexcept {
    if (is_memory_on_trial(address)) return false;
    // The model's threads share it as they share the OS thread; each finds its own value when it runs.
    if (address - reinterpret_cast<std::uintptr_t>(&errno) < sizeof(errno)) return true;
    const harness_scope harness;
    static const std::vector<address_range> all = globals_but_of_trials();
    static const std::vector<address_range> on_trial = library_globals_on_trial();
    const auto here = [&](const address_range& each) { return each.contains(address); };
    return std::ranges::any_of(all, here) && std::ranges::none_of(on_trial, here);
}

bool is_unknown_memory(std::uintptr_t address) noexcept {
    if (is_memory_on_trial(address)) return false;
    const harness_scope harness;
    static const std::vector<address_range> at_first = all_globals();
    const auto here = [&](const address_range& each) { return each.contains(address); };
    if (std::ranges::any_of(at_first, here) || !is_mapped(address)) return false;
    return std::ranges::none_of(all_globals(), here);
}

}  // namespace ordeal::detail
