// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/libc/format_arguments.hpp"

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <cwchar>

namespace ordeal::detail {

namespace {

enum class length : std::uint8_t { none, hh, h, l, ll, big };

/// One conversion of a format: "%-5.3ls".
struct conversion {
    char kind = '\0';  ///< '\0': the end of the format; '%' is no conversion
    length size = length::none;
    bool suppressed = false;  ///< scanf: nothing is assigned
    bool allocates = false;   ///< scanf: allocates memory for the caller
    bool width_given = false;
    bool precision_given = false;
    std::size_t width = 0;
    std::size_t precision = 0;
};

std::size_t digits(const char*& at) {
    char* end = nullptr;
    const unsigned long value = std::strtoul(at, &end, 10);
    at = end;
    return value;
}

length length_at(const char*& at) {
    const char first = *at;
    if (std::strchr("hlLjztq", first) == nullptr || first == '\0') return length::none;
    ++at;
    if (first == 'h' && *at == 'h') return ++at, length::hh;
    if (first == 'l' && *at == 'l') return ++at, length::ll;
    if (first == 'h') return length::h;
    if (first == 'l') return length::l;
    return first == 'L' ? length::big : length::ll;
}

// After a '['.
void skip_set(const char*& at) {
    if (*at == '^') ++at;
    if (*at == ']') ++at;
    while (*at != '\0' && *at != ']') ++at;
    if (*at != '\0') ++at;
}

std::size_t size_of_integer(length size) noexcept {
    switch (size) {
        case length::hh: return sizeof(char);
        case length::h: return sizeof(short);
        case length::l: return sizeof(long);
        case length::ll:
        case length::big: return sizeof(long long);
        case length::none: break;
    }
    return sizeof(int);
}

class printed {
public:
    printed(const caller_accesses& caller, std::va_list& arguments) : caller_(caller), arguments_(arguments) {}

    void note(const char* format) {
        caller_.reads_text(format);
        for (const char* at = std::strchr(format, '%'); at != nullptr; at = std::strchr(at, '%')) {
            ++at;
            if (!note_one(at)) return;
        }
    }

private:
    // Returns whether the rest of the format can be interpreted.
    bool note_one(const char*& at) {
        conversion what;
        while (*at != '\0' && std::strchr("-+ #0'I", *at) != nullptr) ++at;
        if (*at == '*') {
            (void)va_arg(arguments_, int);
            ++at;
        } else if (std::isdigit(static_cast<unsigned char>(*at)) != 0) {
            (void)digits(at);
        }
        if (*at == '$') return false;  // arguments by number are not supported
        if (*at == '.') {
            ++at;
            what.precision_given = true;
            if (*at == '*') {
                const int given = va_arg(arguments_, int);
                what.precision_given = given >= 0;
                what.precision = static_cast<std::size_t>(given);
                ++at;
            } else {
                what.precision = digits(at);
            }
        }
        what.size = length_at(at);
        what.kind = *at;
        if (what.kind != '\0') ++at;
        return take(what);
    }

    bool take(const conversion& what) {
        if (std::strchr("aAeEfFgG", what.kind) != nullptr && what.kind != '\0') {
            // NOLINTNEXTLINE(bugprone-branch-clone): the types differ, and with them what is taken
            what.size == length::big ? (void)va_arg(arguments_, long double) : (void)va_arg(arguments_, double);
            return true;
        }
        switch (what.kind) {
            case '%':
            case 'm': return true;
            case 's': text(what); return true;
            case 'S': wide_text(what); return true;
            case 'n': caller_.writes(va_arg(arguments_, void*), size_of_integer(what.size)); return true;
            case 'p': (void)va_arg(arguments_, void*); return true;
            case 'c':
            case 'C':
            case 'd':
            case 'i':
            case 'o':
            case 'u':
            case 'x':
            case 'X':
                // NOLINTNEXTLINE(bugprone-branch-clone): as above
                size_of_integer(what.size) > sizeof(int) ? (void)va_arg(arguments_, long)
                                                         : (void)va_arg(arguments_, int);
                return true;
            default: return false;
        }
    }

    void text(const conversion& what) {
        if (what.size == length::l) return wide_text(what);
        const char* const given = va_arg(arguments_, const char*);
        if (given == nullptr) return;
        if (what.precision_given) return caller_.reads_text(given, what.precision);
        caller_.reads_text(given);
    }
    void wide_text(const conversion& what) {
        const auto* const given = va_arg(arguments_, const wchar_t*);
        if (given == nullptr) return;
        const std::size_t length = what.precision_given ? ::wcsnlen(given, what.precision) : std::wcslen(given) + 1;
        caller_.reads(given, length * sizeof(wchar_t));
    }

    const caller_accesses& caller_;
    std::va_list& arguments_;
};

class scanned {
public:
    scanned(const caller_accesses& caller, std::va_list& arguments, int assigned)
        : caller_(caller), arguments_(arguments), left_(assigned) {}

    void note(const char* format) {
        caller_.reads_text(format);
        for (const char* at = std::strchr(format, '%'); at != nullptr; at = std::strchr(at, '%')) {
            ++at;
            const conversion what = next(at);
            if (what.kind == '\0') return;
            if (what.kind == '%' || what.suppressed) continue;
            if (what.kind != 'n' && left_-- <= 0) return;
            assign(what, va_arg(arguments_, void*));
        }
    }

private:
    static conversion next(const char*& at) {
        conversion what;
        if (*at == '*') {
            what.suppressed = true;
            ++at;
        }
        if (*at == '\'') ++at;
        if (std::isdigit(static_cast<unsigned char>(*at)) != 0) {
            what.width_given = true;
            what.width = digits(at);
        }
        if (*at == '$') return {};
        if (*at == 'm') {
            what.allocates = true;
            ++at;
        }
        what.size = length_at(at);
        what.kind = *at;
        if (what.kind != '\0') ++at;
        if (what.kind == '[') skip_set(at);
        return what;
    }

    void assign(const conversion& what, void* to) const {
        if (what.allocates) return caller_.writes(to, sizeof(void*));
        const bool wide = what.size == length::l || what.kind == 'S' || what.kind == 'C';
        switch (what.kind) {
            case 's':
            case '[':
            case 'S':
                return caller_.writes(to, wide ? (std::wcslen(static_cast<const wchar_t*>(to)) + 1) * sizeof(wchar_t)
                                               : std::strlen(static_cast<const char*>(to)) + 1);
            case 'c':
            case 'C': return caller_.writes(to, (what.width_given ? what.width : 1) * (wide ? sizeof(wchar_t) : 1));
            case 'p': return caller_.writes(to, sizeof(void*));
            case 'a':
            case 'A':
            case 'e':
            case 'E':
            case 'f':
            case 'F':
            case 'g':
            case 'G':
                return caller_.writes(to, what.size == length::big ? sizeof(long double)
                                          : what.size == length::l ? sizeof(double)
                                                                   : sizeof(float));
            default: return caller_.writes(to, size_of_integer(what.size));
        }
    }

    const caller_accesses& caller_;
    std::va_list& arguments_;
    int left_;
};

}  // namespace

void note_printed(const caller_accesses& caller, const char* format, argument_list& arguments) {
    if (caller.on_trial()) printed(caller, arguments.list).note(format);
}

void note_scanned(const caller_accesses& caller, const char* format, argument_list& arguments, int assigned) {
    if (caller.on_trial()) scanned(caller, arguments.list, assigned).note(format);
}

}  // namespace ordeal::detail
