// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/runtime/violation.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// One line of a stack in a report of ThreadSanitizer.
struct tsan_frame {
    std::string function;  ///< as printed, with scope and parameters
    std::string file;      ///< relative when the prefix of the project was stripped; empty when unknown
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

/// One of the accesses that a report is about, or one of the locks of a potential deadlock.
struct tsan_access {
    std::string operation;           ///< "read", "write", "atomic read", "atomic write", "free", "lock"
    std::string thread;              ///< "T2", "main thread"; empty when the report does not say
    std::vector<tsan_frame> frames;  ///< innermost first; empty when ThreadSanitizer could not restore the stack
};

struct tsan_report {
    std::string title;                   ///< what ThreadSanitizer calls it: "data race", "heap-use-after-free", ...
    std::optional<violation_kind> kind;  ///< the same in our words; nothing when we have none for it
    std::vector<tsan_access> accesses;   ///< the later one first
};

/// All reports in the text that ThreadSanitizer wrote, in order; other text is passed over.
[[nodiscard]] std::vector<tsan_report> parse_tsan_reports(std::string_view text);

/// The innermost frame of the code on trial: in a file of the project (strip_path_prefix made its path relative) that
/// is not of the policies and the runner below it. Null when there is none.
[[nodiscard]] const tsan_frame* frame_on_trial(const tsan_access& access) noexcept;

/// The report as the violation of a search: its trace has one step for each access, the earlier one first, and each
/// step's note is the `order:` comment of its site.
[[nodiscard]] search_result to_search_result(const tsan_report& report);

}  // namespace ordeal::detail
