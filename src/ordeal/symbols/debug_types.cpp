// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/symbols/debug_types.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <unordered_map>

namespace ordeal::detail::debug_types {

namespace {

constexpr int deepest = 32;
constexpr std::size_t longest_arguments = 24;

// The internals of a policy are not the user's.
bool is_policy_type(std::string_view name) {
    return name.starts_with("model_atomic<") || name.starts_with("model_cell<") || name == "model_atomic_flag" ||
           name == "model_mutex" || name == "model_continuation";
}

// Library storage for an object that begins later; the type says of what.
bool is_typed_storage(std::string_view name) {
    return name.starts_with("__aligned_buffer<") || name.starts_with("__aligned_membuf<");
}

std::uint64_t offset_of(die member) {
    if (const auto bits = number_of(member, DW_AT_data_bit_offset)) return *bits / 8;
    return number_of(member, DW_AT_data_member_location).value_or(0);
}

bool is_static(die member) {
    return dwarf_hasattr(&member, DW_AT_declaration) != 0 || dwarf_hasattr(&member, DW_AT_external) != 0;
}

// The enclosing classes and namespaces, outermost first.
std::vector<die> scopes_around(die what) {
    die* found = nullptr;
    const int count = dwarf_getscopes_die(&what, &found);
    const std::unique_ptr<die, decltype(&std::free)> guard(found, &std::free);
    std::vector<die> result;
    // The first is itself, the last the unit.
    for (int i = count - 2; i > 0; --i) result.push_back(found[i]);
    return result;
}

// Cached, as finding the enclosing scopes reads a whole unit.
const std::vector<die>& known_scopes(die what) {
    static auto& known = *new std::unordered_map<void*, std::vector<die>>;
    const auto found = known.find(what.addr);
    return found != known.end() ? found->second : known.emplace(what.addr, scopes_around(what)).first->second;
}

enum class form : std::uint8_t { full, brief };

// Normalises the policy's type names and clang's names of template instances.
std::string as_written(std::string_view name) {
    constexpr std::string_view keyword = "template ";
    constexpr std::string_view of_model = "model_";
    if (name.starts_with(keyword)) name.remove_prefix(keyword.size());
    if (is_policy_type(name)) name.remove_prefix(of_model.size());
    return std::string(name);
}

std::string name_for_unnamed(die type) {
    const bool is_called = any_child(
        type, [](die each) { return dwarf_tag(&each) == DW_TAG_subprogram && name_of(each) == "operator()"; });
    return is_called ? "lambda" : "(unnamed)";
}

std::string class_name(die type, form how) {
    std::string result;
    for (die scope : known_scopes(type)) {
        const int tag = dwarf_tag(&scope);
        if (tag == DW_TAG_namespace) {
            if (how == form::brief && name_of(scope) != "std") continue;
            if (dwarf_hasattr(&scope, DW_AT_export_symbols) != 0) continue;
            result += name_of(scope).empty() ? "(anonymous namespace)::" : std::string(name_of(scope)) + "::";
        } else if (is_class(scope) && !name_of(scope).empty()) {
            result += (how == form::full ? std::string(name_of(scope)) : with_short_arguments(name_of(scope))) + "::";
        }
    }
    const std::string own = name_of(type).empty() ? name_for_unnamed(type) : as_written(name_of(type));
    return result + (how == form::full ? own : with_short_arguments(own));
}

std::string text_of(std::optional<die> type, form how, int depth) {
    if (!type) return "void";
    if (depth > deepest) return "...";
    const auto inner = [&] { return text_of(type_of(*type), how, depth + 1); };
    switch (dwarf_tag(&*type)) {
        case DW_TAG_pointer_type: return inner() + " *";
        case DW_TAG_reference_type: return inner() + " &";
        case DW_TAG_rvalue_reference_type: return inner() + " &&";
        case DW_TAG_const_type: return "const " + inner();
        case DW_TAG_volatile_type: return "volatile " + inner();
        case DW_TAG_array_type: return inner() + "[]";
        case DW_TAG_subroutine_type: return "function";
        default: return class_name(*type, how);
    }
}

class descent {
public:
    descent(std::uint64_t offset, std::uint64_t size) : left_(offset), size_(size) {}

    std::vector<part> from(die type) {
        result_.push_back({"", type, 0});
        for (int depth = 0; depth < deepest && step(type); ++depth) {
        }
        return std::move(result_);
    }

private:
    // Steps one part inward, if there is one.
    bool step(die& type) {
        const die now = stripped(type);
        die tagged = now;
        if (dwarf_tag(&tagged) == DW_TAG_array_type) return enter_element(now, type);
        if (!is_class(now) || is_policy_type(name_of(now))) return false;
        if (is_typed_storage(name_of(now))) {
            const auto held = argument_of(now);
            if (!held) return false;
            type = *held;
            visible(type, "");
            return true;
        }
        return enter_member(now, type);
    }

    bool enter_element(die array, die& type) {
        const auto element = type_of(array);
        const std::uint64_t size = element ? size_of(*element) : 0;
        if (size == 0 || left_ % size + size_ > size) return false;
        std::vector<std::uint64_t> counts;
        any_child(array, [&](die each) {
            if (dwarf_tag(&each) == DW_TAG_subrange_type) {
                const auto last = number_of(each, DW_AT_upper_bound);
                counts.push_back(last ? *last + 1 : number_of(each, DW_AT_count).value_or(0));
            }
            return false;
        });
        std::uint64_t index = left_ / size;
        std::string indices;
        for (std::size_t i = counts.size(); i-- > 0;) {
            const std::uint64_t here = i == 0 || counts[i] == 0 ? index : index % counts[i];
            indices.insert(0, "[" + std::to_string(here) + "]");
            index = counts[i] == 0 ? 0 : index / counts[i];
        }
        begin_ += left_ - left_ % size;
        left_ %= size;
        // Bytes in which a library stores another object.
        const bool raw = hidden_ && size == 1;
        type = *element;
        if (!raw) visible(type, indices);
        return !raw;
    }

    // Of a class whose constructors are all in a library there is no more than a declaration: such a member reaches to
    // the next one.
    static std::uint64_t room_for(die each, die of) {
        std::uint64_t end = size_of(of);
        any_child(of, [&](die other) {
            const std::uint64_t begin = dwarf_tag(&other) == DW_TAG_member && !is_static(other) ? offset_of(other) : 0;
            if (begin > offset_of(each)) end = std::min(end, begin);
            return false;
        });
        return end - std::min(end, offset_of(each));
    }

    bool enter_member(die of, die& type) {
        std::optional<die> best;
        std::uint64_t best_size = 0;
        any_child(of, [&](die each) {
            const int tag = dwarf_tag(&each);
            if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || is_static(each)) return false;
            const auto own = type_of(each);
            if (!own) return false;
            const bool declared = size_of(*own) == 0 && is_class(stripped(*own));
            const std::uint64_t bytes = declared ? room_for(each, of) : size_of(*own);
            const std::uint64_t at = offset_of(each);
            if (left_ < at || left_ + std::max<std::uint64_t>(size_, 1) > at + bytes) return false;
            // Of several alternatives of a union, the first that fits. An empty base may share its address with a
            // member.
            if ((!declared && empty(*own)) || (best && (best_size == size_ || bytes != size_))) return false;
            best = each;
            best_size = bytes;
            return false;
        });
        if (!best) return false;
        begin_ += offset_of(*best);
        left_ -= offset_of(*best);
        type = *type_of(*best);
        const std::string_view name = name_of(*best);
        if (dwarf_tag(&*best) == DW_TAG_inheritance) return true;
        if (is_reserved(name)) {
            hidden_ = true;
        } else if (!name.empty()) {
            visible(type, "." + std::string(name));
        }
        return true;
    }

    static bool empty(die type) {
        const die plain = stripped(type);
        return is_class(plain) && !any_child(plain, [](die each) {
                   const int tag = dwarf_tag(&each);
                   return (tag == DW_TAG_member && !is_static(each)) || tag == DW_TAG_inheritance;
               });
    }

    void visible(die type, const std::string& name) {
        hidden_ = false;
        result_.push_back({result_.back().path + name, type, begin_});
    }

    std::uint64_t left_;
    std::uint64_t size_;
    std::uint64_t begin_ = 0;
    bool hidden_ = false;  // the enclosing part has no name in the source
    std::vector<part> result_;
};

void collect_members(die type, std::string_view name, std::uint64_t base, std::vector<member>& result, int depth) {
    const die of = stripped(type);
    if (!is_class(of) || depth > deepest) return;
    any_child(of, [&](die each) {
        const int tag = dwarf_tag(&each);
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || is_static(each)) return false;
        const auto own = type_of(each);
        if (!own) return false;
        const std::uint64_t at = base + offset_of(each);
        if (tag == DW_TAG_member && name_of(each) == name) result.push_back({at, *own});
        if (tag == DW_TAG_inheritance || name_of(each).empty()) collect_members(*own, name, at, result, depth + 1);
        return false;
    });
}

}  // namespace

bool is_reserved(std::string_view name) {
    const bool upper = name.size() > 1 && std::isupper(static_cast<unsigned char>(name[1])) != 0;
    return name.size() > 1 && name[0] == '_' && (name[1] == '_' || upper);
}

std::string_view name_of(die what) {
    const char* const name = dwarf_diename(&what);
    return name == nullptr ? "" : name;
}

std::optional<std::uint64_t> number_of(die what, unsigned attribute) {
    Dwarf_Attribute found;
    Dwarf_Word value = 0;
    if (dwarf_attr_integrate(&what, attribute, &found) == nullptr || dwarf_formudata(&found, &value) != 0) return {};
    return value;
}

std::optional<die> type_of(die what) {
    Dwarf_Attribute found;
    die result;
    if (dwarf_attr_integrate(&what, DW_AT_type, &found) == nullptr) return {};
    if (dwarf_formref_die(&found, &result) == nullptr) return {};
    return result;
}

die stripped(die type) {
    for (int depth = 0; depth < deepest; ++depth) {
        switch (dwarf_tag(&type)) {
            case DW_TAG_typedef:
            case DW_TAG_const_type:
            case DW_TAG_volatile_type:
            case DW_TAG_restrict_type:
            case DW_TAG_atomic_type:
                if (const auto next = type_of(type)) {
                    type = *next;
                    continue;
                }
                return type;
            default: return type;
        }
    }
    return type;
}

std::uint64_t size_of(die type) {
    Dwarf_Word size = 0;
    return dwarf_aggregate_size(&type, &size) == 0 ? size : 0;
}

bool is_class(die type) {
    const int tag = dwarf_tag(&type);
    return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

bool same(die left, die right) { return left.addr == right.addr; }

std::string full_name(die type) { return text_of(type, form::full, 0); }
std::string short_name(die type) { return text_of(type, form::brief, 0); }

std::string with_short_arguments(std::string_view name) {
    if (name.starts_with("operator")) return std::string(name);
    std::string result;
    for (std::size_t at = 0; at < name.size();) {
        if (name[at] != '<' || at == 0) {
            result += name[at++];
            continue;
        }
        std::size_t end = at;
        for (int open = 0; end < name.size();) {
            open += name[end] == '<' ? 1 : name[end] == '>' ? -1 : 0;
            ++end;
            if (open == 0) break;
        }
        const std::string_view arguments = name.substr(at, end - at);
        const bool is_short = arguments.size() <= longest_arguments && arguments.find("::") == std::string_view::npos;
        result += is_short ? arguments : "<...>";
        at = end;
    }
    return result;
}

std::string without_inline_namespaces(die what, std::string name) {
    Dwarf_Attribute attribute;
    die declared = what;
    if (dwarf_attr(&what, DW_AT_specification, &attribute) != nullptr) dwarf_formref_die(&attribute, &declared);
    for (die scope : known_scopes(declared)) {
        const bool is_inline =
            dwarf_tag(&scope) == DW_TAG_namespace && dwarf_hasattr(&scope, DW_AT_export_symbols) != 0;
        if (!is_inline || name_of(scope).empty()) continue;
        const std::string inside = std::string(name_of(scope)) + "::";
        if (const std::size_t at = name.find(inside); at != std::string::npos) name.erase(at, inside.size());
    }
    return name;
}

std::optional<die> argument_of(die instance, std::size_t n) {
    std::optional<die> result;
    any_child(instance, [&](die each) {
        if (dwarf_tag(&each) == DW_TAG_template_type_parameter && n-- == 0) result = type_of(each);
        if (dwarf_tag(&each) == DW_TAG_GNU_template_parameter_pack && !result) result = argument_of(each, n);
        return result.has_value();
    });
    return result;
}

std::optional<die> class_of(die function) {
    // The object parameter of a member function, unless it is static, gives the class.
    std::optional<die> result;
    Dwarf_Attribute attribute;
    die origin = function;
    if (dwarf_attr(&function, DW_AT_abstract_origin, &attribute) != nullptr) dwarf_formref_die(&attribute, &origin);
    for (const die& each : {function, origin}) {
        any_child(each, [&](die child) {
            if (dwarf_tag(&child) != DW_TAG_formal_parameter || name_of(child) != "this") return false;
            const auto pointer = type_of(child);
            const auto object = pointer ? type_of(stripped(*pointer)) : std::nullopt;
            if (object) result = stripped(*object);
            return true;
        });
        if (result) break;
    }
    return result;
}

std::vector<part> parts_at(die type, std::uint64_t offset, std::uint64_t size) {
    return descent(offset, size).from(type);
}

std::vector<member> members_named(die type, std::string_view name) {
    std::vector<member> result;
    collect_members(type, name, 0, result, 0);
    return result;
}

die value_type(die type) {
    const die plain = stripped(type);
    const std::string_view name = name_of(plain);
    constexpr std::array<std::string_view, 6> holders{"atomic<",       "atomic_ref<", "__atomic_base<",
                                                      "model_atomic<", "model_cell<", "cell<"};
    const bool holds =
        is_class(plain) && std::ranges::any_of(holders, [&](auto each) { return name.starts_with(each); });
    return (holds ? argument_of(plain) : std::nullopt).value_or(type);
}

std::string value_name(die type, std::uint64_t value) {
    die plain = stripped(type);
    const int tag = dwarf_tag(&plain);
    if (tag == DW_TAG_base_type && number_of(plain, DW_AT_encoding) == DW_ATE_boolean) {
        return value == 0 ? "false" : value == 1 ? "true" : "";
    }
    std::string result;
    if (tag != DW_TAG_enumeration_type) return result;
    const std::uint64_t size = std::clamp<std::uint64_t>(size_of(plain), 1, 8);
    const std::uint64_t bits = size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * size)) - 1;
    any_child(plain, [&](die each) {
        Dwarf_Attribute attribute;
        Dwarf_Sword number = 0;
        if (dwarf_tag(&each) != DW_TAG_enumerator) return false;
        if (dwarf_attr(&each, DW_AT_const_value, &attribute) == nullptr || dwarf_formsdata(&attribute, &number) != 0)
            return false;
        if ((static_cast<std::uint64_t>(number) & bits) != (value & bits)) return false;
        result = name_of(each);
        return true;
    });
    return result;
}

std::optional<die> pointee(die type) {
    die plain = stripped(type);
    if (dwarf_tag(&plain) != DW_TAG_pointer_type) return {};
    return type_of(plain);
}

}  // namespace ordeal::detail::debug_types
