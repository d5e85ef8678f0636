// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/process_state/thread_variables.hpp"

#include "ordeal/symbols/loaded_modules.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <string_view>

namespace ordeal::detail {

namespace {

/// The bytes of a file.
class mapped_file {
public:
    explicit mapped_file(const char* path) {
        const int file = ::open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) return;
        struct stat about{};
        if (::fstat(file, &about) == 0 && about.st_size > 0) {
            size_ = static_cast<std::size_t>(about.st_size);
            void* const got = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
            if (got != MAP_FAILED) bytes_ = static_cast<const std::byte*>(got);
        }
        ::close(file);
    }
    ~mapped_file() {
        if (bytes_ != nullptr) ::munmap(const_cast<std::byte*>(bytes_), size_);
    }
    mapped_file(const mapped_file&) = delete;
    mapped_file& operator=(const mapped_file&) = delete;

    /// Empty if the file ends before.
    template <class T>
    [[nodiscard]] std::span<const T> at(std::size_t offset, std::size_t count) const {
        if (bytes_ == nullptr || offset > size_ || count > (size_ - offset) / sizeof(T)) return {};
        return {reinterpret_cast<const T*>(bytes_ + offset), count};
    }
    [[nodiscard]] std::string_view text_at(std::size_t offset) const {
        const auto rest = at<char>(offset, offset < size_ ? size_ - offset : 0);
        return {rest.begin(), std::find(rest.begin(), rest.end(), '\0')};
    }

private:
    const std::byte* bytes_ = nullptr;
    std::size_t size_ = 0;
};

void add_variables(const dl_phdr_info& module, std::vector<const thread_variable*>& all) {
    const mapped_file file(module.dlpi_name);
    const auto header = file.at<ElfW(Ehdr)>(0, 1);
    if (header.empty()) return;
    const auto sections = file.at<ElfW(Shdr)>(header[0].e_shoff, header[0].e_shnum);
    std::vector<std::uintptr_t> addresses;
    for (const ElfW(Shdr) & table : sections) {
        if (table.sh_type != SHT_SYMTAB || table.sh_link >= sections.size()) continue;
        const std::size_t names = sections[table.sh_link].sh_offset;
        for (const ElfW(Sym) & symbol : file.at<ElfW(Sym)>(table.sh_offset, table.sh_size / sizeof(ElfW(Sym)))) {
            if (symbol.st_shndx != SHN_UNDEF && file.text_at(names + symbol.st_name).starts_with("__emutls_v.")) {
                addresses.push_back(module.dlpi_addr + symbol.st_value);
            }
        }
    }
    std::ranges::sort(addresses);
    for (const std::uintptr_t each : addresses) all.push_back(reinterpret_cast<const thread_variable*>(each));
}

}  // namespace

std::vector<const thread_variable*> thread_variables_of_trials() {
    std::vector<const thread_variable*> result;
    for_each_trial_module([&](const dl_phdr_info& module) { add_variables(module, result); });
    return result;
}

std::vector<thread_block> thread_blocks_of_trials() {
    std::vector<thread_block> result;
    for_each_trial_module([&](const dl_phdr_info& module) {
        for (const ElfW(Phdr) & each : headers_of(module)) {
            if (each.p_type != PT_TLS) continue;
            result.push_back({module.dlpi_tls_modid, each.p_memsz, std::max<std::size_t>(each.p_align, 1),
                              reinterpret_cast<const void*>(module.dlpi_addr + each.p_vaddr), each.p_filesz});
        }
    });
    return result;
}

}  // namespace ordeal::detail
