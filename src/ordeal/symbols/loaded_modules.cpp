// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/symbols/loaded_modules.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/scenario/trial_registration.hpp"

#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <string_view>
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

std::string_view file_name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view file_name_of_module(const dl_phdr_info& module) {
    return module.dlpi_name == nullptr ? "" : file_name_of(module.dlpi_name);
}

// The names of the libraries that a module is linked with.
std::vector<std::string_view> needed_by(const dl_phdr_info& module) {
    std::vector<std::string_view> result;
    for (const ElfW(Phdr) & each : headers_of(module)) {
        if (each.p_type != PT_DYNAMIC) continue;
        const auto* const first = reinterpret_cast<const ElfW(Dyn)*>(module.dlpi_addr + each.p_vaddr);
        const char* names = nullptr;
        for (const auto* entry = first; entry->d_tag != DT_NULL; ++entry) {
            if (entry->d_tag != DT_STRTAB) continue;
            // Some loaders leave the address as it is in the file.
            const std::uintptr_t at = entry->d_un.d_ptr;
            names = reinterpret_cast<const char*>(at < module.dlpi_addr ? at + module.dlpi_addr : at);
        }
        for (const auto* entry = first; names != nullptr && entry->d_tag != DT_NULL; ++entry) {
            if (entry->d_tag == DT_NEEDED) result.emplace_back(names + entry->d_un.d_val);
        }
    }
    return result;
}

// Libraries that this program uses itself, and those of test frameworks, which run it: a test holds the list to what
// the program is linked with.
bool is_of_program(std::string_view file_name) {
    constexpr std::array<std::string_view, 26> known{"ld-linux-",
                                                     "linux-vdso.so",
                                                     "libc.so",
                                                     "libm.so",
                                                     "libpthread.so",
                                                     "libdl.so",
                                                     "librt.so",
                                                     "libgcc_s.so",
                                                     "libstdc++.so",
                                                     "libatomic.so",
                                                     "libboost_context.so",
                                                     "libfmt.so",
                                                     "libdw.so",
                                                     "libelf.so",
                                                     "libz.so",
                                                     "liblzma.so",
                                                     "libbz2.so",
                                                     "libzstd.so",
                                                     "libxxhash.so",
                                                     "libgtest.so",
                                                     "libgmock.so",
                                                     "libCatch2.so",
                                                     "libdoctest.so",
                                                     "libboost_unit_test_framework.so",
                                                     "libboost_prg_exec_monitor.so",
                                                     "libboost_test_exec_monitor.so"};
    return std::ranges::any_of(known, [&](std::string_view each) { return file_name.starts_with(each); });
}

// Calls `what` with each shared library that trial libraries are linked with, and that the program does not use itself.
template <class Do>
void for_each_library_of_trials(Do what) {
    std::vector<dl_phdr_info> all;
    const auto add = [](dl_phdr_info* module, std::size_t /*size*/, void* context) {
        static_cast<std::vector<dl_phdr_info>*>(context)->push_back(*module);
        return 0;
    };
    ::dl_iterate_phdr(add, &all);
    std::vector<std::string_view> names;  // of libraries that are needed, each once
    const auto add_needed = [&](const dl_phdr_info& module) {
        for (const std::string_view each : needed_by(module)) {
            const std::string_view name = file_name_of(each);
            if (!is_of_program(name) && std::ranges::find(names, name) == names.end()) names.push_back(name);
        }
    };
    for_each_trial_module(add_needed);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto found = std::ranges::find(all, names[i], file_name_of_module);
        if (found == all.end()) continue;
        add_needed(*found);
        if (!is_trial_module(*found)) what(*found);
    }
}

template <class Variable>
address_range range_of(const Variable& variable) noexcept {
    const auto begin = reinterpret_cast<std::uintptr_t>(&variable);
    return {begin, begin + sizeof variable};
}

std::vector<address_range> variables_of_posix() {
    return {range_of(optind),   range_of(opterr), range_of(optopt),  range_of(optarg), range_of(timezone),
            range_of(daylight), range_of(tzname), range_of(signgam), range_of(environ)};
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

std::vector<address_range> library_globals_on_trial() {
    std::vector<address_range> result = variables_of_posix();
    for_each_library_of_trials([&](const dl_phdr_info& module) {
        for (const ElfW(Phdr) & each : headers_of(module)) {
            if (each.p_type != PT_LOAD || (each.p_flags & PF_W) == 0) continue;
            const std::uintptr_t begin = module.dlpi_addr + each.p_vaddr;
            result.push_back({begin, begin + each.p_memsz});
        }
    });
    return result;
}

const std::vector<std::string>& trial_libraries() { return trial_paths(); }

bool is_trial_code(std::uintptr_t address) noexcept {
    return std::ranges::any_of(trial_code(), [&](const address_range& each) { return each.contains(address); });
}

}  // namespace ordeal::detail
