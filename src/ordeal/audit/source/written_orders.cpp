// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/source/written_orders.hpp"

#include "ordeal/runtime/trace.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ordeal::detail {

namespace {

using kind = source_token::kind;

struct operation_name {
    std::string_view name;
    std::size_t before;  // arguments before the first order
    std::array<role, 2> roles;
};
constexpr std::array names{
    operation_name{"load", 0, {role::load, role::load}},
    operation_name{"wait", 1, {role::load, role::load}},
    operation_name{"test", 0, {role::load, role::load}},
    operation_name{"store", 1, {role::store, role::store}},
    operation_name{"clear", 0, {role::store, role::store}},
    operation_name{"exchange", 1, {role::exchange, role::exchange}},
    operation_name{"test_and_set", 0, {role::exchange, role::exchange}},
    operation_name{"fetch_add", 1, {role::fetch, role::fetch}},
    operation_name{"fetch_sub", 1, {role::fetch, role::fetch}},
    operation_name{"fetch_and", 1, {role::fetch, role::fetch}},
    operation_name{"fetch_or", 1, {role::fetch, role::fetch}},
    operation_name{"fetch_xor", 1, {role::fetch, role::fetch}},
    operation_name{"compare_exchange_weak", 2, {role::success, role::failure}},
    operation_name{"compare_exchange_strong", 2, {role::success, role::failure}},
    operation_name{"atomic_thread_fence", 0, {role::fence, role::fence}},
    operation_name{"fence", 0, {role::fence, role::fence}},
    operation_name{"acquire_fence", 1, {role::fence, role::fence}},
    operation_name{"atomic_load_explicit", 1, {role::load, role::load}},
    operation_name{"atomic_wait_explicit", 2, {role::load, role::load}},
    operation_name{"atomic_store_explicit", 2, {role::store, role::store}},
    operation_name{"atomic_exchange_explicit", 2, {role::exchange, role::exchange}},
    operation_name{"atomic_fetch_add_explicit", 2, {role::fetch, role::fetch}},
    operation_name{"atomic_fetch_sub_explicit", 2, {role::fetch, role::fetch}},
    operation_name{"atomic_fetch_and_explicit", 2, {role::fetch, role::fetch}},
    operation_name{"atomic_fetch_or_explicit", 2, {role::fetch, role::fetch}},
    operation_name{"atomic_fetch_xor_explicit", 2, {role::fetch, role::fetch}},
    operation_name{"atomic_compare_exchange_weak_explicit", 3, {role::success, role::failure}},
    operation_name{"atomic_compare_exchange_strong_explicit", 3, {role::success, role::failure}},
    operation_name{"atomic_flag_test_explicit", 1, {role::load, role::load}},
    operation_name{"atomic_flag_clear_explicit", 1, {role::store, role::store}},
    operation_name{"atomic_flag_test_and_set_explicit", 1, {role::exchange, role::exchange}},
};

const operation_name* find_name(std::string_view text, role what) {
    const auto found = std::ranges::find_if(names, [&](const operation_name& each) {
        return each.name == text && std::ranges::count(each.roles, what) != 0;
    });
    return found == names.end() ? nullptr : &*found;
}

using token_list = std::span<const source_token>;
constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

bool is_mark(const source_token& token, std::string_view text) {
    return token.what == kind::mark && token.text == text;
}
bool is_one_of(const source_token& token, std::string_view marks) {
    return token.what == kind::mark && token.text.size() == 1 && marks.find(token.text) != std::string_view::npos;
}

// The bracket that matches the one at `open`.
std::size_t matching(token_list tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i != tokens.size(); ++i) {
        if (is_one_of(tokens[i], "([{")) ++depth;
        if (is_one_of(tokens[i], ")]}") && --depth == 0) return i;
    }
    return nowhere;
}

// "static_cast<node*>(p)", "atomic_ref<int>(n)": the position after the template arguments; otherwise that of the "<".
std::size_t behind_template_arguments(token_list tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        if (is_one_of(tokens[i], "([")) {
            i = matching(tokens, i);
            if (i == nowhere) return open;
        } else if (is_one_of(tokens[i], ";{})]")) {
            return open;
        } else if (is_mark(tokens[i], "<")) {
            ++depth;
        } else if (is_mark(tokens[i], ">") && --depth == 0) {
            const bool goes_on =
                i + 1 != tokens.size() && (is_mark(tokens[i + 1], "(") || is_mark(tokens[i + 1], "::"));
            return goes_on ? i + 1 : open;
        }
    }
    return open;
}

// Whether the token at `at` is the name in a call of an operation for this role.
bool is_call(token_list tokens, std::size_t at, role what) {
    return at + 1 < tokens.size() && tokens[at].what == kind::identifier && is_mark(tokens[at + 1], "(") &&
           find_name(tokens[at].text, what) != nullptr;
}

bool is_member(token_list tokens, std::size_t at) {
    return at > 0 && (is_mark(tokens[at - 1], ".") || is_mark(tokens[at - 1], "->") || is_mark(tokens[at - 1], "::"));
}

struct walk {
    std::vector<std::size_t> calls;  // of operations that may be meant
    std::size_t end = 0;             // the first token after the expression
};

// Follows the postfix expression that begins at `at`: `this->list_[i].head_.load(...)`.
walk along_expression(token_list tokens, std::size_t at, role what) {
    walk result;
    bool complete = false;  // an operand precedes `at`
    while (at != tokens.size()) {
        const source_token& token = tokens[at];
        if (token.what == kind::identifier && !complete) {
            if (is_call(tokens, at, what)) result.calls.push_back(at);
            ++at;
            complete = true;
            if (at != tokens.size() && is_mark(tokens[at], "<")) at = behind_template_arguments(tokens, at);
        } else if (is_mark(token, "(") || (complete && is_mark(token, "["))) {
            const std::size_t close = matching(tokens, at);
            if (close == nowhere) break;
            at = close + 1;
            complete = true;
        } else if (is_mark(token, "::") || (complete && (is_mark(token, ".") || is_mark(token, "->")))) {
            ++at;
            complete = false;
        } else {
            break;
        }
    }
    result.end = at;
    return result;
}

std::size_t token_at(token_list tokens, const site& where) {
    const auto found = std::ranges::find_if(tokens, [&](const source_token& each) {
        return each.line == where.key.line && each.column == where.key.column;
    });
    return found == tokens.end() ? nowhere : static_cast<std::size_t>(found - tokens.begin());
}

std::string text_of(token_list tokens) {
    std::string text;
    for (const source_token& each : tokens) text += each.text;
    return text;
}

// "this->slots_[i].state_.load(" -> "state_", "slots_[i].load(" -> "slots_".
std::string object_of(token_list tokens, std::size_t name) {
    if (name < 2 || (!is_mark(tokens[name - 1], ".") && !is_mark(tokens[name - 1], "->"))) return {};
    std::size_t at = name - 2;
    while (is_mark(tokens[at], "]")) {
        int depth = 0;
        do {
            depth += is_mark(tokens[at], "]") ? 1 : is_mark(tokens[at], "[") ? -1 : 0;
            if (at == 0) return {};
            --at;
        } while (depth > 0);
    }
    return tokens[at].what == kind::identifier ? std::string(tokens[at].text) : std::string();
}

// Whether the tokens from `start` up to the name at `end` only qualify it: "std::".
bool only_qualifies(token_list tokens, std::size_t start, std::size_t end) {
    return std::ranges::all_of(tokens.subspan(start, end - start), [](const source_token& each) {
        return each.what == kind::identifier || is_mark(each, "::");
    });
}

// The name of the function called, if the expression from `start` to `end` is a call of something else than an
// operation.
std::string called(token_list tokens, std::size_t start, std::size_t end) {
    if (is_mark(tokens[start], "(")) {
        const bool named = start > 0 && tokens[start - 1].what == kind::identifier;
        return named ? std::string(tokens[start - 1].text) : std::string();
    }
    for (std::size_t i = start; i != end; ++i) {
        if (!is_mark(tokens[i], "(")) continue;
        return only_qualifies(tokens, start, i) ? text_of(tokens.subspan(start, i - start)) : std::string();
    }
    return {};
}

// Why no call was found, in plain words for the user who has to change it by hand.
std::string why_no_call(token_list tokens, std::size_t start, std::size_t end) {
    const auto text_at = [&](std::size_t i) { return i < tokens.size() ? tokens[i].text : std::string_view(); };
    const auto is_operator = [&](std::size_t i) {
        const std::string_view text = text_at(i);
        const std::string_view next = text_at(i + 1);
        return (text == "=" && next != "=") || ((text == "+" || text == "-") && (next == text || next == "=")) ||
               ((text == "&" || text == "|" || text == "^") && next == "=");
    };
    if (is_operator(start) || is_operator(end)) {
        return "the operation is an operator, which has no place for an order: write it out as a call by hand";
    }
    if (const std::string name = called(tokens, start, end); !name.empty()) {
        return "the operation is made by '" + name + "', a macro or a function without an order: change it by hand";
    }
    return "no call that takes an order stands there: an implicit conversion, or a macro; change it by hand";
}

std::variant<std::size_t, std::string> find_name_of_call(token_list tokens, const site& where, site_column column) {
    const role what = where.key.what;
    const std::size_t start = token_at(tokens, where);
    if (start == nowhere) {
        return "nothing begins at column " + std::to_string(where.key.column) +
               ": the file is not the one that this program was built from";
    }
    if (is_mark(tokens[start], "(") && start > 0 && is_call(tokens, start - 1, what)) return start - 1;
    if (is_member(tokens, start) && is_call(tokens, start, what)) return start;
    walk found = along_expression(tokens, start, what);
    if (column == site_column::operation) {
        std::erase_if(found.calls, [&](std::size_t name) { return !only_qualifies(tokens, start, name); });
    }
    if (found.calls.size() == 1) return found.calls.front();
    if (found.calls.empty()) return why_no_call(tokens, start, found.end);
    return "more than one operation begins there: change it by hand";
}

// "std::memory_order_acquire", "memory_order::acquire"; nothing else.
std::optional<written_order> parse_written(token_list tokens) {
    constexpr std::string_view type = "memory_order";
    written_order result;
    bool name_expected = true;
    for (const source_token& each : tokens) {
        const bool is_name = each.what == kind::identifier;
        if (is_name ? !name_expected : !is_mark(each, "::")) return std::nullopt;
        name_expected = !is_name;
        if (&each != &tokens.back()) result.prefix += each.text;
    }
    if (tokens.empty() || name_expected) return std::nullopt;
    result.last = &tokens.back();
    std::string_view name = result.last->text;
    if (name.starts_with("memory_order_")) {
        name.remove_prefix(type.size() + 1);
        result.prefix += "memory_order_";
    } else if (tokens.size() < 3 || tokens[tokens.size() - 3].text != type) {
        return std::nullopt;
    }
    const auto value = name == "consume" ? order::acquire : parse_order(name);
    if (!value) return std::nullopt;
    result.value = *value;
    return result;
}

std::vector<token_list> arguments_between(token_list tokens, std::size_t open, std::size_t close) {
    std::vector<token_list> result;
    std::size_t begin = open + 1;
    for (std::size_t i = begin; i != close; ++i) {
        if (is_one_of(tokens[i], "([{")) i = matching(tokens, i);
        if (!is_mark(tokens[i], ",")) continue;
        result.push_back(tokens.subspan(begin, i - begin));
        begin = i + 1;
    }
    if (begin != close || !result.empty()) result.push_back(tokens.subspan(begin, close - begin));
    return result;
}

}  // namespace

bool declares_atomic(std::span<const source_token> tokens, std::string_view name) {
    constexpr std::size_t longest_type = 12;  // tokens
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
        if (tokens[i].what != kind::identifier || tokens[i].text != name) continue;
        const bool begins = is_one_of(tokens[i + 1], ";{=([,");
        const bool of_type = is_mark(tokens[i - 1], ">") || tokens[i - 1].text.find("atomic") != std::string_view::npos;
        if (!begins || !of_type) continue;
        const std::size_t first = i < longest_type ? 0 : i - longest_type;
        for (std::size_t j = first; j != i; ++j) {
            if (tokens[j].what == kind::identifier && tokens[j].text.find("atomic") != std::string_view::npos)
                return true;
        }
    }
    return false;
}

order failure_of(order success) noexcept {
    if (success == order::acq_rel) return order::acquire;
    return success == order::release ? order::relaxed : success;
}

order atomic_call::success() const { return orders.empty() ? order::seq_cst : orders.front().value; }

order atomic_call::failure() const { return orders.size() > 1 ? orders[1].value : failure_of(success()); }

std::variant<atomic_call, std::string> find_call(token_list tokens, const site& where, site_column column) {
    if (is_within_library(where.operation)) {
        return "the operation is one of the library's own (" + where.operation + "): there is no order to change";
    }
    const auto found = find_name_of_call(tokens, where, column);
    if (const auto* why = std::get_if<std::string>(&found)) return *why;
    const std::size_t at = std::get<std::size_t>(found);
    const operation_name& what = *find_name(tokens[at].text, where.key.what);
    if (what.name == "acquire_fence") return "acquire_fence() takes no order: change it by hand";
    const std::size_t close = matching(tokens, at + 1);
    if (close == nowhere) return "the call does not end: the file is not the one that this program was built from";
    const token_list inside = tokens.subspan(at, close - at);
    if (std::ranges::count(inside, kind::directive, &source_token::what) != 0) {
        return "a preprocessor directive stands within the call: change it by hand";
    }
    const auto arguments = arguments_between(tokens, at + 1, close);
    atomic_call result{.name = &tokens[at],
                       .close = &tokens[close],
                       .takes_failure = what.roles[0] != what.roles[1],
                       .has_arguments = !arguments.empty(),
                       .object = object_of(tokens, at),
                       .orders = {}};
    const std::size_t most = what.before + (result.takes_failure ? 2 : 1);
    const bool must_be_written = what.roles[0] == role::fence || what.name.ends_with("_explicit");
    if (arguments.size() < what.before + (must_be_written ? 1 : 0) || arguments.size() > most) {
        return "a call of '" + std::string(what.name) + "' with these arguments is not known: change it by hand";
    }
    for (const token_list& each : std::span(arguments).subspan(what.before)) {
        auto written = parse_written(each);
        if (!written) return "the order is '" + text_of(each) + "', not one that is written out: change it by hand";
        result.orders.push_back(std::move(*written));
    }
    return result;
}

}  // namespace ordeal::detail
