// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/runtime/site.hpp"

#include "ordeal/runtime/execution.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace ordeal {

namespace {

// "bool ns::type<P>::push(awaiter &) [P = ...]" -> "push". Compilers differ in everything but this shape.
std::string bare_name(std::string_view pretty) {
    int depth = 0;
    std::size_t end = pretty.size();
    for (std::size_t i = 0; i < pretty.size(); ++i) {
        const char c = pretty[i];
        if (pretty.substr(i).starts_with("(anonymous ") || pretty.substr(i).starts_with("(lambda ")) {
            i = pretty.find(')', i);
            continue;
        }
        if (c == '<') ++depth;
        if (c == '>') --depth;
        if (c == '(' && depth == 0 && i > 0) {
            end = i;
            break;
        }
    }
    std::string_view head = pretty.substr(0, end);
    if (head.ends_with('>')) {  // template arguments of the function itself
        int inner = 0;
        std::size_t i = head.size();
        while (i > 0) {
            --i;
            if (head[i] == '>') ++inner;
            if (head[i] == '<' && --inner == 0) break;
        }
        head = head.substr(0, i);
    }
    if (const std::size_t colon = head.rfind("::"); colon != std::string_view::npos) head = head.substr(colon + 2);
    if (const std::size_t space = head.rfind(' '); space != std::string_view::npos) head = head.substr(space + 1);
    return std::string(head);
}

std::uint64_t position_of(const std::source_location& where, unsigned discriminator) noexcept {
    return (std::uint64_t{where.line()} << 32) | (std::uint64_t{where.column()} << 8) | discriminator;
}

constexpr std::array position_names{std::string_view("instead"), std::string_view("before"), std::string_view("after")};

struct replacement {
    order with = order::relaxed;
    override_position position = override_position::instead;
};

// "=acquire", "+seq_cst-before"
std::optional<replacement> parse_replacement(std::string_view text) {
    const bool is_fence = text.starts_with('+');
    text.remove_prefix(1);
    replacement result;
    if (is_fence) {
        const std::size_t dash = text.rfind('-');
        if (dash == std::string_view::npos) return std::nullopt;
        const std::string_view position = text.substr(dash + 1);
        if (position != "before" && position != "after") return std::nullopt;
        result.position = position == "before" ? override_position::before : override_position::after;
        text = text.substr(0, dash);
    }
    const auto with = parse_order(text);
    if (!with) return std::nullopt;
    result.with = *with;
    return result;
}

template <class Number>
bool parse_number(std::string_view text, Number& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

}  // namespace

std::string to_string(const site_key& key) {
    std::string result = key.file;
    result += '@';
    result += std::to_string(key.line);
    result += '.';
    result += std::to_string(key.column);
    result += '.';
    result += to_string(key.what);
    return result;
}

std::optional<site_key> parse_site_key(std::string_view text) {
    const std::size_t at = text.rfind('@');
    if (at == std::string_view::npos || at == 0) return std::nullopt;
    const std::string_view place = text.substr(at + 1);
    const std::size_t first = place.find('.');
    const std::size_t second = first == std::string_view::npos ? first : place.find('.', first + 1);
    if (second == std::string_view::npos) return std::nullopt;
    site_key key{.file = std::string(text.substr(0, at))};
    const auto what = parse_role(place.substr(second + 1));
    if (!what || !parse_number(place.substr(0, first), key.line) ||
        !parse_number(place.substr(first + 1, second - first - 1), key.column)) {
        return std::nullopt;
    }
    key.what = *what;
    return key;
}

bool concerns(const order_override& change, const site& where) noexcept {
    return change.site == where.key && (!change.declared || *change.declared == where.declared);
}

std::string_view to_string(override_position value) noexcept { return position_names[static_cast<std::size_t>(value)]; }

std::string to_string(const order_override& value) {
    std::string result = to_string(value.site);
    if (value.declared) {
        result += '.';
        result += to_string(*value.declared);
    }
    result += adds_fence(value) ? '+' : '=';
    result += to_string(value.replacement);
    if (adds_fence(value)) {
        result += '-';
        result += to_string(value.position);
    }
    return result;
}

std::optional<order_override> parse_order_override(std::string_view text) {
    // File names may contain either character; orders do not.
    const std::size_t end = text.find_last_of("=+");
    if (end == std::string_view::npos) return std::nullopt;
    const auto change = parse_replacement(text.substr(end));
    if (!change) return std::nullopt;
    text = text.substr(0, end);
    if (auto key = parse_site_key(text)) {
        return order_override{std::move(*key), change->with, std::nullopt, change->position};
    }
    const std::size_t dot = text.rfind('.');
    if (dot == std::string_view::npos) return std::nullopt;
    auto key = parse_site_key(text.substr(0, dot));
    const auto declared = parse_order(text.substr(dot + 1));
    if (!key || !declared) return std::nullopt;
    return order_override{std::move(*key), change->with, declared, change->position};
}

site_id site_table::atomic_site(const std::source_location& where, role what, std::string_view operation,
                                order declared) {
    const unsigned discriminator = static_cast<unsigned>(what) | static_cast<unsigned>(declared) << 3;
    return find_or_add(where, position_of(where, discriminator), operation, true, what, declared);
}

site_id site_table::plain_site(const std::source_location& where, std::string_view operation) {
    constexpr unsigned not_atomic = 0x80;
    return find_or_add(where, position_of(where, not_atomic), operation, false, role::load, order::relaxed);
}

site_id site_table::add(site fresh) {
    const harness_scope harness;
    const auto known = std::find_if(sites_.begin() + 1, sites_.end(), [&](const site& other) {
        return other.atomic == fresh.atomic && other.declared == fresh.declared && other.operation == fresh.operation &&
               other.key == fresh.key;
    });
    const auto id = static_cast<site_id>(known - sites_.begin());
    if (known == sites_.end()) {
        effective_.push_back(fresh.declared);
        sites_.push_back(std::move(fresh));
        put_in_force(id);
    }
    return id;
}

site_id site_table::find_or_add(const std::source_location& where, std::uint64_t position, std::string_view operation,
                                bool atomic, role what, order declared) {
    if (slots_.size() < 2 * sites_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    const auto hash = (reinterpret_cast<std::uintptr_t>(where.file_name()) ^ position) * 0x9e3779b97f4a7c15u;
    std::size_t i = (hash >> 32) & mask;
    for (; slots_[i].file != nullptr; i = (i + 1) & mask) {
        // Two operations at one position (a write and a read in one expression, a macro) differ in their names.
        slot& found = slots_[i];
        if (found.file != where.file_name() || found.position != position) continue;
        if (found.operation == operation.data()) return found.id;
        if (sites_[found.id].operation != operation) continue;
        found.operation = operation.data();
        return found.id;
    }
    const harness_scope harness;
    site fresh{.key = {where.file_name(), where.line(), where.column(), what},
               .atomic = atomic,
               .function = bare_name(where.function_name()),
               .operation = std::string(operation),
               .declared = declared};
    // The same header in two translation units has two file name pointers with equal text.
    const site_id id = add(std::move(fresh));
    // The address is compared, and nothing is read there. NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage)
    slots_[i] = {where.file_name(), position, operation.data(), id};
    return id;
}

void site_table::grow() {
    const harness_scope harness;
    const std::size_t size = slots_.empty() ? 256 : 2 * slots_.size();
    std::vector<slot> old = std::exchange(slots_, std::vector<slot>(size));
    for (const slot& entry : old) {
        if (entry.file == nullptr) continue;
        const auto hash = (reinterpret_cast<std::uintptr_t>(entry.file) ^ entry.position) * 0x9e3779b97f4a7c15u;
        std::size_t i = (hash >> 32) & (size - 1);
        while (slots_[i].file != nullptr) i = (i + 1) & (size - 1);
        slots_[i] = entry;
    }
}

void site_table::put_in_force(site_id id) {
    const site& value = sites_[id];
    effective_[id] = value.declared;
    if (!value.atomic) return;
    bool replaced = false;
    for (const order_override& each : overrides_) {
        if (!concerns(each, value)) continue;
        if (adds_fence(each)) {
            fences_.push_back({id, each.position, each.replacement});
        } else if (!std::exchange(replaced, true)) {
            effective_[id] = each.replacement;
        }
    }
}

void site_table::set_overrides(std::vector<order_override> overrides) {
    overrides_ = std::move(overrides);
    fences_.clear();
    for (site_id id = 1; id < sites_.size(); ++id) put_in_force(id);
}

}  // namespace ordeal
