// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/explain/explanation.hpp"

namespace ordeal {

std::string_view to_string(step_relation value) noexcept {
    switch (value) {
        case step_relation::program_order: return "program order";
        case step_relation::reads_from: return "reads-from";
        case step_relation::from_read: return "from-read";
        case step_relation::coherence: break;
    }
    return "coherence";
}

explanation explain(const scenario& /*what*/, const search_result& result) {
    explanation made;
    if (!result.message.empty()) made.conclusion.push_back(result.message);
    for (std::size_t i = 0; i < result.trace.size(); ++i) {
        made.letters.push_back(i < 26 ? std::string(1, static_cast<char>('a' + i)) : std::to_string(i));
    }
    return made;
}

}  // namespace ordeal
