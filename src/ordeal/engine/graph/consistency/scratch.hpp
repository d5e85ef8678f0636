// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

namespace ordeal::graph {

/// Tables that each use fills anew: kept for their memory alone, so a copy of what they belong to has its own. Made when
/// they are first used.
template <class Tables>
class scratch {
public:
    scratch() = default;
    scratch(const scratch& /*other*/) noexcept {}
    scratch& operator=(const scratch& /*other*/) noexcept { return *this; }
    ~scratch() = default;

    [[nodiscard]] Tables& tables() {
        if (!all_) all_ = std::make_unique<Tables>();
        return *all_;
    }

private:
    std::unique_ptr<Tables> all_;
};

}  // namespace ordeal::graph
