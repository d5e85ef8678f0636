// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What came from outside, from the code on trial say, is shown and not acted on. All formats of reports are made by
// these functions: names, messages, outcomes, paths and source lines may hold any bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ordeal::detail {

/// Longer messages and outcomes are cut where people read them; --json has all.
inline constexpr std::size_t longest_shown = 10'000;
/// So are longer lines of any kind. The line that replays an execution is shorter.
inline constexpr std::size_t longest_line = 200'000;

/// The text in one line for a terminal. Control characters (U+0000 to U+001F, U+007F to U+009F), characters that change
/// the order or the visibility of others (U+202E), and bytes that are no UTF-8 are written as \n, \x1b, \u202e and so
/// on.
[[nodiscard]] std::string escaped(std::string_view text);

/// The same, but lines and tabs stay, and it is cut to longest_line: for a format that marks where texts begin and end.
[[nodiscard]] std::string escaped_value(std::string_view text);

/// The same of all lines of a report. Each is cut to longest_line, and none is a command to what runs a job: neither
/// "::error::", with or without blanks before it, nor "##[group]". With `styled` the sequences of text_style stay.
[[nodiscard]] std::string escaped_lines(std::string_view text, bool styled = false);

/// Cut to so many bytes, with how much more there is and a number that two different texts do not share.
[[nodiscard]] std::string cut_short(std::string_view text, std::size_t most = longest_shown);

/// JSON with the same meaning, in which no such character stands as it is.
[[nodiscard]] std::string escaped_json(std::string_view json);

struct character {
    std::uint32_t code = 0;
    std::size_t size = 0;  ///< bytes; 0: the first one begins no character of UTF-8
};
[[nodiscard]] character first_character(std::string_view text);

/// `text` as it may stand in XML 1.0, between tags and in an attribute: well-formed UTF-8, markup and the blanks that a
/// reader would change as references. What XML cannot hold, and what a reader's terminal would act on, is escaped; a
/// long text is cut.
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace ordeal::detail
