// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/limit_notes.hpp"

#include "ordeal/report/style.hpp"
#include "ordeal/report/trace_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ordeal::detail {

std::string limit_notes::marks(const std::vector<std::string>& limits) {
    std::string result;
    for (const std::string& limit : limits) {
        auto found = std::find(seen_.begin(), seen_.end(), limit);
        if (found == seen_.end()) found = seen_.insert(seen_.end(), limit);
        result += fmt::format("[{}]", found - seen_.begin() + 1);
    }
    return result;
}

std::string limit_notes::text() const {
    std::string result;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
        std::string label = fmt::format("[{}]", i + 1);
        for (const std::string& line : wrapped(seen_[i], report_width - 6)) {
            result += fmt::format("{:<5} {}\n", label, line);
            label.clear();
        }
    }
    return result;
}

}  // namespace ordeal::detail
