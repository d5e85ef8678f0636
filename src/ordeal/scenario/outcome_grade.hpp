// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

namespace ordeal {

/// What the author of a scenario says of an outcome.
enum class grade : std::uint8_t {
    acceptable,   ///< as it should be
    interesting,  ///< allowed, and worth a look
    forbidden,    ///< a failure
};

[[nodiscard]] std::string_view to_string(grade value) noexcept;  ///< "acceptable", "interesting", "forbidden"

/// One outcome of a scenario, graded, with a sentence for the report. The text must live as long as the program.
struct outcome_grade {
    std::string_view outcome;                    ///< what `outcome()` returns
    ordeal::grade expected = grade::acceptable;  ///< what is to be thought of it
    std::string_view sentence;                   ///< how it comes about
};

}  // namespace ordeal
