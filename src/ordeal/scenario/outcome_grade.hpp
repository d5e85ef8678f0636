// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

namespace ordeal {

/// The author's judgement of an outcome.
enum class grade : std::uint8_t {
    acceptable,   ///< expected
    interesting,  ///< allowed, but worth a look
    forbidden,    ///< a failure
};

[[nodiscard]] std::string_view to_string(grade value) noexcept;  ///< "acceptable", "interesting", "forbidden"

/// One outcome of a scenario, graded, with a sentence for the report. The text must live as long as the program.
struct outcome_grade {
    std::string_view outcome;                    ///< what `outcome()` returns
    ordeal::grade expected = grade::acceptable;  ///< its grade
    std::string_view sentence;                   ///< how it arises
};

}  // namespace ordeal
