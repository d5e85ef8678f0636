// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/explain/thread_names.hpp"

namespace ordeal::detail {

std::vector<std::string> thread_names(const scenario& what, const trace& steps) {
    std::vector<std::string> names = what.threads;
    for (const trace_step& step : steps) {
        while (step.thread >= static_cast<int>(names.size())) {
            names.push_back("thread " + std::to_string(names.size() + 1));  // as in what the engine says: from 1
        }
    }
    return names;
}

}  // namespace ordeal::detail
