// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/source/written_orders.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace ordeal::detail {

namespace {

using kind = source_token::kind;

bool in_a_word(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
}
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Each function takes the beginning of something and returns the position after it.
class lexer {
public:
    explicit lexer(std::string_view text) : text_(text) {}

    std::vector<source_token> read() {
        while (at_ != text_.size()) {
            const char c = text_[at_];
            const std::string_view rest = text_.substr(at_);
            if (is_space(c)) {
                begins_line_ = begins_line_ || c == '\n';
                skip(at_ + 1);
            } else if (rest.starts_with("\\\n") || rest.starts_with("\\\r\n")) {
                skip(text_.find('\n', at_) + 1);
            } else if (rest.starts_with("//")) {
                skip(end_of_line(at_));
            } else if (rest.starts_with("/*")) {
                skip(behind(text_.find("*/", at_ + 2), 2));
            } else if (c == '#' && begins_line_) {
                add(kind::directive, end_of_directive(at_));
            } else {
                add_token(c, rest);
            }
        }
        return std::move(tokens_);
    }

private:
    void add_token(char c, std::string_view rest) {
        if (const std::size_t end = end_of_quoted(at_); end != at_) {
            add(kind::literal, end);
        } else if (is_digit(c) || (c == '.' && rest.size() > 1 && is_digit(rest[1]))) {
            add(kind::literal, end_of_number(at_));
        } else if (in_a_word(c)) {
            add(kind::identifier, end_of_word(at_));
        } else {
            add(kind::mark, at_ + (rest.starts_with("::") || rest.starts_with("->") ? 2 : 1));
        }
    }

    void add(kind what, std::size_t end) {
        tokens_.push_back(
            {what, text_.substr(at_, end - at_), line_, static_cast<std::uint32_t>(at_ - line_begin_ + 1)});
        begins_line_ = false;
        skip(end);
    }
    void skip(std::size_t end) {
        for (; at_ != end; ++at_) {
            if (text_[at_] != '\n') continue;
            ++line_;
            line_begin_ = at_ + 1;
        }
    }

    [[nodiscard]] std::size_t behind(std::size_t found, std::size_t size) const {
        return found == std::string_view::npos ? text_.size() : found + size;
    }
    // A line that ends with a backslash continues.
    [[nodiscard]] std::size_t end_of_line(std::size_t from) const {
        for (;;) {
            const std::size_t end = text_.find('\n', from);
            if (end == std::string_view::npos) return text_.size();
            const std::string_view line = text_.substr(from, end - from);
            if (!line.ends_with("\\") && !line.ends_with("\\\r")) return end;
            from = end + 1;
        }
    }
    [[nodiscard]] std::size_t end_of_directive(std::size_t from) const {
        const std::size_t end = end_of_line(from);
        const std::size_t comment = text_.find("/*", from);
        const std::size_t line_comment = text_.find("//", from);
        if (comment >= end || line_comment < comment) return end;
        const std::size_t close = text_.find("*/", comment + 2);
        return close < end ? end : end_of_line(behind(close, 2));
    }
    [[nodiscard]] std::size_t end_of_word(std::size_t from) const {
        return static_cast<std::size_t>(
            std::find_if_not(text_.begin() + static_cast<std::ptrdiff_t>(from), text_.end(), in_a_word) -
            text_.begin());
    }
    [[nodiscard]] std::size_t end_of_number(std::size_t from) const {
        for (std::size_t i = from; i != text_.size(); ++i) {
            const char c = text_[i];
            const bool sign =
                (c == '+' || c == '-') && std::string_view("eEpP").find(text_[i - 1]) != std::string_view::npos;
            const bool separator = c == '\'' && i + 1 != text_.size() && in_a_word(text_[i + 1]);
            if (!in_a_word(c) && c != '.' && !sign && !separator) return i;
        }
        return text_.size();
    }
    // "...", '...', R"(...)", each with a prefix; returns `from` if none begins there.
    [[nodiscard]] std::size_t end_of_quoted(std::size_t from) const {
        std::string_view rest = text_.substr(from);
        for (const std::string_view prefix : {"u8", "u", "U", "L"}) {
            if (!rest.starts_with(prefix)) continue;
            rest.remove_prefix(prefix.size());
            break;
        }
        const std::size_t begin = text_.size() - rest.size();
        if (rest.starts_with("R\"")) {
            const std::size_t open = text_.find('(', begin);
            if (open == std::string_view::npos) return text_.size();
            const std::string close = ")" + std::string(text_.substr(begin + 2, open - begin - 2)) + "\"";
            return behind(text_.find(close, open), close.size());
        }
        if (!rest.starts_with('"') && !rest.starts_with('\'')) return from;
        for (std::size_t i = begin + 1; i < text_.size(); ++i) {
            if (text_[i] == '\\') {
                ++i;
            } else if (text_[i] == rest.front() || text_[i] == '\n') {
                return i + 1;
            }
        }
        return text_.size();
    }

    std::string_view text_;
    std::vector<source_token> tokens_;
    std::size_t at_ = 0;
    std::size_t line_begin_ = 0;
    std::uint32_t line_ = 1;
    bool begins_line_ = true;
};

}  // namespace

std::vector<source_token> tokens_of(std::string_view text) { return lexer(text).read(); }

}  // namespace ordeal::detail
