// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Input functions of which libstdc++ has compiled specialisations, called by code on trial, which is linked with
// --wrap. They access the stream, its buffer, the characters that are in the buffer, and where these go to.
#include "ordeal/instrumented/caller/caller_accesses.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <istream>
#include <streambuf>
#include <string>

namespace {

using ordeal::detail::caller_accesses;

// The characters that a stream buffer has ready.
template <class Char>
struct ready_input : std::basic_streambuf<Char> {
    using buffer = std::basic_streambuf<Char>;

    static const Char* begin_of(const buffer& of) { return (of.*&ready_input::eback)(); }
    static const Char* next_of(const buffer& of) { return (of.*&ready_input::gptr)(); }
    static const Char* end_of(const buffer& of) { return (of.*&ready_input::egptr)(); }
};

/// One call that takes characters from a stream.
template <class Char>
class input_call {
public:
    input_call(const caller_accesses& caller, std::basic_istream<Char>& from) : caller_(caller) {
        if (!caller_.on_trial()) return;
        // A pointer to its table of functions, and the count of the last input; its base lies behind.
        caller_.reads(&from, sizeof(void*));
        caller_.writes(reinterpret_cast<const char*>(&from) + sizeof(void*), sizeof(std::streamsize));
        auto* const base = static_cast<std::basic_ios<Char>*>(&from);
        caller_.writes(base, sizeof(*base));
        buffer_ = from.rdbuf();
        if (buffer_ == nullptr) return;
        caller_.writes(buffer_, sizeof(*buffer_));
        begin_ = input::begin_of(*buffer_);
        next_ = input::next_of(*buffer_);
        end_ = input::end_of(*buffer_);
    }
    input_call(const input_call&) = delete;
    input_call& operator=(const input_call&) = delete;

    /// After the call: what it has taken.
    void end() const {
        if (buffer_ == nullptr) return;
        const Char* const begin = input::begin_of(*buffer_);
        const Char* const next = input::next_of(*buffer_);
        if (begin == begin_ && next >= next_) {
            reads(next_, next);
        } else {
            reads(next_, end_);
            reads(begin, next);
        }
    }

private:
    using input = ready_input<Char>;

    void reads(const Char* from, const Char* to) const {
        caller_.reads(from, static_cast<std::size_t>(to - from) * sizeof(Char));
    }

    const caller_accesses& caller_;
    std::basic_streambuf<Char>* buffer_ = nullptr;
    const Char* begin_ = nullptr;
    const Char* next_ = nullptr;
    const Char* end_ = nullptr;
};

template <class Char, class Call>
std::basic_istream<Char>& takes_string(const caller_accesses& caller, std::basic_istream<Char>& from,
                                       std::basic_string<Char>& to, Call call) {
    const input_call<Char> input(caller, from);
    caller.writes_object(&to);
    call();
    input.end();
    caller.writes(to.data(), (to.size() + 1) * sizeof(Char));
    return from;
}

/// Tells whether an array was stored to: where there is no input it is not, not even an end. Then the width stays,
/// which else becomes 0.
class extraction_width {
public:
    extraction_width(std::istream& from, std::streamsize room) : from_(from), before_(from.width()) {
        if (before_ == 0) from_.width(room);  // the same: no more are stored
    }
    extraction_width(const extraction_width&) = delete;
    extraction_width& operator=(const extraction_width&) = delete;
    ~extraction_width() {
        if (!stored()) from_.width(before_);
    }
    [[nodiscard]] bool stored() const { return from_.width() == 0; }

private:
    std::istream& from_;
    std::streamsize before_;
};

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

#define ORDEAL_GETLINE(letter, character) \
    std::basic_istream<character>* ordeal_getline_##letter( \
        std::basic_istream<character>* from, std::basic_string<character>* to, \
        character end) asm("_ZSt7getlineI" #letter "St11char_traitsI" #letter "ESaI" #letter \
                           "EERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_"); \
    std::basic_istream<character>* ordeal_wrap_getline_##letter( \
        std::basic_istream<character>* from, std::basic_string<character>* to, \
        character end) asm("__wrap__ZSt7getlineI" #letter "St11char_traitsI" #letter "ESaI" #letter \
                           "EERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_"); \
    std::basic_istream<character>* ordeal_wrap_getline_##letter(std::basic_istream<character>* from, \
                                                                std::basic_string<character>* to, character end) { \
        return &takes_string(ordeal::detail::accesses_of_caller("getline"), *from, *to, \
                             [&] { ordeal_getline_##letter(from, to, end); }); \
    }
ORDEAL_GETLINE(c, char)
ORDEAL_GETLINE(w, wchar_t)

std::istream* __wrap__ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE(
    std::istream* from, std::string* to) {
    return &takes_string(ordeal::detail::accesses_of_caller("operator>>"), *from, *to, [&] { *from >> *to; });
}

std::istream* __wrap__ZNSi7getlineEPclc(std::istream* from, char* to, std::streamsize room, char end) {
    const caller_accesses caller = ordeal::detail::accesses_of_caller("istream::getline");
    const input_call<char> input(caller, *from);
    from->getline(to, room, end);
    input.end();
    // The delimiter was taken, and is counted, where neither the input nor the room has ended.
    const std::streamsize stored = from->gcount() + (from->good() ? 0 : 1);
    caller.writes(to,
                  static_cast<std::size_t>(std::clamp<std::streamsize>(stored, 0, std::max<std::streamsize>(room, 0))));
    return from;
}
std::istream* __wrap__ZNSi6ignoreEl(std::istream* from, std::streamsize most) {
    const caller_accesses caller = ordeal::detail::accesses_of_caller("ignore");
    const input_call<char> input(caller, *from);
    from->ignore(most);
    input.end();
    return from;
}
std::istream* __wrap__ZNSi6ignoreEli(std::istream* from, std::streamsize most, int end) {
    const caller_accesses caller = ordeal::detail::accesses_of_caller("ignore");
    const input_call<char> input(caller, *from);
    from->ignore(most, end);
    input.end();
    return from;
}
void ordeal_extract(std::istream* from, char* to, std::streamsize room) asm("_ZSt17__istream_extractRSiPcl");
void __wrap__ZSt17__istream_extractRSiPcl(std::istream* from, char* to, std::streamsize room) {
    const caller_accesses caller = ordeal::detail::accesses_of_caller("operator>>");
    const input_call<char> input(caller, *from);
    const extraction_width width(*from, room);
    ordeal_extract(from, to, room);
    input.end();
    if (width.stored()) caller.writes(to, ::strnlen(to, static_cast<std::size_t>(room) - 1) + 1);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
