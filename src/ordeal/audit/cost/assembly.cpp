// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/cost/assembly.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <utility>

namespace ordeal::detail {

namespace {

bool is_aarch64(target of) { return of == target::aarch64 || of == target::aarch64_lse; }

bool is_letter_and_number(std::string_view word, std::string_view letters) {
    return word.size() > 1 && letters.find(word.front()) != std::string_view::npos &&
           word.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

// The placeholder for a register; empty for any other word.
std::string_view register_kind(target of, std::string_view word) {
    switch (of) {
        case target::x86_64: return word.starts_with('%') ? "r" : "";
        case target::aarch64:
        case target::aarch64_lse:
            if (!is_letter_and_number(word, "xw")) return "";
            return word.front() == 'x' ? "x" : "w";
        case target::riscv64: return is_letter_and_number(word, "ast") || word == "ra" ? "r" : "";
        case target::ppc64le:
            if (word.starts_with("cr") && is_letter_and_number(word.substr(1), "r")) return "cr";
            return is_letter_and_number(word, "r") ? "r" : "";
    }
    return "";
}

bool is_return(target of, std::string_view mnemonic) {
    return mnemonic == "ret" || mnemonic == "retq" || (of == target::ppc64le && mnemonic == "blr");
}

bool is_call(target of, std::string_view mnemonic) {
    constexpr std::array calls{"call", "callq", "bl", "tail", "jal", "jalr"};
    return std::ranges::find(calls, mnemonic) != calls.end() || (is_aarch64(of) && mnemonic == "blr");
}

bool is_jump(std::string_view mnemonic) { return mnemonic == "jmp" || mnemonic == "b" || mnemonic == "j"; }

// Takes an instruction whose registers have been replaced.
bool is_move_between_registers(std::string_view instruction) {
    const std::size_t space = std::min(instruction.find(' '), instruction.size());
    const std::string_view mnemonic = instruction.substr(0, space);
    const std::string_view operands = instruction.substr(space);
    const bool moves = mnemonic.starts_with("mov") || mnemonic == "mv" || mnemonic == "mr";
    return moves && (operands == " r, r" || operands == " x, x" || operands == " w, w");
}

std::string_view without_comment(target of, std::string_view line) {
    return line.substr(0, line.find(is_aarch64(of) ? "//" : "#"));
}

// Reduces runs of blanks and tabs to one blank, none at the ends.
std::string with_single_blanks(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\t' || c == '\r';
        if (!blank)
            result += c;
        else if (!result.empty() && result.back() != ' ')
            result += ' ';
    }
    if (result.ends_with(' ')) result.pop_back();
    return result;
}

class reader {
public:
    explicit reader(target of) : target_(of) {}

    void read(std::string_view line) {
        const std::string text = with_single_blanks(without_comment(target_, line));
        if (text.empty()) return;
        if (text.ends_with(':'))
            label(text.substr(0, text.size() - 1));
        else if (current_ != nullptr && !text.starts_with('.'))
            instruction(text);
    }

    [[nodiscard]] std::map<std::string, std::string> take() && { return std::move(functions_); }

private:
    void label(const std::string& name) {
        if (name.starts_with(".Lfunc_end")) {
            current_ = nullptr;
        } else if (name.starts_with('.')) {
            passed_.insert(name);
        } else {
            current_ = &functions_[name];
            name_ = name;
            passed_.clear();
        }
    }

    void instruction(const std::string& text) {
        const std::size_t space = std::min(text.find(' '), text.size());
        const std::string_view mnemonic = std::string_view(text).substr(0, space);
        const std::string_view operands = std::string_view(text).substr(space);
        const bool leaves = is_jump(mnemonic) && !operands.starts_with(" .L");
        if (leaves || is_call(target_, mnemonic)) throw std::runtime_error(name_ + " calls another function: " + text);
        if (is_return(target_, mnemonic)) return;
        const std::string plain = std::string(mnemonic) + without_names(operands);
        if (is_move_between_registers(plain)) return;
        if (!current_->empty()) *current_ += "; ";
        *current_ += plain;
    }

    [[nodiscard]] std::string without_names(std::string_view operands) const {
        std::string result;
        while (!operands.empty()) {
            const auto* const end = std::ranges::find_if_not(operands, [](char c) {
                return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '%';
            });
            const auto length = static_cast<std::size_t>(end - operands.begin());
            if (length == 0) {
                result += operands.front();
                operands.remove_prefix(1);
                continue;
            }
            result += without_name(operands.substr(0, length));
            operands.remove_prefix(length);
        }
        return result;
    }

    [[nodiscard]] std::string without_name(std::string_view word) const {
        if (word.starts_with(".L")) return passed_.contains(std::string(word)) ? "back" : "on";
        const std::string_view kind = register_kind(target_, word);
        return std::string(kind.empty() ? word : kind);
    }

    target target_;
    std::map<std::string, std::string> functions_;
    std::string name_;
    std::string* current_ = nullptr;  // the function that is read; null between functions
    std::set<std::string> passed_;    // its labels so far
};

}  // namespace

std::map<std::string, std::string> functions_in(target of, std::string_view assembly) {
    reader each(of);
    while (!assembly.empty()) {
        const std::size_t end = std::min(assembly.find('\n'), assembly.size());
        each.read(assembly.substr(0, end));
        assembly.remove_prefix(std::min(end + 1, assembly.size()));
    }
    return std::move(each).take();
}

}  // namespace ordeal::detail
