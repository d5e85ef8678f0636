// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/text/trace_layout.hpp"

#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/text/style.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ordeal::detail {

namespace {

constexpr std::size_t number_width = 5;
constexpr std::size_t last_column = 40;  // what the last thread's text needs at least
constexpr std::size_t least_stride = 8;

std::size_t room_before_last() noexcept { return report_width - number_width - 3 - last_column; }

std::size_t stride_for(std::size_t threads) {
    if (threads < 2) return report_width - number_width - 3;
    return std::clamp(room_before_last() / (threads - 1), least_stride, std::size_t{28});
}

}  // namespace

trace_layout::trace_layout(std::vector<std::string> thread_names)
    : names_(std::move(thread_names)), stride_(stride_for(names_.size())) {}

std::size_t trace_layout::most_columns() noexcept { return room_before_last() / least_stride + 1; }

std::string trace_layout::head() const {
    std::string names = fmt::format("{:>{}}", "step", number_width);
    std::string line(number_width, '-');
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const bool last = i + 1 == names_.size();
        const std::string name = shortened(names_[i], last ? room(i) : stride_ - 3);
        names += last ? fmt::format(" | {}", name) : fmt::format(" | {:<{}}", name, stride_ - 3);
        line += "-+-";
        line.append(last ? room(i) : stride_ - 3, '-');
    }
    return names + '\n' + line + '\n';
}

std::string trace_layout::margin(std::size_t column, std::string_view number) const {
    std::string result = fmt::format("{:>{}} | ", number, number_width);
    for (std::size_t i = 0; i < column; ++i) result.append(stride_ - 3, ' ').append(" | ");
    return result;
}

std::size_t trace_layout::room(std::size_t column) const noexcept {
    const std::size_t used = number_width + 3 + column * stride_;
    return report_width > used ? report_width - used : 1;
}

std::vector<std::string> wrapped(std::string_view shown, std::size_t width) {
    const std::string whole = escaped(shown);
    std::string_view text = whole;
    std::vector<std::string> lines;
    while (text.size() > width) {
        auto end = text.rfind(' ', width);
        if (end == std::string_view::npos || end == 0) end = text.find(' ', width);
        if (end == std::string_view::npos) break;
        lines.emplace_back(text.substr(0, text.find_last_not_of(' ', end) + 1));
        text.remove_prefix(std::min(text.find_first_not_of(' ', end), text.size()));
    }
    lines.emplace_back(text);
    return lines;
}

std::string shortened(std::string_view shown, std::size_t width) {
    std::string text = escaped(shown);
    if (text.size() <= width) return text;
    if (width <= 3) return text.substr(0, width);
    return text.substr(0, width - 3) + "...";
}

}  // namespace ordeal::detail
