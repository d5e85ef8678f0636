// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/linker/object_file.hpp"

#include <ar.h>
#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace ordeal::linker {

namespace {

constexpr std::string_view thin_magic = "!<thin>\n";

template <class T>
T value_at(std::string_view bytes, std::size_t offset) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) throw std::runtime_error("it is cut short");
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

std::string_view part_of(std::string_view bytes, std::size_t offset, std::size_t size) {
    if (offset > bytes.size() || bytes.size() - offset < size) throw std::runtime_error("it is cut short");
    return bytes.substr(offset, size);
}

std::string text_at(std::string_view table, std::size_t offset) {
    if (offset >= table.size()) return {};
    const std::string_view rest = table.substr(offset);
    return std::string(rest.substr(0, rest.find('\0')));
}

std::string_view without_blanks(std::string_view text) { return text.substr(0, text.find_last_not_of(' ') + 1); }

// A member of an archive: "name/", or "/12" for an entry in the table of long names.
std::string name_of(std::string_view field, std::string_view long_names) {
    if (field.starts_with('/') && field.size() > 1) {
        const std::string_view rest =
            long_names.substr(std::min(long_names.size(), std::stoul(std::string(field.substr(1)))));
        return std::string(rest.substr(0, rest.find("/\n")));
    }
    return std::string(field.substr(0, field.rfind('/')));
}

}  // namespace

object_file::object_file(std::string_view bytes) {
    if (!bytes.starts_with(ELFMAG) || bytes.size() < EI_NIDENT || bytes[EI_CLASS] != ELFCLASS64 ||
        bytes[EI_DATA] != ELFDATA2LSB) {
        throw std::runtime_error("it is no object file of this machine");
    }
    const auto header = value_at<Elf64_Ehdr>(bytes, 0);
    // With very many sections, the numbers are in the first one.
    const auto first = header.e_shoff == 0 ? Elf64_Shdr{} : value_at<Elf64_Shdr>(bytes, header.e_shoff);
    const std::size_t count = header.e_shnum != 0 ? header.e_shnum : first.sh_size;
    const std::size_t names_at = header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : first.sh_link;
    std::vector<Elf64_Shdr> headers;
    for (std::size_t i = 0; i < count; ++i) {
        headers.push_back(value_at<Elf64_Shdr>(bytes, header.e_shoff + i * sizeof(Elf64_Shdr)));
    }
    const auto bytes_of = [&](const Elf64_Shdr& each) {
        return each.sh_type == SHT_NOBITS ? std::string_view() : part_of(bytes, each.sh_offset, each.sh_size);
    };
    const std::string_view names = names_at < count ? bytes_of(headers[names_at]) : std::string_view();
    for (const Elf64_Shdr& each : headers) {
        const std::string_view content = bytes_of(each);
        sections_.push_back({text_at(names, each.sh_name), (each.sh_flags & SHF_EXECINSTR) != 0, content});
        if ((each.sh_type != SHT_SYMTAB && each.sh_type != SHT_DYNSYM) || each.sh_link >= count) continue;
        const std::string_view symbol_names = bytes_of(headers[each.sh_link]);
        for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= content.size(); at += sizeof(Elf64_Sym)) {
            const auto symbol = value_at<Elf64_Sym>(content, at);
            symbols_.push_back({text_at(symbol_names, symbol.st_name), symbol.st_shndx != SHN_UNDEF});
        }
    }
}

bool object_file::has_code(const std::string& section_name) const {
    return std::ranges::any_of(sections_, [&](const section& each) { return each.code && each.name == section_name; });
}

bool object_file::has_symbol(std::string_view name) const {
    return std::ranges::find(symbols_, name, &symbol::name) != symbols_.end();
}

const std::string& input_files::content(const std::filesystem::path& file) {
    const auto [found, added] = read_.try_emplace(file);
    if (added) {
        std::ifstream in(file, std::ios::binary);
        if (!in) throw std::runtime_error("it cannot be read");
        found->second.assign(std::istreambuf_iterator<char>(in), {});
    }
    return found->second;
}

std::vector<object_file> input_files::objects(const std::filesystem::path& file, const std::string& member) {
    const std::string_view bytes = content(file);
    if (member.empty()) return {object_file(bytes)};
    const bool thin = bytes.starts_with(thin_magic);
    // Members of thin archives are files, which the linker names by their whole paths.
    const auto is_meant = [&](const std::string& name) {
        return name == member ||
               (thin && std::filesystem::path(name).filename() == std::filesystem::path(member).filename());
    };
    std::vector<object_file> result;
    std::string_view long_names;
    for (std::size_t at = SARMAG; at + sizeof(ar_hdr) <= bytes.size();) {
        const auto header = value_at<ar_hdr>(bytes, at);
        at += sizeof(ar_hdr);
        const std::string_view field = without_blanks({std::begin(header.ar_name), std::size(header.ar_name)});
        const std::size_t size = std::stoul(std::string(std::begin(header.ar_size), std::size(header.ar_size)));
        const bool table = field == "/" || field == "//" || field == "/SYM64/";
        const bool elsewhere = thin && !table;
        if (field == "//") long_names = part_of(bytes, at, size);
        if (const std::string name = table ? "" : name_of(field, long_names); !table && is_meant(name)) {
            result.emplace_back(elsewhere ? std::string_view(content(file.parent_path() / name))
                                          : part_of(bytes, at, size));
        }
        if (!elsewhere) at += size + size % 2;
    }
    if (result.empty()) throw std::runtime_error("it has no member of that name");
    return result;
}

}  // namespace ordeal::linker
