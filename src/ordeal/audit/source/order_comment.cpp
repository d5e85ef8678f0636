// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/source/order_comment.hpp"

#include "ordeal/scenario/source_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

namespace ordeal::detail {

namespace {

constexpr std::string_view label = "order:";
constexpr std::size_t reach = 12;  // between a comment and its site: a compare-exchange loop

struct part {
    std::string tag;  // "success", "failure", a memory order or empty
    std::string text;
};

std::string_view trimmed(std::string_view text) {
    const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

bool is_comment(std::string_view line) { return trimmed(line).starts_with("//"); }

std::string_view comment_text(std::string_view line) {
    line = trimmed(line);
    line.remove_prefix(std::min(line.size(), line.find_first_not_of('/')));
    return trimmed(line);
}

// "Lifetime: ..." ends an order: comment; its own paragraphs begin in lower case.
bool begins_another_note(std::string_view text) {
    const std::string_view word = text.substr(0, text.find_first_of(" :"));
    return !word.empty() && std::isupper(static_cast<unsigned char>(word.front())) != 0 && word.size() < text.size() &&
           text[word.size()] == ':';
}

part begin_part(std::string_view text) {
    part result;
    text = trimmed(text.substr(label.size()));
    for (const std::string_view tag : {"success", "failure", "relaxed", "acquire", "release", "acq_rel", "seq_cst"}) {
        if (text.starts_with("(" + std::string(tag) + ")")) {
            result.tag = tag;
            text = trimmed(text.substr(tag.size() + 2));
            if (text.starts_with(':')) text = trimmed(text.substr(1));
        }
    }
    result.text = text;
    return result;
}

std::vector<part> parts_of(std::span<const std::string> block) {
    std::vector<part> result;
    bool inside = false;
    for (const std::string& line : block) {
        const std::string_view text = comment_text(line);
        if (text.starts_with(label)) {
            result.push_back(begin_part(text));
            inside = true;
        } else if (begins_another_note(text) || text.empty()) {
            inside = false;
        } else if (inside) {
            result.back().text += (result.back().text.empty() ? "" : " ") + std::string(text);
        }
    }
    return result;
}

struct wanted_part {
    role what;
    std::optional<order> declared;
};

// The part for the role, or for the declared order; a part without a tag applies to any.
const part* choose(std::span<const part> parts, const wanted_part& wanted) {
    const role what = wanted.what;
    const auto tagged = [&](std::string_view tag) -> const part* {
        const auto found = std::ranges::find(parts, tag, &part::tag);
        return found == parts.end() ? nullptr : &*found;
    };
    if (what == role::success || what == role::failure) {
        if (const part* const found = tagged(to_string(what))) return found;
    }
    if (wanted.declared) {
        if (const part* const found = tagged(to_string(*wanted.declared))) return found;
    }
    return tagged("");
}

// Whether the statement that contains the next line began on this line or before.
bool goes_on(std::string_view line) {
    line = line.substr(0, line.find("//"));
    line = trimmed(line);
    return !line.empty() && std::string_view(";{}:").find(line.back()) == std::string_view::npos;
}

std::string on_the_same_line(std::string_view line, const wanted_part& wanted) {
    const std::size_t comment = line.find("//");
    if (comment == std::string_view::npos) return {};
    const std::string text(line.substr(comment));
    const auto parts = parts_of({&text, 1});
    const part* const found = choose(parts, wanted);
    return found != nullptr ? found->text : std::string();
}

}  // namespace

bool calls_atomic_operation(std::string_view line) {
    static constexpr std::array calls = {".load(",
                                         ".store(",
                                         ".exchange(",
                                         ".compare_exchange_",
                                         ".fetch_",
                                         "_fence(",
                                         ".wait(",
                                         ".test_and_set(",
                                         ".test(std::memory_order",
                                         ".clear(std::memory_order",
                                         "->load(",
                                         "->store(",
                                         "->wait(",
                                         "->exchange(",
                                         "->compare_exchange_",
                                         "->fetch_"};
    const std::string_view code = line.substr(0, line.find("//"));
    return std::ranges::any_of(calls, [&](std::string_view call) {
        const std::size_t found = code.find(call);
        if (found == std::string_view::npos) return false;
        // A wait without an argument is not std::atomic's.
        return !call.ends_with("wait(") || !code.substr(found + call.size()).starts_with(')');
    });
}

std::string order_comment(std::span<const std::string> lines, std::uint32_t line, role what,
                          std::optional<order> declared) {
    const wanted_part wanted{what, declared};
    if (line == 0 || line > lines.size()) return {};
    if (auto text = on_the_same_line(lines[line - 1], wanted); !text.empty()) return text;
    std::size_t end = line - 1;  // lines before this index are above the site
    const std::size_t limit = end > reach ? end - reach : 0;
    while (end > limit) {
        const std::string& above = lines[end - 1];
        if (trimmed(above).empty()) return {};
        if (!is_comment(above)) {
            // A comment above another operation belongs to that one.
            if (calls_atomic_operation(above) && !goes_on(above)) return {};
            --end;
            continue;
        }
        std::size_t begin = end;
        while (begin > 0 && is_comment(lines[begin - 1])) --begin;
        const auto parts = parts_of(lines.subspan(begin, end - begin));
        if (const part* const found = choose(parts, wanted)) return found->text;
        end = begin;
    }
    return {};
}

std::span<const std::string> source_cache::lines(const std::string& path) {
    const auto [place, added] = files_.try_emplace(path);
    if (added) place->second = read_source_lines(path);
    return place->second;
}

}  // namespace ordeal::detail
