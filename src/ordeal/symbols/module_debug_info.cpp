// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/symbols/module_debug_info.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/scenario/source_files.hpp"

#include <dwarf.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace ordeal::detail {

namespace {

// The attributes of a function may be at its declaration, or at the origin of its inlined copies.
std::uint32_t number_of(Dwarf_Die& die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_attr_integrate(&die, name, &attribute) == nullptr || dwarf_formudata(&attribute, &value) != 0) return 0;
    return static_cast<std::uint32_t>(value);
}

// "emplace<int>" -> "emplace", but not "operator<".
std::string bare_name(Dwarf_Die& function) {
    Dwarf_Attribute attribute;
    const char* text = dwarf_formstring(dwarf_attr_integrate(&function, DW_AT_name, &attribute));
    // Compiler-generated functions, such as the initialisation of globals, have only this name.
    if (text == nullptr) text = dwarf_formstring(dwarf_attr_integrate(&function, DW_AT_linkage_name, &attribute));
    std::string name = text == nullptr ? "" : text;
    const std::size_t arguments = name.find('<');
    if (arguments != std::string::npos && arguments > 0 && !name.starts_with("operator")) name.resize(arguments);
    // ORDEAL_TRIAL numbers its functions for the compiler alone.
    return name.starts_with("ordeal_trial_") ? "trial" : name;
}

std::string short_symbol_name(const char* symbol) {
    // The control block of a thread-local variable.
    constexpr std::string_view control = "__emutls_v.";
    if (std::string_view(symbol).starts_with(control)) symbol += control.size();
    std::string name = readable_symbol(symbol);
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    for (auto i = name.find(unnamed); i != std::string::npos; i = name.find(unnamed)) name.erase(i, unnamed.size());
    return name;
}

// The subprogram and the functions inlined at this address, outermost first.
std::vector<Dwarf_Die> scopes_in(const Dwarf_Die& function, Dwarf_Addr address) {
    std::vector<Dwarf_Die> result{function};
    Dwarf_Die child;
    Dwarf_Die inside = function;
    bool more = dwarf_child(&inside, &child) == 0;
    while (more) {
        const int tag = dwarf_tag(&child);
        const bool scope = tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block;
        if (scope && dwarf_haspc(&child, address) == 1) {
            if (tag == DW_TAG_inlined_subroutine) result.push_back(child);
            inside = child;
            more = dwarf_child(&inside, &child) == 0;
        } else {
            Dwarf_Die next;
            more = dwarf_siblingof(&child, &next) == 0;
            child = next;
        }
    }
    return result;
}

}  // namespace

void range_index::add(Dwarf_Die& of, std::size_t owner) {
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    std::ptrdiff_t i = 0;
    // Functions at 0 were discarded by the linker in favour of another copy.
    while ((i = dwarf_ranges(&of, i, &base, &begin, &end)) > 0) {
        if (begin != 0) entries_.push_back({begin, end, owner});
    }
}

void range_index::sort() {
    std::ranges::sort(entries_, {}, [](const entry& each) { return std::pair(each.begin, each.owner); });
}

std::optional<std::size_t> range_index::find(Dwarf_Addr address) const {
    const auto after = std::ranges::upper_bound(entries_, address, {}, &entry::begin);
    if (after == entries_.begin() || address >= (after - 1)->end) return std::nullopt;
    return (after - 1)->owner;
}

module_debug_info::module_debug_info(loaded_module of) : where_(std::move(of)) {
    elf_version(EV_CURRENT);
    const int opened = ::open(where_.path.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0) return;
    // It stays open; the code on trial may depend on descriptor numbers.
    file_ = ::fcntl(opened, F_DUPFD_CLOEXEC, first_descriptor_of_harness);
    ::close(opened);
    if (file_ < 0) return;
    elf_ = elf_begin(file_, ELF_C_READ_MMAP, nullptr);
    if (elf_ == nullptr) return;
    tables_ = dwarf_getcfi_elf(elf_);
    dwarf_ = dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
    if (dwarf_ != nullptr) read_units();
}

module_debug_info::~module_debug_info() {
    if (dwarf_ != nullptr) dwarf_end(dwarf_);
    if (tables_ != nullptr) dwarf_cfi_end(tables_);
    if (elf_ != nullptr) elf_end(elf_);
    if (file_ >= 0) ::close(file_);
}

void module_debug_info::read_units() {
    Dwarf_CU* at = nullptr;
    Dwarf_Half version = 0;
    std::uint8_t type = 0;
    unit next;
    while (dwarf_get_units(dwarf_, at, &at, &version, &type, &next.die, nullptr) == 0) {
        if (type != DW_UT_compile) continue;
        Dwarf_Attribute attribute;
        const char* const folder = dwarf_formstring(dwarf_attr(&next.die, DW_AT_comp_dir, &attribute));
        next.folder = folder == nullptr ? "" : folder;
        const char* const producer = dwarf_formstring(dwarf_attr(&next.die, DW_AT_producer, &attribute));
        next.nests_functions =
            producer == nullptr || std::string_view(producer).find("clang") == std::string_view::npos;
        units_at_.add(next.die, units_.size());
        units_.push_back(next);
    }
    units_at_.sort();
}

void module_debug_info::collect_functions(unit& of, Dwarf_Die parent) {
    Dwarf_Die child;
    for (bool more = dwarf_child(&parent, &child) == 0; more;) {
        switch (dwarf_tag(&child)) {
            case DW_TAG_subprogram:
                if (dwarf_hasattr(&child, DW_AT_low_pc) != 0 || dwarf_hasattr(&child, DW_AT_ranges) != 0) {
                    of.functions_at.add(child, of.functions.size());
                    of.functions.push_back(child);
                }
                [[fallthrough]];
            case DW_TAG_lexical_block:
                if (of.nests_functions) collect_functions(of, child);
                break;
            case DW_TAG_namespace:
            case DW_TAG_class_type:
            case DW_TAG_structure_type: collect_functions(of, child); break;
            default: break;
        }
        Dwarf_Die next;
        more = dwarf_siblingof(&child, &next) == 0;
        child = next;
    }
}

void module_debug_info::read_functions(unit& of) {
    if (std::exchange(of.read, true)) return;
    collect_functions(of, of.die);
    of.functions_at.sort();
}

// A name may be relative to the compiler's working directory, or to another folder given by a compiler option; in the
// latter case no such file exists in the former.
std::string module_debug_info::file_name(const unit& of, const char* name) {
    if (name == nullptr) return "";
    std::string_view rest = name;
    if (!of.folder.empty() && rest.starts_with(of.folder + '/')) rest.remove_prefix(of.folder.size() + 1);
    if (!rest.starts_with('/') && of.folder.starts_with('/')) {
        const std::string whole = of.folder + '/' + std::string(rest);
        if (::access(whole.c_str(), F_OK) == 0) return source_name(whole);
    }
    return source_name(rest);
}

source_frame module_debug_info::row_at(const unit& of, Dwarf_Addr address) {
    Dwarf_Die unit_die = of.die;
    Dwarf_Line* const row = dwarf_getsrc_die(&unit_die, address);
    if (row == nullptr) return {};
    int line = 0;
    int column = 0;
    dwarf_lineno(row, &line);
    dwarf_linecol(row, &column);
    return {"", file_name(of, dwarf_linesrc(row, nullptr, nullptr)), static_cast<std::uint32_t>(line),
            static_cast<std::uint32_t>(column)};
}

// Attributes refer to a file by its number in the unit's list; the first may be 0.
std::string module_debug_info::file_at(const unit& of, std::uint32_t number) {
    Dwarf_Die unit_die = of.die;
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrcfiles(&unit_die, &files, &count) != 0 || number >= count) return "";
    return file_name(of, dwarf_filesrc(files, number, nullptr, nullptr));
}

source_frame module_debug_info::call_of(const unit& of, Dwarf_Die& inlined) {
    return {"", file_at(of, number_of(inlined, DW_AT_call_file)), number_of(inlined, DW_AT_call_line),
            number_of(inlined, DW_AT_call_column)};
}

// Code generated for several lines has line 0; then it is attributed to the function.
void module_debug_info::place_in(const unit& of, Dwarf_Die& function, source_frame& frame) {
    frame.function = bare_name(function);
    if (frame.line != 0) return;
    frame.file = file_at(of, number_of(function, DW_AT_decl_file));
    frame.line = number_of(function, DW_AT_decl_line);
    frame.column = 0;
}

std::vector<source_frame> module_debug_info::frames_at(std::uintptr_t address) {
    const Dwarf_Addr in_file = address - where_.bias;
    const auto found = units_at_.find(in_file);
    if (!found) {
        read_symbols();
        const symbol* const function = find_symbol(function_symbols_, in_file);
        std::string name = function == nullptr ? "" : short_symbol_name(function->name);
        return {{name.substr(0, name.find('(')), "", 0, 0}};
    }
    unit& of = units_[*found];
    read_functions(of);
    const auto function = of.functions_at.find(in_file);
    if (!function) return {row_at(of, in_file)};
    std::vector<Dwarf_Die> scopes = scopes_in(of.functions[*function], in_file);
    std::vector<source_frame> result;
    source_frame position = row_at(of, in_file);
    for (std::size_t i = scopes.size(); i-- > 0;) {
        place_in(of, scopes[i], position);
        result.push_back(std::move(position));
        if (i > 0) position = call_of(of, scopes[i]);
    }
    return result;
}

std::vector<Dwarf_Die> module_debug_info::scopes_at(std::uintptr_t address) {
    const Dwarf_Addr in_file = address - where_.bias;
    const auto found = units_at_.find(in_file);
    if (!found) return {};
    unit& of = units_[*found];
    read_functions(of);
    const auto function = of.functions_at.find(in_file);
    return function ? scopes_in(of.functions[*function], in_file) : std::vector<Dwarf_Die>{};
}

std::optional<Dwarf_Die> module_debug_info::unit_at(std::uintptr_t address) const {
    const auto found = units_at_.find(address - where_.bias);
    return found ? std::optional(units_[*found].die) : std::nullopt;
}

std::vector<Dwarf_Die> module_debug_info::all_units() const {
    std::vector<Dwarf_Die> result;
    for (const unit& each : units_) result.push_back(each.die);
    return result;
}

std::string module_debug_info::symbol_at(std::uintptr_t address) {
    read_symbols();
    const symbol* const found = find_symbol(function_symbols_, address - where_.bias);
    return found == nullptr ? "" : found->name;
}

void module_debug_info::read_ahead(std::uintptr_t address) {
    read_symbols();
    if (const auto found = units_at_.find(address - where_.bias)) read_functions(units_[*found]);
}

void module_debug_info::read_symbols() {
    if (std::exchange(symbols_read_, true) || elf_ == nullptr) return;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr) continue;
        if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM) continue;
        Elf_Data* const data = elf_getdata(section, nullptr);
        const auto count = static_cast<int>(header.sh_entsize == 0 ? 0 : header.sh_size / header.sh_entsize);
        for (int i = 0; data != nullptr && i < count; ++i) {
            GElf_Sym each;
            if (gelf_getsym(data, i, &each) == nullptr || each.st_shndx == SHN_UNDEF || each.st_size == 0) continue;
            const symbol entry{each.st_value, each.st_size, elf_strptr(elf_, header.sh_link, each.st_name)};
            if (entry.name == nullptr) continue;
            if (GELF_ST_TYPE(each.st_info) == STT_OBJECT) global_symbols_.push_back(entry);
            if (GELF_ST_TYPE(each.st_info) == STT_FUNC) function_symbols_.push_back(entry);
            if (GELF_ST_TYPE(each.st_info) == STT_TLS) thread_symbols_.push_back(entry);
        }
    }
    const auto before = [](const symbol& one, const symbol& other) {
        return one.begin != other.begin ? one.begin < other.begin : std::strcmp(one.name, other.name) < 0;
    };
    std::ranges::sort(global_symbols_, before);
    std::ranges::sort(function_symbols_, before);
    std::ranges::sort(thread_symbols_, before);
}

const module_debug_info::symbol* module_debug_info::find_symbol(const std::vector<symbol>& among,
                                                                std::uintptr_t address) {
    const auto after = std::ranges::upper_bound(among, address, {}, &symbol::begin);
    if (after == among.begin() || address - (after - 1)->begin >= (after - 1)->size) return nullptr;
    return &*(after - 1);
}

std::optional<named_global> module_debug_info::global_at(std::uintptr_t address) {
    read_symbols();
    const symbol* const found = find_symbol(global_symbols_, address - where_.bias);
    if (found == nullptr) return std::nullopt;
    return named_global{short_symbol_name(found->name), address - where_.bias - found->begin};
}

std::optional<named_global> module_debug_info::thread_variable_at(std::size_t offset) {
    read_symbols();
    const symbol* const found = find_symbol(thread_symbols_, offset);
    if (found == nullptr) return std::nullopt;
    return named_global{short_symbol_name(found->name), offset - found->begin};
}

}  // namespace ordeal::detail
