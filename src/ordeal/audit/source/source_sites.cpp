// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/source/source_sites.hpp"

#include "ordeal/audit/source/order_comment.hpp"
#include "ordeal/audit/source/written_orders.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace ordeal::detail {

namespace {

constexpr std::size_t longest_statement = 6;  // lines

struct spelling {
    std::string_view name;
    role what;
};
// Longer names come before their prefixes.
constexpr std::array spellings{
    spelling{"compare_exchange_weak", role::success},
    spelling{"compare_exchange_strong", role::success},
    spelling{"fetch_add", role::fetch},
    spelling{"fetch_sub", role::fetch},
    spelling{"fetch_and", role::fetch},
    spelling{"fetch_or", role::fetch},
    spelling{"fetch_xor", role::fetch},
    spelling{"exchange", role::exchange},
    spelling{"store", role::store},
    spelling{"load", role::load},
    spelling{"wait", role::load},
    spelling{"test_and_set", role::exchange},
    spelling{"test", role::load},
    spelling{"clear", role::store},
    spelling{"atomic_thread_fence", role::fence},
    spelling{"acquire_fence", role::fence},
};

std::string_view without_comment(std::string_view line) { return line.substr(0, line.find("//")); }

// The text of a statement from its first line on.
struct statement {
    std::string text;
    std::size_t lines = 0;
};
statement statement_at(std::span<const std::string> lines, std::size_t first) {
    statement result;
    for (std::size_t i = first; i < std::min(lines.size(), first + longest_statement); ++i) {
        const std::string_view code = without_comment(lines[i]);
        result.text += std::string(code) + " ";
        ++result.lines;
        const std::size_t end = code.find_last_not_of(" \t");
        if (end != std::string_view::npos && std::string_view(";{}").find(code[end]) != std::string_view::npos) break;
    }
    return result;
}

// Of the library's free functions with such a name, only the fence has an order: std::exchange has none, but a load
// among its arguments may.
bool is_free_function(std::string_view before, role what) { return what != role::fence && before.ends_with("std::"); }

struct operation {
    spelling what;
    std::size_t position = 0;
};
std::optional<operation> operation_in(std::string_view code) {
    std::optional<operation> result;
    for (const spelling& each : spellings) {
        for (std::size_t at = code.find(each.name); at != std::string_view::npos; at = code.find(each.name, at + 1)) {
            const bool called = code.substr(at + each.name.size()).starts_with('(');
            const bool member = at > 0 && std::string_view(".>:").find(code[at - 1]) != std::string_view::npos;
            if (!called || !member || is_free_function(code.substr(0, at), each.what)) continue;
            if (!result || at < result->position) result = {each, at};
        }
    }
    return result;
}

// "memory_order_acquire", "memory_order::acquire"
std::vector<order> orders_in(std::string_view code) {
    constexpr std::string_view prefix = "memory_order";
    std::vector<order> result;
    for (std::size_t at = code.find(prefix); at != std::string_view::npos; at = code.find(prefix, at + 1)) {
        std::string_view word = code.substr(at + prefix.size());
        word.remove_prefix(std::min(word.size(), word.find_first_not_of("_:")));
        word = word.substr(0, word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"));
        if (const auto parsed = parse_order(word)) result.push_back(*parsed);
    }
    return result;
}

}  // namespace

std::vector<site> unreached_sites(const std::string& file, std::span<const std::string> lines,
                                  std::span<const site> reached) {
    std::vector<site> result;
    for (std::size_t i = 0; i != lines.size(); ++i) {
        if (!calls_atomic_operation(lines[i])) continue;
        const auto found = operation_in(without_comment(lines[i]));
        if (!found) continue;
        const statement whole = statement_at(lines, i);
        auto orders = orders_in(std::string_view(whole.text).substr(found->position));
        if (found->what.name == "acquire_fence") orders = {order::acquire};
        if (orders.empty()) continue;
        const auto add = [&](role what, order declared) {
            const bool met = std::ranges::any_of(reached, [&](const site& each) {
                return each.key.file == file && each.key.what == what && each.key.line > i &&
                       each.key.line <= i + whole.lines;
            });
            if (met || !allowed(what, declared)) return;
            site fresh;
            fresh.key = {file, static_cast<std::uint32_t>(i + 1), static_cast<std::uint32_t>(found->position + 1),
                         what};
            fresh.atomic = true;
            fresh.operation = found->what.name;
            fresh.declared = declared;
            result.push_back(std::move(fresh));
        };
        add(found->what.what, orders[0]);
        if (found->what.what == role::success) {
            add(role::failure, orders.size() > 1 ? orders[1] : failure_of(orders[0]));
        }
    }
    return result;
}

}  // namespace ordeal::detail
