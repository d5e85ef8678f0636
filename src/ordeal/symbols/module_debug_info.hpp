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
#include <string_view>
#include <vector>

namespace ordeal {

/// Which of many things an address belongs to. Where ranges overlap, the one that begins last.
class range_index {
public:
    /// All addresses of this function or unit.
    void add(Dwarf_Die& of, std::size_t owner);
    void add(Dwarf_Addr begin, Dwarf_Addr end, std::size_t owner);
    /// After the last add().
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

/// What the file of one loaded module says of its code and its globals; read when first asked for.
///
/// Needs some 200 KB of stack: the library that reads line tables begins with arrays there.
class module_debug_info {
public:
    explicit module_debug_info(loaded_module of);
    ~module_debug_info();
    module_debug_info(const module_debug_info&) = delete;
    module_debug_info& operator=(const module_debug_info&) = delete;

    [[nodiscard]] const loaded_module& where() const noexcept { return where_; }
    [[nodiscard]] std::vector<source_frame> frames_at(std::uintptr_t address);
    [[nodiscard]] std::optional<named_global> global_at(std::uintptr_t address);
    [[nodiscard]] unwind_rule rule_at(std::uintptr_t address);

    /// Its symbols, and the functions of the unit that this address lies in.
    void read_ahead(std::uintptr_t address);

    /// The function at this address of code and what was inlined into it there, outermost first; empty when nobody knows.
    [[nodiscard]] std::vector<Dwarf_Die> scopes_at(std::uintptr_t address);
    /// What was compiled from the source file that the code at this address is from.
    [[nodiscard]] std::optional<Dwarf_Die> unit_at(std::uintptr_t address) const;
    [[nodiscard]] std::vector<Dwarf_Die> all_units() const;
    /// The linker's name of the function at this address; empty when it has none.
    [[nodiscard]] std::string symbol_at(std::uintptr_t address);

private:
    // What was compiled from one source file.
    struct unit {
        Dwarf_Die die;
        bool read = false;
        range_index functions_at;
        std::vector<Dwarf_Die> functions;
        std::string folder;  ///< where the compiler ran
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
};

/// Of the module that this address lies in; null when it is in none. Kept once it is opened; one thread at a time.
[[nodiscard]] module_debug_info* debug_info_at(std::uintptr_t address);

}  // namespace ordeal
