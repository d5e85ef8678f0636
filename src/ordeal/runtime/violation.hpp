// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ordeal {

/// What went wrong in an execution.
enum class violation_kind : std::uint8_t {
    data_race,
    unsynchronised_destruction,
    use_after_free,
    double_free,
    frame_misuse,
    leak,
    failed_requirement,
    precondition,  ///< a library function is called outside its preconditions
    deadlock,      ///< a deadlock or a lost wake-up: no thread can proceed
    livelock,
    uninitialised_read,
    uncaught_exception,
    crash,
    nondeterminism,
    time_out,
    notification_after_destruction,  ///< of an atomic: undefined, but harmless with every library (P2616)
    use_after_scope,                 ///< of a variable whose scope, function or thread has ended
};

/// "data race", "unsynchronised destruction", ...: the words used in every report.
[[nodiscard]] std::string_view to_string(violation_kind kind) noexcept;
[[nodiscard]] std::optional<violation_kind> parse_violation_kind(std::string_view text) noexcept;

/// The page at address 0, which is never mapped, and what is said of an access to it.
[[nodiscard]] constexpr bool is_null_page(std::uintptr_t address) noexcept { return address < 4'096; }
inline constexpr const char* null_dereference = "SIGSEGV: a null pointer is dereferenced";

/// A known violation that is accepted, so that a search continues after it.
struct acceptance {
    violation_kind kind;     ///< of this kind
    std::string file;        ///< a path, or its last parts; empty: anywhere
    std::uint32_t line = 0;  ///< 0: any
    /// Whether it covers this violation.
    [[nodiscard]] bool covers(violation_kind what, std::string_view in_file, std::uint32_t at_line) const noexcept;
};

/// Whether a search can continue after such a violation: not if the searching process ends, nor if it is no verdict on
/// the code.
[[nodiscard]] bool can_be_accepted(violation_kind kind) noexcept;
/// Whether such a violation has a location. A deadlock, for example, concerns a whole execution.
[[nodiscard]] bool has_location(violation_kind kind) noexcept;

/// "KIND", "KIND@FILE" or "KIND@FILE:LINE"; '-' may stand for a space in KIND. Nothing if the text is none of these.
[[nodiscard]] std::optional<acceptance> parse_acceptance(std::string_view text);
[[nodiscard]] std::string to_string(const acceptance& value);

}  // namespace ordeal
