// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/symbols/names/known_objects.hpp"

#include "ordeal/runtime/standard_headers.hpp"
#include "ordeal/symbols/module_debug_info.hpp"
#include "ordeal/symbols/names/naming_log.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ordeal::detail {

namespace {

using namespace debug_types;

bool is_of_harness(std::string_view file) {
    constexpr std::array<std::string_view, 6> folders{"ordeal/runtime/", "ordeal/engine/",   "ordeal/instrumented/",
                                                      "ordeal/symbols/", "ordeal/scenario/", "ordeal/policy/"};
    return std::ranges::any_of(folders, [&](auto each) { return file.find(each) != std::string_view::npos; });
}

bool is_library(std::string_view file) { return is_standard_header(file) || is_of_harness(file); }

std::string_view last_name(std::string_view name) {
    const std::size_t colons = name.rfind("::");
    return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

// Classes and other type names anywhere in a unit, those within functions included; those of which a block of this size
// has a whole number.
void find_types(die in, std::string_view name, std::uint64_t size, std::vector<die>& result) {
    const auto fits = [&](die each) {
        const std::uint64_t own = size_of(each);
        return own != 0 && size % own == 0;
    };
    any_child(in, [&](die each) {
        switch (dwarf_tag(&each)) {
            case DW_TAG_structure_type:
            case DW_TAG_class_type:
            case DW_TAG_union_type:
            case DW_TAG_typedef: {
                const std::string_view own = name_of(each);
                const bool named = own == name || (own.starts_with(name) && own.substr(name.size()).starts_with('<'));
                if (named && dwarf_hasattr(&each, DW_AT_declaration) == 0 && fits(each)) result.push_back(each);
                find_types(each, name, size, result);
                break;
            }
            case DW_TAG_base_type:
                if (name_of(each) == name && fits(each)) result.push_back(each);
                break;
            case DW_TAG_namespace:
            case DW_TAG_subprogram:
            case DW_TAG_lexical_block: find_types(each, name, size, result); break;
            default: break;
        }
        return false;
    });
}

// "<reset>" of "<(anonymous namespace)::reset>": without blanks, and what names are qualified by.
std::string unqualified(std::string_view arguments) {
    std::string result;
    for (std::size_t at = 0; at < arguments.size(); ++at) {
        if (arguments.substr(at).starts_with("::")) {
            ++at;
            while (!result.empty() && std::string_view("<,").find(result.back()) == std::string_view::npos) {
                result.pop_back();
            }
        } else if (arguments[at] != ' ') {
            result += arguments[at];
        }
    }
    return result;
}

// The type that is written so, "ring<int>", and has this size, or is the element of an array of this size, if it is
// unique.
std::optional<die> find_only_type(die unit, std::string_view written, std::uint64_t size) {
    const std::string_view name = written.substr(0, written.find('<'));
    std::vector<die> found;
    find_types(unit, last_name(name), size, found);
    if (const std::string_view arguments = written.substr(name.size()); !arguments.empty()) {
        // Within a template they may be its parameters.
        std::vector<die> fitting = found;
        std::erase_if(fitting, [&](die each) {
            const std::string_view whole = name_of(each);
            return unqualified(whole.substr(std::min(whole.find('<'), whole.size()))) != unqualified(arguments);
        });
        if (!fitting.empty()) found = std::move(fitting);
    }
    const auto is_whole = [&](die each) { return size_of(each) == size; };
    if (std::ranges::any_of(found, is_whole)) std::erase_if(found, std::not_fn(is_whole));
    if (found.empty()) return {};
    const auto differs = [&](die each) { return full_name(stripped(each)) != full_name(stripped(found.front())); };
    return std::ranges::any_of(found, differs) ? std::nullopt : std::optional(stripped(found.front()));
}

// A search visits the whole unit, and a trace has many blocks of one type.
std::optional<die> only_type(die unit, std::string_view written, std::uint64_t size) {
    static auto& known = *new std::map<std::tuple<const void*, std::string, std::uint64_t>, std::optional<die>>;
    const auto [found, added] = known.try_emplace({unit.addr, std::string(written), size});
    if (added) found->second = find_only_type(unit, written, size);
    return found->second;
}

std::optional<die> function_argument(die function) {
    if (const auto own = argument_of(function)) return own;
    for (const unsigned attribute : {DW_AT_abstract_origin, DW_AT_specification}) {
        Dwarf_Attribute found;
        die origin;
        if (dwarf_attr(&function, attribute, &found) == nullptr) continue;
        if (dwarf_formref_die(&found, &origin) == nullptr) continue;
        if (const auto result = function_argument(origin)) return result;
    }
    return {};
}

// The type for which a library function allocates.
std::optional<die> allocated_by(die scope, std::string_view function, std::size_t size) {
    const auto fits = [&](const std::optional<die>& type) {
        const std::uint64_t own = type ? size_of(stripped(*type)) : 0;
        return own != 0 && size >= own && size % own == 0;
    };
    std::optional<die> result;
    if (function == "allocate" || function == "allocate_at_least") {
        const auto allocator = class_of(scope);
        if (allocator && name_of(*allocator).find("allocator<") != std::string_view::npos) {
            result = argument_of(*allocator);
        }
    } else if (function.starts_with("make_unique") || function.starts_with("make_shared")) {
        result = function_argument(scope);
        // Of `make_unique<T[]>`, its element.
        if (die array = result.value_or(die{}); result && dwarf_tag(&array) == DW_TAG_array_type)
            result = type_of(array);
    }
    return fits(result) ? result : std::nullopt;
}

std::optional<die> type_allocated_at(std::uintptr_t address, const std::string& line, std::size_t size) {
    module_debug_info* const info = debug_info_at(address);
    const auto unit = info == nullptr ? std::nullopt : info->unit_at(address);
    if (!unit) return {};
    for (const std::string& each : types_allocated(line)) {
        if (const auto type = only_type(*unit, each, size)) return type;
    }
    return {};
}

}  // namespace

void set_type(block_contents& result, die type, std::size_t size) {
    result.type = stripped(type);
    result.is = size_of(result.type) == size ? block_contents::kind::object : block_contents::kind::array;
    result.word = short_name(result.type);
    if (!is_reserved(name_of(result.type))) return;
    // What std::thread calls is in a tuple with its arguments.
    const auto is_of_library = [](const die& type) {
        return is_reserved(name_of(type)) || name_of(type).starts_with("tuple<");
    };
    const auto inside = argument_of(result.type);
    if (!inside) {
        // "std::stop_token's state" of std::stop_token::_Stop_state_t.
        const std::size_t own = result.word.rfind("::");
        if (own != std::string::npos) result.word = result.word.substr(0, own) + "'s state";
        return;
    }
    for (die named = stripped(*inside);; named = stripped(*argument_of(named))) {
        result.word = short_name(named);
        if (!is_of_library(named) || !argument_of(named)) return;
    }
}

std::optional<source_frame> place_on_trial(std::span<const std::uintptr_t> calls) {
    for (const std::uintptr_t each : calls) {
        const std::uintptr_t address = each - 1;
        module_debug_info* const info = debug_info_at(address);
        // Whoever destroys a coroutine says more than its first line.
        if (info == nullptr || !coroutine_destroyed_by(address).empty()) continue;
        const std::vector<Dwarf_Die> scopes = info->scopes_at(address);
        const auto& frames = source_frames_at(address);
        for (std::size_t i = 0; i < frames.size() && i < scopes.size(); ++i) {
            // Nor does a destructor that nobody has written: its place is that of its class.
            die scope = scopes[scopes.size() - 1 - i];
            Dwarf_Attribute found;
            if (dwarf_attr_integrate(&scope, DW_AT_artificial, &found) != nullptr) continue;
            if (!frames[i].file.empty() && !is_library(frames[i].file)) return frames[i];
        }
    }
    return {};
}

block_contents contents_of(memory_range block, std::span<const std::uintptr_t> calls, source_text& sources) {
    block_contents result;
    bool called_directly = true;  // no function of a library is between the line and the allocation
    for (const std::uintptr_t each : calls) {
        const std::uintptr_t address = each - 1;
        module_debug_info* const info = debug_info_at(address);
        if (info == nullptr) {
            called_directly = false;
            continue;
        }
        const std::vector<Dwarf_Die> scopes = info->scopes_at(address);
        const auto& frames = source_frames_at(address);
        for (std::size_t i = 0; i < frames.size() && i < scopes.size(); ++i) {
            const source_frame& frame = frames[i];
            const die& scope = scopes[scopes.size() - 1 - i];
            if (result.is == block_contents::kind::unknown) {
                if (const auto type = allocated_by(scope, frame.function, block.size)) {
                    set_type(result, *type, block.size);
                }
            }
            const bool allocates = frame.function.starts_with("operator new");
            if (frame.file.empty() || allocates || is_of_harness(frame.file)) continue;
            if (result.is == block_contents::kind::unknown) {
                if (const auto type = type_allocated_at(address, sources.line(frame.file, frame.line), block.size)) {
                    set_type(result, *type, block.size);
                }
            }
            if (is_standard_header(frame.file)) {
                called_directly = false;
                continue;
            }
            result.place = frame.file + ":" + std::to_string(frame.line);
            // Debug information leaves out classes whose constructors are in a library.
            const std::vector<std::string> written = types_allocated(sources.line(frame.file, frame.line));
            if (result.is == block_contents::kind::unknown && called_directly && written.size() == 1)
                result.word = written.front();
            return result;
        }
    }
    return result;
}

// By its functions: those that the class has itself, its destructor above all, have its type as that of `this`.
std::optional<die> class_with_virtual_table(std::uintptr_t address, std::size_t size) {
    module_debug_info* const table = debug_info_at(address);
    const auto named = table == nullptr ? std::nullopt : table->global_at(address);
    if (!named || !named->name.starts_with("vtable for ")) return {};
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i != most; ++i) {
        const auto entry = address + i * sizeof(void*);
        std::uintptr_t function = 0;
        if (!table->where().contains(entry + sizeof function - 1)) break;
        std::memcpy(&function, reinterpret_cast<const void*>(entry), sizeof function);
        module_debug_info* const info = function == 0 ? nullptr : debug_info_at(function);
        if (info == nullptr) break;
        for (const Dwarf_Die& scope : info->scopes_at(function)) {
            const auto own = class_of(scope);
            if (own && size_of(*own) == size) return own;
        }
    }
    return {};
}

std::string coroutine_destroyed_by(std::uintptr_t function) {
    module_debug_info* const info = debug_info_at(function);
    if (info == nullptr) return {};
    const std::string symbol = info->symbol_at(function);
    const bool destroys = symbol.ends_with(".destroy") || symbol.ends_with(".cleanup");
    if (!destroys) return {};
    const auto& frames = source_frames_at(function);
    const std::string& name = frames.back().function;
    return name.substr(0, name.find('.'));
}

std::optional<die> frame_type_of(std::uintptr_t function) {
    module_debug_info* const info = debug_info_at(function);
    const std::vector<Dwarf_Die> scopes = info == nullptr ? std::vector<Dwarf_Die>{} : info->scopes_at(function);
    std::optional<die> result;
    for (const Dwarf_Die& scope : scopes) {
        any_child(scope, [&](die each) {
            const std::string_view name = name_of(each);
            const auto type = type_of(each);
            if (!type) return false;
            if (name == "__coro_frame") result = stripped(*type);
            if (name == "frame_ptr") result = pointee(*type);
            return result.has_value();
        });
        if (result) break;
    }
    if (result && !is_class(*result)) result.reset();
    return result;
}

// The ABI defines its position: after two pointers, suitably aligned (std::coroutine_handle::from_promise).
std::optional<promise_in_frame> promise_in_frame_of(std::uintptr_t function) {
    module_debug_info* const info = debug_info_at(function);
    std::optional<promise_in_frame> result;
    for (Dwarf_Die scope : info == nullptr ? std::vector<Dwarf_Die>{} : info->scopes_at(function)) {
        Dwarf_Attribute attribute;
        die origin = scope;
        if (dwarf_attr(&scope, DW_AT_abstract_origin, &attribute) != nullptr) dwarf_formref_die(&attribute, &origin);
        for (const die& in : {scope, origin}) {
            any_child(in, [&](die each) {
                const auto type = name_of(each) == "__promise" ? type_of(each) : std::nullopt;
                if (!type) return false;
                const std::uint64_t alignment = number_of(stripped(*type), DW_AT_alignment).value_or(1);
                constexpr std::uint64_t pointers = 2 * sizeof(void*);
                if (pointers % alignment == 0) result = {stripped(*type), pointers};
                return true;
            });
            if (result) return result;
        }
    }
    return result;
}

std::optional<die> type_of_scenario(const scenario_body& body) {
    const auto address = body.construct_from != nullptr ? reinterpret_cast<std::uintptr_t>(body.construct_from)
                                                        : reinterpret_cast<std::uintptr_t>(body.construct);
    module_debug_info* const info = debug_info_at(address);
    const std::vector<Dwarf_Die> scopes = info == nullptr ? std::vector<Dwarf_Die>{} : info->scopes_at(address);
    if (scopes.empty()) return {};
    const auto type = function_argument(scopes.front());
    if (!type || size_of(stripped(*type)) != body.size) return {};
    return stripped(*type);
}

namespace {

// The addresses of globals in the file.
class variable_index {
public:
    explicit variable_index(const module_debug_info& of) {
        for (const die& unit : of.all_units()) collect(unit);
    }
    [[nodiscard]] std::optional<die> at(std::uintptr_t address) const {
        const auto found = all_.find(address);
        return found == all_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    void collect(die in) {
        any_child(in, [&](die each) {
            switch (dwarf_tag(&each)) {
                case DW_TAG_variable: add(each); break;
                case DW_TAG_namespace:
                case DW_TAG_subprogram:
                case DW_TAG_lexical_block: collect(each); break;
                default: break;
            }
            return false;
        });
    }
    void add(die variable) {
        Dwarf_Attribute attribute;
        Dwarf_Op* operations = nullptr;
        std::size_t count = 0;
        if (dwarf_attr(&variable, DW_AT_location, &attribute) == nullptr) return;
        if (dwarf_getlocation(&attribute, &operations, &count) != 0 || count == 0) return;
        if (count == 1 && operations[0].atom == DW_OP_addr) all_.emplace(operations[0].number, variable);
        if (count != 1 || (operations[0].atom != DW_OP_addrx && operations[0].atom != DW_OP_GNU_addr_index)) return;
        Dwarf_Attribute whole;
        Dwarf_Addr address = 0;
        if (dwarf_getlocation_attr(&attribute, operations, &whole) == 0 && dwarf_formaddr(&whole, &address) == 0) {
            all_.emplace(address, variable);
        }
    }

    std::unordered_map<std::uintptr_t, die> all_;
};

}  // namespace

std::optional<known_variable> global_variable_at(std::uintptr_t address) {
    module_debug_info* const info = debug_info_at(address);
    if (info == nullptr) return {};
    const auto named = info->global_at(address);
    if (!named) return {};
    known_variable result{named->name, address - named->offset, {}};
    static auto& known = *new std::unordered_map<module_debug_info*, variable_index>;
    const auto& index = known.try_emplace(info, *info).first->second;
    if (const auto variable = index.at(result.address - info->where().bias)) {
        result.type = type_of(*variable);
        result.name = without_inline_namespaces(*variable, std::move(result.name));
    }
    result.name = with_short_arguments(result.name);
    return result;
}

namespace {

#if defined(__x86_64__)
constexpr unsigned frame_pointer = 6;
constexpr unsigned stack_pointer = 7;
#else
constexpr unsigned frame_pointer = 29;
constexpr unsigned stack_pointer = 31;
#endif

// The location of a variable while a function runs: on its stack, or none.
class stack_locations {
public:
    stack_locations(const running_function& in, Dwarf_Addr at, const die& function) : in_(in), at_(at) {
        die outermost = function;
        const auto operations = operations_of(outermost, DW_AT_frame_base);
        if (operations.size() != 1) return;
        switch (operations[0].atom) {
            case DW_OP_call_frame_cfa: base_ = in_.end; break;
            case DW_OP_reg0 + frame_pointer: base_ = in_.frame; break;
            case DW_OP_reg0 + stack_pointer: base_ = in_.stack; break;
            default: break;
        }
    }

    [[nodiscard]] Dwarf_Addr position() const noexcept { return at_; }
    // Of a variable that optimisation has taken apart, one piece that is on the stack tells where the whole would be.
    [[nodiscard]] std::optional<std::uintptr_t> of(die variable) const {
        std::uint64_t pieces_before = 0;
        std::optional<std::uintptr_t> here;
        bool in_memory = true;
        for (const Dwarf_Op& each : operations_of(variable, DW_AT_location)) {
            const auto number = static_cast<std::uintptr_t>(each.number);
            switch (each.atom) {
                case DW_OP_fbreg:
                    if (base_ != 0) here = base_ + number;
                    break;
                case DW_OP_breg0 + frame_pointer: here = in_.frame + number; break;
                case DW_OP_breg0 + stack_pointer: here = in_.stack + number; break;
                case DW_OP_plus_uconst:
                    if (here) *here += number;
                    break;
                case DW_OP_piece:
                    if (here && in_memory) return *here - pieces_before;
                    pieces_before += number;
                    here.reset();
                    in_memory = true;
                    break;
                default: in_memory = false;
            }
        }
        return in_memory && pieces_before == 0 ? here : std::nullopt;
    }

private:
    [[nodiscard]] std::span<const Dwarf_Op> operations_of(die& what, unsigned attribute) const {
        Dwarf_Attribute found;
        Dwarf_Op* operations = nullptr;
        std::size_t count = 0;
        if (dwarf_attr(&what, attribute, &found) == nullptr) return {};
        if (dwarf_getlocation_addr(&found, at_, &operations, &count, 1) != 1) return {};
        return {operations, count};
    }

    const running_function& in_;
    Dwarf_Addr at_;
    std::uintptr_t base_ = 0;
};

void find_local(const stack_locations& locations, die scope, std::uintptr_t address,
                std::optional<known_variable>& result) {
    any_child(scope, [&](die each) {
        const int tag = dwarf_tag(&each);
        if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) {
            // Variables of blocks that are not active may have had the same bytes.
            if (dwarf_haspc(&each, locations.position()) == 1) find_local(locations, each, address, result);
            return false;
        }
        if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) return false;
        const auto type = type_of(each);
        const auto begin = type ? locations.of(each) : std::nullopt;
        if (!begin || name_of(each).empty()) return false;
        // A unit may have no more of a class of a library than its name.
        const std::uint64_t size = std::max<std::uint64_t>(size_of(stripped(*type)), 1);
        if (address - *begin >= size) return false;
        // A function inlined further inward may have a name of its own for it.
        if (!result) result = known_variable{std::string(name_of(each)), *begin, type};
        return false;
    });
}

}  // namespace

std::optional<known_variable> local_variable_at(const running_function& in, std::uintptr_t address) {
    module_debug_info* const info = debug_info_at(in.address - 1);
    if (info == nullptr) return {};
    const std::vector<Dwarf_Die> scopes = info->scopes_at(in.address - 1);
    if (scopes.empty()) return {};
    const stack_locations locations(in, in.address - 1 - info->where().bias, scopes.front());
    std::optional<known_variable> result;
    find_local(locations, scopes.front(), address, result);
    return result;
}

// Functions inlined into a function have their locals there, too.
std::string name_of_function(std::uintptr_t return_address) {
    std::string result;
    for (const source_frame& each : source_frames_at(return_address - 1)) {
        if (!each.file.empty() && !is_library(each.file)) result = each.function;
    }
    return result;
}

}  // namespace ordeal::detail
