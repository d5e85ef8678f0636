// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/persistence/resumable_file.hpp"

#include "ordeal/runtime/state/hash.hpp"

#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace ordeal::detail {

namespace {

// A segment of a file to be loaded.
struct loaded_part {
    std::string file;
    std::uintptr_t address = 0;
    std::size_t size = 0;
    std::streamoff offset = 0;
    bool as_loaded = false;  // unchanged since it was loaded
};

int add_parts(dl_phdr_info* module, std::size_t /*size*/, void* context) {
    auto& parts = *static_cast<std::vector<loaded_part>*>(context);
    const std::string_view name = module->dlpi_name == nullptr ? "" : module->dlpi_name;
    // The program itself has an empty name, and the kernel's own library a name without a slash.
    if (!name.empty() && name.find('/') == std::string_view::npos) return 0;
    for (unsigned i = 0; i < module->dlpi_phnum; ++i) {
        const auto& header = module->dlpi_phdr[i];
        if (header.p_type != PT_LOAD || header.p_filesz == 0) continue;
        parts.push_back({name.empty() ? "/proc/self/exe" : std::string(name), module->dlpi_addr + header.p_vaddr,
                         header.p_filesz, static_cast<std::streamoff>(header.p_offset),
                         (header.p_flags & (PF_R | PF_W)) == PF_R});
    }
    return 0;
}

// The initial values of variables. The file may have been replaced since the program began, but hardly without its
// code.
std::vector<char> as_in_file(const loaded_part& part) {
    std::vector<char> bytes(part.size);
    std::ifstream file(part.file, std::ios::binary);
    if (!file.seekg(part.offset) || !file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
        throw std::runtime_error("'" + part.file + "', of which this program is made, cannot be read");
    }
    return bytes;
}

// The code includes the linker's build id, if there is one.
std::string work_out() {
    std::vector<loaded_part> parts;
    dl_iterate_phdr(&add_parts, &parts);
    std::uint64_t hash = 0;
    for (const loaded_part& each : parts) {
        if (each.as_loaded) {
            hash = hash_of_bytes(each.address, each.size, hash);
        } else {
            const std::vector<char> bytes = as_in_file(each);
            hash = hash_of_bytes(reinterpret_cast<std::uintptr_t>(bytes.data()), bytes.size(), hash);
        }
    }
    return fmt::format("{:016x}", hash);
}

}  // namespace

const std::string& build_identity() {
    static const std::string identity = work_out();
    return identity;
}

namespace {

std::string hash_of_value(std::string_view value) {
    return fmt::format("{:016x}", hash_of_bytes(reinterpret_cast<std::uintptr_t>(value.data()), value.size(), 0));
}

std::map<std::string, std::string, std::less<>> environment_now() {
    std::map<std::string, std::string, std::less<>> result;
    for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
        const std::string_view text = *each;
        const std::size_t end = text.find('=');
        if (end != std::string_view::npos) result.emplace(text.substr(0, end), text.substr(end + 1));
    }
    return result;
}

auto& kept() {
    static std::optional<std::map<std::string, std::string, std::less<>>> instance;
    return instance;
}

}  // namespace

void keep_environment() { kept() = environment_now(); }

environment_values values_in_environment(std::span<const std::string> names) {
    const auto now = kept() ? *kept() : environment_now();
    environment_values result;
    for (const std::string& name : names) {
        const auto found = now.find(name);
        if (name == "*") {
            std::string all;
            for (const auto& [each, value] : now) all.append(each).append(1, '=').append(value).append(1, '\0');
            result[name] = hash_of_value(all);
        } else {
            result[name] = found == now.end() ? "unset" : hash_of_value(found->second);
        }
    }
    return result;
}

std::string changed_variable(const environment_values& recorded) {
    std::vector<std::string> names;
    for (const auto& [name, value] : recorded) names.push_back(name);
    for (const auto& [name, value] : values_in_environment(names)) {
        if (recorded.at(name) != value) return name;
    }
    return {};
}

}  // namespace ordeal::detail
