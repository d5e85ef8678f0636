// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/xml_text.hpp"

#include "ordeal/report/escaped_text.hpp"

namespace ordeal::detail {

namespace {

std::string_view reference_for(char each) {
    switch (each) {
        case '&': return "&amp;";
        case '<': return "&lt;";
        case '>': return "&gt;";
        case '"': return "&quot;";
        case '\t': return "&#9;";
        case '\n': return "&#10;";
        default: return {};
    }
}

}  // namespace

std::string xml_text(std::string_view text) {
    std::string result;
    const std::string value = escaped_value(text);
    for (std::size_t i = 0; i < value.size(); ++i) {
        const char each = value[i];
        // Two of them may begin a command to what runs a job.
        const bool first_of_two = each == '#' && i + 1 < value.size() && value[i + 1] == '#';
        const std::string_view reference = first_of_two ? "&#35;" : reference_for(each);
        if (reference.empty()) {
            result += each;
        } else {
            result += reference;
        }
    }
    return result;
}

}  // namespace ordeal::detail
