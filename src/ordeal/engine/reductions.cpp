// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/reductions.hpp"

#include <algorithm>

namespace ordeal::detail {

const std::array<reduction_name, 10>& reduction_names() noexcept {
    static constexpr std::array<reduction_name, 10> all{{
        {"retries", &search_reductions::retries, "redundant retries of a read"},
        {"blocked", &search_reductions::blocked, "executions in which a thread is permanently blocked"},
        {"spinloops", &search_reductions::spinloops, "iterations of a loop that come back to the same state"},
        {"symmetry", &search_reductions::symmetry, "executions that differ in interchangeable threads"},
        {"waiting", &search_reductions::waiting, "executions in which an operation blocks and later goes on"},
        {"snapshots", &search_reductions::snapshots, "running the common beginning of two executions twice"},
        {"wake-ups", &search_reductions::wake_ups,
         "wake-ups after which the thread waits again, or might as well have come later"},
        {"barriers", &search_reductions::barriers, "other orders of arrivals at a barrier or a latch"},
        {"lock-elision", &search_reductions::lock_elision,
         "other orders of critical sections, in a program where none touches what another one does"},
        {"spurious-failures", &search_reductions::spurious_failures,
         "spurious failures that lead back to the same state"},
    }};
    return all;
}

search_reductions no_reductions() noexcept {
    search_reductions result;
    for (const reduction_name& each : reduction_names()) result.*each.member = false;
    return result;
}

std::optional<search_reductions> parse_reductions(std::string_view text) {
    if (text == "all") return search_reductions{};
    if (text == "none") return no_reductions();
    search_reductions result = text.starts_with('-') ? search_reductions{} : no_reductions();
    while (true) {
        const std::size_t end = std::min(text.find(','), text.size());
        std::string_view name = text.substr(0, end);
        if (name == "all") {
            result = {};
        } else {
            const bool on = !name.starts_with('-');
            if (!on) name.remove_prefix(1);
            if (name == "loops") name = "spinloops";  // its former name, accepted for one more version
            const auto& names = reduction_names();
            const auto found = std::ranges::find(names, name, &reduction_name::name);
            if (found == names.end()) return std::nullopt;
            result.*found->member = on;
        }
        if (end == text.size()) return result;
        text.remove_prefix(end + 1);
    }
}

std::string to_string(const search_reductions& value) {
    std::string on;
    std::string off;
    std::size_t count = 0;
    for (const reduction_name& each : reduction_names()) {
        const bool has = value.*each.member;
        count += has ? 1 : 0;
        std::string& list = has ? on : off;
        if (!list.empty()) list += ',';
        list += has ? std::string(each.name) : '-' + std::string(each.name);
    }
    if (off.empty()) return "all";
    if (on.empty()) return "none";
    return count * 2 >= reduction_names().size() ? off : on;
}

}  // namespace ordeal::detail
