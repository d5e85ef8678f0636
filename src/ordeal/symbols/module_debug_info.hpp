// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/symbols/debug_info.hpp"
#include "ordeal/symbols/loaded_modules.hpp"

#include <elfutils/libdw.h>
#include <libelf.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::detail {

/// Maps addresses to owners. Where ranges overlap, the one that begins last wins.
class range_index {
public:
    /// Adds all addresses of this function or unit.
    void add(Dwarf_Die& of, std::size_t owner);
    void add(Dwarf_Addr begin, Dwarf_Addr end, std::size_t owner);
    /// Called after the last add().
    void sort();
    [[nodiscard]] std::optional<std::size_t> find(Dwarf_Addr address) const;

private:
    struct entry {
        Dwarf_Addr begin;
        Dwarf_Addr end;
        std::size_t owner;
    };
    std::vector<entry> entries_;
};

/// Debug information of one loaded module about its code and globals; read on demand.
///
/// Needs some 200 KB of stack: the library that reads line tables has large local arrays.
class module_debug_info {
public:
    explicit module_debug_info(loaded_module of);
    ~module_debug_info();
    module_debug_info(const module_debug_info&) = delete;
    module_debug_info& operator=(const module_debug_info&) = delete;

    [[nodiscard]] const loaded_module& where() const noexcept { return where_; }
    [[nodiscard]] std::vector<source_frame> frames_at(std::uintptr_t address);
    [[nodiscard]] std::optional<named_global> global_at(std::uintptr_t address);
    /// The thread-local variable at this offset from the beginning of the module's; not of those under -femulated-tls.
    [[nodiscard]] std::optional<named_global> thread_variable_at(std::size_t offset);
    [[nodiscard]] unwind_rule rule_at(std::uintptr_t address);

    /// Reads its symbols, and the functions of the unit that contains this address.
    void read_ahead(std::uintptr_t address);

    /// The function at this code address and what was inlined into it there, outermost first; empty if unknown.
    [[nodiscard]] std::vector<Dwarf_Die> scopes_at(std::uintptr_t address);
    /// The compilation unit of the code at this address.
    [[nodiscard]] std::optional<Dwarf_Die> unit_at(std::uintptr_t address) const;
    [[nodiscard]] std::vector<Dwarf_Die> all_units() const;
    /// The linker's name of the function at this address; empty if it has none.
    [[nodiscard]] std::string symbol_at(std::uintptr_t address);

private:
    // A compilation unit.
    struct unit {
        Dwarf_Die die;
        bool read = false;
        bool nests_functions = true;  ///< as g++ does those of local classes: they stand in other functions
        range_index functions_at;
        std::vector<Dwarf_Die> functions;
        std::string folder;  ///< the compiler's working directory
    };
    struct symbol {
        std::uintptr_t begin;  ///< in the file
        std::size_t size;
        const char* name;
    };

    void read_units();
    static void read_functions(unit& of);
    static void collect_functions(unit& of, Dwarf_Die parent);
    [[nodiscard]] static std::string file_name(const unit& of, const char* name);
    [[nodiscard]] static std::string file_at(const unit& of, std::uint32_t number);
    [[nodiscard]] static source_frame row_at(const unit& of, Dwarf_Addr address);
    [[nodiscard]] static source_frame call_of(const unit& of, Dwarf_Die& inlined);
    static void place_in(const unit& of, Dwarf_Die& function, source_frame& frame);
    void read_symbols();
    [[nodiscard]] static const symbol* find_symbol(const std::vector<symbol>& among, std::uintptr_t address);

    loaded_module where_;
    int file_ = -1;
    Elf* elf_ = nullptr;
    Dwarf* dwarf_ = nullptr;
    Dwarf_CFI* tables_ = nullptr;  ///< for unwinding
    range_index units_at_;
    std::vector<unit> units_;
    bool symbols_read_ = false;
    std::vector<symbol> function_symbols_;
    std::vector<symbol> global_symbols_;
    std::vector<symbol> thread_symbols_;
};

/// The module that contains this address; null if there is none. Stays open; one thread at a time.
[[nodiscard]] module_debug_info* debug_info_at(std::uintptr_t address);

}  // namespace ordeal::detail
