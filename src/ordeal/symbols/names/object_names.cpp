// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/symbols/names/object_names.hpp"

#include "ordeal/runtime/memory/exception_memory.hpp"
#include "ordeal/runtime/memory/heap.hpp"
#include "ordeal/symbols/module_debug_info.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <string_view>

namespace ordeal::detail {

namespace {

using namespace debug_types;

// The thread that has a stack or a thread-local variable.
std::string of_thread(int owner, const scenario& what) {
    if (owner == 0) return "of construction or finish";
    const auto index = static_cast<std::size_t>(owner) - 1;
    return "of " + (index < what.threads.size() ? what.threads[index] : "thread " + std::to_string(owner));
}

// Bytes of a variable whose type is not known.
named_object at_offset(const std::string& variable, std::size_t offset) {
    named_object result;
    result.text = variable;
    if (offset == 0) {
        result.pointed_at = variable;
    } else {
        result.text += "+" + std::to_string(offset);
    }
    return result;
}

// Delimits the number of an instance in an unfinished text.
constexpr char mark = '\x01';

// g++ appends numbers to the names of a coroutine's variables: hits_1_2.
std::string without_numbers(std::string_view name) {
    for (int i = 0; i < 2; ++i) {
        const std::size_t last = name.find_last_not_of("0123456789");
        if (last == std::string_view::npos || last + 1 == name.size() || name[last] != '_' || last == 0) break;
        name = name.substr(0, last);
    }
    return std::string(name);
}

// Members that the compiler adds to a frame have generated names: Aw0_2_3 and the like.
bool is_made_up(std::string_view member) {
    if (member.size() > 2 && (member.starts_with("Aw") || member.starts_with("Yd"))) {
        return std::isdigit(static_cast<unsigned char>(member[2])) != 0;
    }
    return member.starts_with("Is_") || member.starts_with("Fs_") || is_reserved(member);
}

// A site's file may be named relative to a folder that debug information does not have.
bool same_file(std::string_view left, std::string_view right) {
    const auto ends_with = [](std::string_view longer, std::string_view end) {
        return longer.size() > end.size() && longer.ends_with(end) && longer[longer.size() - end.size() - 1] == '/';
    };
    return left == right || (!left.empty() && !right.empty() && (ends_with(left, right) || ends_with(right, left)));
}

}  // namespace

object_names::object_names(const naming_log& log, const scenario& what)
    : log_(log), what_(what), scenario_type_(type_of_scenario(what.model)) {}

std::size_t object_names::block_at(std::uintptr_t address, std::uint32_t step) const {
    const auto& all = log_.blocks();
    for (std::size_t i = all.size(); i-- > 0;) {
        const bool inside = address - all[i].where.address < std::max<std::size_t>(all[i].where.size, 1);
        if (inside && all[i].begins <= step) return i;
    }
    return none;
}

const block_contents& object_names::contents(std::size_t block) {
    const auto known = contents_.find(block);
    if (known != contents_.end()) return known->second;
    const logged_block& of = log_.blocks()[block];
    block_contents result = contents_of(of.where, of.calls, sources_);
    if (result.is == block_contents::kind::unknown) {
        for (const std::uintptr_t each : of.first_words) {
            if (const auto type = class_with_virtual_table(each, of.where.size)) set_type(result, *type, of.where.size);
        }
    }
    std::uintptr_t second = of.second_word;
    if (of.ends == 0 && of.where.size >= 2 * sizeof(void*)) {
        std::memcpy(&second, reinterpret_cast<const void*>(of.where.address + sizeof(void*)), sizeof(void*));
    }
    if (result.is == block_contents::kind::unknown && second != 0) {
        if (std::string name = coroutine_destroyed_by(second); !name.empty()) {
            result.is = block_contents::kind::frame;
            result.word = std::move(name) + "()";
            result.destroys = second;
            if (const auto type = frame_type_of(second)) result.type = *type;
        }
    }
    return contents_.emplace(block, std::move(result)).first->second;
}

std::string object_names::instance_of(const std::string& word, const std::string& key) {
    const auto known =
        std::ranges::find_if(instances_, [&](const instance& each) { return each.word == word && each.key == key; });
    const auto index = known - instances_.begin();
    if (known == instances_.end()) instances_.push_back({word, key});
    return word + mark + std::to_string(index) + mark;
}

named_object object_names::in_object(const std::string& root, die type, std::uint64_t offset,
                                     std::uint64_t size) const {
    named_object result;
    const auto text_of = [&](const part& each) {
        std::string text = root + each.path;
        if (root.empty() && text.starts_with('.')) text.erase(0, 1);
        return text;
    };
    for (const part& each : parts_at(type, offset, size)) {
        result.text = text_of(each);
        result.type = each.type;
        if (each.begin == offset && !result.text.empty()) result.beginning.emplace_back(result.text, each.type);
    }
    if (!result.beginning.empty()) result.pointed_at = result.beginning.front().first;
    return result;
}

std::optional<named_object> object_names::in_scenario(memory_range where) const {
    const std::uintptr_t offset = where.address - heap::region().address;
    if (!scenario_type_ || offset >= what_.model.size) return {};
    named_object result = in_object("", *scenario_type_, offset, where.size);
    // The whole, at its destruction.
    if (result.text.empty()) result.text = short_name(*scenario_type_);
    return result;
}

std::optional<named_object> object_names::in_block(std::size_t block, memory_range where, std::uint32_t step) {
    const block_contents& known = contents(block);
    const std::uint64_t offset = where.address - log_.blocks()[block].where.address;
    std::optional<named_object> result;
    const std::string key = std::to_string(block);
    switch (known.is) {
        case block_contents::kind::unknown: result = in_inferred(block, where, step); break;
        case block_contents::kind::frame: result = in_frame(block, where, step); break;
        case block_contents::kind::array: {
            const std::uint64_t each = size_of(known.type);
            const std::string root =
                instance_of("block of " + known.word, key) + "[" + std::to_string(offset / each) + "]";
            result = in_object(root, known.type, offset % each, std::min<std::uint64_t>(where.size, each));
            break;
        }
        case block_contents::kind::object: {
            result = in_object(instance_of(known.word, key), known.type, offset, where.size);
            // A library's node or control block, with a user's object in it.
            if (is_reserved(name_of(known.type)) && result->type && same(*result->type, known.type)) {
                const std::string_view library = name_of(known.type);
                const bool whole = where.size >= size_of(known.type);
                if (!whole && library.starts_with("_Sp_counted")) result->text += "'s count";
                if (!whole && library.find("node") != std::string_view::npos) result->text += "'s links";
                result->type.reset();
            }
            break;
        }
    }
    if (!result && known.is == block_contents::kind::unknown && !known.word.empty()) {
        result = at_offset(instance_of(known.word, key), offset);
    } else if (!result && !known.place.empty()) {
        result = named_object{};
        result->counted = true;
        const std::size_t size = log_.blocks()[block].where.size;
        result->text = where.size == size ? "" : "byte " + std::to_string(offset) + " of ";
        result->text += "a block of " + std::to_string(size) + " bytes";
    }
    if (result && result->origin.empty() && !known.place.empty()) result->origin = "allocated at " + known.place;
    return result;
}

// Debug information may describe the frame; otherwise the running functions do.
std::optional<named_object> object_names::in_frame(std::size_t block, memory_range where, std::uint32_t step) {
    const block_contents& known = contents(block);
    const std::string frame = instance_of("frame of " + known.word, std::to_string(block));
    const std::uint64_t offset = where.address - log_.blocks()[block].where.address;
    named_object whole;
    whole.text = whole.pointed_at = frame;
    if (offset == 0) return whole;
    const auto promise = promise_in_frame_of(known.destroys);
    if (promise && offset - promise->offset < size_of(promise->type)) {
        const std::string root = instance_of(known.word, std::to_string(block)) + "'s promise";
        return in_object(root, promise->type, offset - promise->offset, where.size);
    }
    if (auto inside = in_inferred(block, where, step)) {
        inside->origin = "in the " + frame;
        return inside;
    }
    if (known.type.addr != nullptr) {
        const auto parts = parts_at(known.type, offset, where.size);
        if (parts.size() > 1) {
            std::string name = parts[1].path.substr(1);
            name = name.substr(0, name.find_first_of(".["));
            named_object result;
            if (is_made_up(name)) {
                const die own = stripped(parts[1].type);
                const std::string key = std::to_string(block) + "+" + std::to_string(parts[1].begin);
                result = in_object(instance_of(short_name(own), key), own, offset - parts[1].begin, where.size);
                result.origin = "in the " + frame;
            } else {
                const std::string plain = without_numbers(name);
                result = in_object(plain, parts[1].type, offset - parts[1].begin, where.size);
                const std::string in = " in " + instance_of(known.word, std::to_string(block));
                result.text += in;
                for (auto& [text, type] : result.beginning) text += in;
                if (!result.pointed_at.empty()) result.pointed_at += in;
            }
            return result;
        }
    }
    whole.pointed_at.clear();
    whole.text = "byte " + std::to_string(offset) + " of the " + frame;
    return whole;
}

std::optional<named_object> object_names::in_inferred(std::size_t block, memory_range where, std::uint32_t step) {
    const running_function* const in = block == none ? log_.function_at(step, where.address) : nullptr;
    if (block == none && in == nullptr) return {};
    for (const inferred& each : inferred_) {
        if (each.block != block || where.address - each.begin >= size_of(each.type)) continue;
        // On a stack, a later variable may have the same bytes.
        if (in != nullptr && (each.end != in->end || each.function != name_of_function(in->address))) continue;
        const std::uint64_t offset = where.address - each.begin;
        const std::string key = "at " + std::to_string(each.begin) + " of " + std::to_string(block);
        if (each.variable.empty()) {
            return in_object(instance_of(short_name(each.type), key), each.type, offset, where.size);
        }
        named_object result = in_object(each.variable, each.type, offset, where.size);
        std::string of;
        if (block == none) {
            of = " in " + each.function + "()";
        } else if (const std::string& word = contents(block).word; !word.empty()) {
            of = " in " + instance_of(word, std::to_string(block));
        }
        result.text += of;
        for (auto& [text, type] : result.beginning) text += of;
        if (!result.pointed_at.empty()) result.pointed_at += of;
        return result;
    }
    return {};
}

// The variable that has been seen there while this function ran, or any; of several none can be told.
std::optional<known_variable> object_names::seen_local_at(std::uintptr_t address, const running_function* in) const {
    std::optional<known_variable> result;
    for (const seen_local& each : locals_) {
        if (address - each.variable.address >= each.size) continue;
        if (in != nullptr && (each.end != in->end || each.function != name_of_function(in->address))) continue;
        if (result && result->name != each.variable.name) return {};
        result = each.variable;
    }
    return result;
}

// Debug information of optimised code may not have a variable everywhere. One that it has anywhere while the function
// runs is there as long as the function runs, unless another one shares its bytes. A pointer may still point to one
// whose function has returned.
std::optional<known_variable> object_names::local_variable(const running_function* in, std::uintptr_t address) const {
    if (in != nullptr) {
        if (auto now = local_variable_at(*in, address)) return now;
    }
    return seen_local_at(address, in);
}

void object_names::note_local(memory_range where, std::uint32_t step) {
    const running_function* const in = log_.owner_of(where.address) ? log_.function_at(step, where.address) : nullptr;
    if (in == nullptr) return;
    auto variable = local_variable_at(*in, where.address);
    if (!variable || !variable->type) return;
    const std::uint64_t size = size_of(stripped(*variable->type));
    seen_local seen{std::move(*variable), size, name_of_function(in->address), in->end};
    const auto is_same = [&](const seen_local& each) {
        return each.end == seen.end && each.variable.address == seen.variable.address &&
               each.variable.name == seen.variable.name && each.function == seen.function;
    };
    if (std::ranges::none_of(locals_, is_same)) locals_.push_back(std::move(seen));
}

std::optional<named_object> object_names::on_stack(memory_range where, std::uint32_t step, int owner) {
    const bool of_program = what_.model.is_program && owner == 1;
    const std::string whose = of_thread(owner, what_);
    const running_function* const in = log_.function_at(step, where.address);
    const auto variable = local_variable(in, where.address);
    if (variable && variable->type) {
        named_object result = in_object(variable->name, *variable->type, where.address - variable->address, where.size);
        const auto tell = [&](std::string& text) {
            if (!of_program && !text.empty()) text = "local \"" + text + "\" " + whose;
        };
        tell(result.text);
        tell(result.pointed_at);
        for (auto& [text, type] : result.beginning) tell(text);
        return result;
    }
    if (auto known = in_inferred(none, where, step)) return known;
    if (in == nullptr) return {};
    const std::string function = name_of_function(in->address);
    if (function.empty()) return {};
    named_object result;
    result.text = "a local of " + function + "()" + (of_program ? "" : " " + whose);
    result.anonymous = true;
    return result;
}

namespace {

// String literals have no names.
std::optional<named_object> in_constants(std::uintptr_t address) {
    const module_debug_info* const info = debug_info_at(address);
    if (info == nullptr) return {};
    const auto& all = info->where().constants;
    if (std::ranges::none_of(all, [&](const address_range& each) { return each.contains(address); })) return {};
    named_object result;
    result.text = "a constant";
    return result;
}

}  // namespace

std::optional<named_object> object_names::in_global(memory_range where) const {
    const auto variable = global_variable_at(where.address);
    if (!variable) {
        // State of the libraries, which the front end names.
        named_object known;
        known.text = instrumented().name_of(where.address);
        return known.text.empty() ? in_constants(where.address) : std::optional(std::move(known));
    }
    if (variable->type) {
        return in_object(variable->name, *variable->type, where.address - variable->address, where.size);
    }
    return at_offset(variable->name, where.address - variable->address);
}

std::optional<named_object> object_names::in_thread_variable(const thread_variable_place& place) const {
    module_debug_info* const info = debug_info_at(place.described_at);
    if (info == nullptr) return {};
    const auto named = place.is_library ? info->thread_variable_at(place.offset) : info->global_at(place.described_at);
    if (!named) return {};
    named_object result = at_offset(named->name, place.is_library ? named->offset : place.offset);
    result.text += ' ' + of_thread(place.thread, what_);
    if (!result.pointed_at.empty()) result.pointed_at = result.text;
    return result;
}

std::optional<named_object> object_names::at(memory_range where, std::uint32_t step) {
    if (where.address == 0) return {};
    if (heap::contains(reinterpret_cast<const void*>(where.address))) {
        const std::size_t block = block_at(where.address, step);
        return block == none ? in_scenario(where) : in_block(block, where, step);
    }
    if (const auto owner = log_.owner_of(where.address)) return on_stack(where, step, *owner);
    if (exception_memory::contains(reinterpret_cast<const void*>(where.address))) {
        named_object result;
        result.text = result.pointed_at = "the exception";
        return result;
    }
    if (const auto place = instrumented().thread_variable_at(where.address)) return in_thread_variable(*place);
    return in_global(where);
}

std::string object_names::value(std::optional<die> type, std::uint64_t value, std::uint32_t step) {
    const bool pointer = type && [&] {
        die plain = stripped(*type);
        return dwarf_tag(&plain) == DW_TAG_pointer_type;
    }();
    if (type) {
        if (std::string name = value_name(*type, value); !name.empty()) return name;
        if (pointer && value == 0) return "null";
    }
    constexpr std::uint64_t smallest_address = std::uint64_t{1} << 32;
    const bool known_region = heap::contains(reinterpret_cast<const void*>(value)) || log_.owner_of(value);
    if (value < smallest_address || (!pointer && !known_region)) return {};
    const auto wanted = type ? pointee(*type) : std::nullopt;
    // The low bits of a word may be a tag.
    for (const std::uint64_t tag : {value & 0, value & 7}) {
        const auto place = at({value - tag, 1}, step);
        if (!place) continue;
        std::string text = place->pointed_at;
        for (const auto& [each, own] : place->beginning) {
            if (wanted && full_name(stripped(own)) == full_name(stripped(*wanted))) {
                text = each;
                break;
            }
        }
        if (text.empty()) continue;
        return "&" + text + (tag == 0 ? "" : "+" + std::to_string(tag));
    }
    return {};
}

void object_names::infer_member(die of, const std::string& name, std::uint64_t size, const inferred& unknown,
                                std::vector<inferred>& found) const {
    const std::uint64_t whole = size_of(of);
    for (const member& each : members_named(of, name)) {
        if (size_of(stripped(each.type)) != size || unknown.begin < each.offset) continue;
        inferred result = unknown;
        result.begin -= each.offset;
        result.type = of;
        if (result.block != none) {
            const memory_range& own = log_.blocks()[result.block].where;
            if (result.begin < own.address || result.begin + whole > own.address + own.size) continue;
        }
        const auto same_one = [&](const inferred& other) {
            return other.begin == result.begin && full_name(other.type) == full_name(of);
        };
        if (std::ranges::none_of(found, same_one)) found.push_back(std::move(result));
    }
}

// Infers from the variables of a function, and what they refer to.
void object_names::infer_from(die scope, const std::vector<std::string>& names, std::uint64_t size,
                              const inferred& unknown, std::vector<inferred>& found) const {
    any_child(scope, [&](die child) {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_lexical_block) infer_from(child, names, size, unknown, found);
        if (tag != DW_TAG_formal_parameter && tag != DW_TAG_variable) return false;
        const auto type = type_of(child);
        if (!type) return false;
        die plain = stripped(*type);
        const int kind = dwarf_tag(&plain);
        if (kind == DW_TAG_pointer_type || kind == DW_TAG_reference_type) {
            const auto object = type_of(plain);
            if (!object || !is_class(stripped(*object))) return false;
            for (const std::string& name : names) infer_member(stripped(*object), name, size, unknown, found);
        } else if (size_of(plain) == size && std::ranges::find(names, name_of(child)) != names.end()) {
            inferred result = unknown;
            result.type = *type;
            result.variable = name_of(child);
            found.push_back(std::move(result));
        }
        return false;
    });
}

// An unknown object that is to be inferred.
std::optional<object_names::inferred> object_names::nothing_yet(memory_range where, std::uint32_t step) {
    inferred result{where.address, none, {}, "", "", 0};
    if (heap::contains(reinterpret_cast<const void*>(where.address))) {
        result.block = block_at(where.address, step);
        if (result.block == none) return {};
        const auto is = contents(result.block).is;
        if (is != block_contents::kind::unknown && is != block_contents::kind::frame) return {};
        return result;
    }
    const running_function* const in = log_.function_at(step, where.address);
    if (in == nullptr) return {};
    result.function = name_of_function(in->address);
    result.end = in->end;
    return result;
}

void object_names::infer(const trace_step& step) {
    const memory_range where{step.address, step.size};
    const logged_step* const logged = log_.step(step.index);
    if (where.size != 0) note_local(where, step.index);
    if (logged == nullptr || where.size == 0 || step.where.key.line == 0) return;
    const auto unknown = nothing_yet(where, step.index);
    if (!unknown) return;
    const std::string& line = sources_.line(step.where.key.file, step.where.key.line);
    std::vector<std::string> names = names_in(line);
    if (std::string object = object_of_call(line, step.where.key.column); !object.empty()) names = {object};

    for (const std::uintptr_t each : logged->calls) {
        const std::uintptr_t address = each - 1;
        module_debug_info* const info = debug_info_at(address);
        const std::vector<Dwarf_Die> scopes = info == nullptr ? std::vector<Dwarf_Die>{} : info->scopes_at(address);
        const auto& frames = source_frames_at(address);
        for (std::size_t i = 0; i < frames.size() && i < scopes.size(); ++i) {
            if (frames[i].line != step.where.key.line || !same_file(frames[i].file, step.where.key.file)) continue;
            const die scope = scopes[scopes.size() - 1 - i];
            std::vector<inferred> found;
            if (const auto own = class_of(scope)) {
                for (const std::string& name : names) infer_member(*own, name, where.size, *unknown, found);
            }
            infer_from(scope, names, where.size, *unknown, found);
            if (found.size() == 1) inferred_.push_back(std::move(found.front()));
            return;
        }
    }
}

std::vector<std::string> object_names::never_freed(std::size_t count) {
    std::vector<std::string> result;
    const auto& all = log_.blocks();
    if (std::ranges::count(all, 0U, &logged_block::ends) != static_cast<std::ptrdiff_t>(count)) return result;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].ends != 0) continue;
        const block_contents& known = contents(i);
        std::string word = "a block";
        if (known.is == block_contents::kind::object) word = known.word;
        if (known.is == block_contents::kind::array) word = "block of " + known.word;
        if (known.is == block_contents::kind::frame) word = "frame of " + known.word;
        if (!known.place.empty()) word += " (allocated at " + known.place + ")";
        result.push_back(std::move(word));
    }
    return result;
}

std::string object_names::word_for(const trace_step& step) {
    if (step.where.key.line == 0) return {};
    return object_of_call(sources_.line(step.where.key.file, step.where.key.line), step.where.key.column);
}

// Doubles the markers.
std::string object_names::escape_markers(std::string text) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 2)) {
        text.insert(at, 1, mark);
    }
    return text;
}

void object_names::number(const std::vector<std::string*>& texts) const {
    // The instances of each name, in the order of the texts.
    std::map<std::string, std::vector<std::size_t>> order;
    const auto for_each_mark = [&](const std::string& text, auto what) {
        for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
            const std::size_t end = text.find(mark, at + 1);
            if (end == std::string::npos) return;
            what(std::string_view(text).substr(at + 1, end - at - 1), at, end);
            at = end;
        }
    };
    const auto index_of = [](std::string_view digits) {
        std::size_t index = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), index);
        return index;
    };
    for (const std::string* const text : texts) {
        for_each_mark(*text, [&](std::string_view digits, std::size_t, std::size_t) {
            if (digits.empty()) return;
            const std::size_t index = index_of(digits);
            auto& known = order[instances_[index].word];
            if (std::ranges::find(known, index) == known.end()) known.push_back(index);
        });
    }
    for (std::string* const text : texts) {
        std::string result;
        std::size_t done = 0;
        for_each_mark(*text, [&](std::string_view digits, std::size_t begin, std::size_t end) {
            result += text->substr(done, begin - done);
            done = end + 1;
            if (digits.empty()) {
                result += mark;
                return;
            }
            const std::size_t index = index_of(digits);
            const auto& known = order.at(instances_[index].word);
            const auto number = std::ranges::find(known, index) - known.begin() + 1;
            if (known.size() > 1) result += "#" + std::to_string(number);
        });
        *text = result + text->substr(done);
    }
}

}  // namespace ordeal::detail
