// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/facts.hpp"

#include "ordeal/engine/unchecked_code.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/text/trace_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ordeal::detail {

std::string limit_notes::marks(const std::vector<limit>& limits) {
    std::string result;
    for (const limit& each : limits) {
        auto found = std::find(seen_.begin(), seen_.end(), each.sentence);
        if (found == seen_.end()) found = seen_.insert(seen_.end(), each.sentence);
        const std::string mark = fmt::format("[{}]", found - seen_.begin() + 1);
        // Searches that share a row may share a limit.
        if (result.find(mark) == std::string::npos) result += mark;
    }
    return result;
}

std::string limit_notes::text(std::string_view heading) const {
    if (seen_.empty()) return {};
    std::string result = std::string(heading) + '\n';
    for (std::size_t i = 0; i < seen_.size(); ++i) {
        std::string label = fmt::format("[{}]", i + 1);
        for (const std::string& line : wrapped(seen_[i], report_width - 6)) {
            result += fmt::format("{:<5} {}\n", label, line);
            label.clear();
        }
    }
    return result;
}

std::string limit_lines(const std::vector<limit>& limits) {
    std::string text;
    for (const limit& each : limits) text += each.sentence + '\n';
    return text;
}

std::string unchecked_lines(const std::vector<limit>& limits, const text_style& style) {
    std::vector<std::string> shown;
    std::string text;
    for (const std::string& each : unchecked_code(limits)) {
        if (std::ranges::find(shown, each) != shown.end()) continue;
        shown.push_back(each);
        text += style.bad(escaped(each)) + '\n';
    }
    return text.empty() ? text : text + '\n';
}

std::string limit_clauses(const std::vector<limit>& limits) {
    std::string text;
    for (const limit& each : limits) text += ". Limit: " + each.sentence;
    return text;
}

}  // namespace ordeal::detail
