// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/search_report.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ordeal::detail {

namespace {

constexpr std::size_t most_kept = 1'000;
constexpr std::size_t kept_at_beginning = 100;
constexpr std::size_t kept_at_end = 300;

constexpr std::string_view left_out = " steps left out";

// How far each step is from the last ones, back along what led to them.
class distances_to_end {
public:
    explicit distances_to_end(const trace& steps)
        : steps_(steps), links_(steps.size()), length_(steps.size(), unreached) {
        link();
        reach(steps.size() - 1, 0);
        for (const auto& [thread, last] : last_of_thread_) reach(last, of_program_order);
        while (!waiting_.empty()) {
            const auto [length, next] = waiting_.top();
            waiting_.pop();
            if (length != length_[next]) continue;
            for (const auto& [to, more] : {std::pair(links_[next].source, of_value),
                                           {links_[next].at_bytes, of_value},
                                           {links_[next].in_thread, of_program_order}}) {
                if (to) reach(*to, length + more);
            }
        }
    }

    [[nodiscard]] std::uint64_t to(std::size_t step) const { return length_[step]; }

private:
    static constexpr std::uint64_t unreached = std::numeric_limits<std::uint64_t>::max();
    static constexpr std::uint64_t of_value = 1;
    static constexpr std::uint64_t of_program_order = 4;

    struct earlier {
        std::optional<std::size_t> source;     ///< the write that it reads from, or the notification
        std::optional<std::size_t> at_bytes;   ///< the step before at its address
        std::optional<std::size_t> in_thread;  ///< the step before in its thread
    };

    void link() {
        std::unordered_map<std::uint32_t, std::size_t> by_index;
        std::unordered_map<std::uint64_t, std::size_t> last_at;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            const trace_step& each = steps_[i];
            const auto from = each.reads_from ? each.reads_from : each.woken_by;
            if (const auto found = from ? by_index.find(*from) : by_index.end(); found != by_index.end())
                links_[i].source = found->second;
            by_index.emplace(each.index, i);
            if (each.size != 0) {
                const auto [at, is_first] = last_at.try_emplace(each.address, i);
                if (!is_first) links_[i].at_bytes = std::exchange(at->second, i);
            }
            const auto [last, is_first] = last_of_thread_.try_emplace(each.thread, i);
            if (!is_first) links_[i].in_thread = std::exchange(last->second, i);
        }
    }

    void reach(std::size_t step, std::uint64_t length) {
        if (length >= length_[step]) return;
        length_[step] = length;
        waiting_.emplace(length, step);
    }

    const trace& steps_;
    std::vector<earlier> links_;
    std::map<int, std::size_t> last_of_thread_;
    std::vector<std::uint64_t> length_;
    using waiting_step = std::pair<std::uint64_t, std::size_t>;
    std::priority_queue<waiting_step, std::vector<waiting_step>, std::greater<>> waiting_;
};

trace_step gap_before(const trace_step& next, std::size_t count) {
    trace_step gap;
    gap.index = next.index;
    gap.operation = std::to_string(count) + std::string(left_out);
    return gap;
}

}  // namespace

bool is_gap(const trace_step& step) noexcept { return step.operation.ends_with(left_out); }

trace shortened(const trace& whole) {
    if (whole.size() <= most_kept) return whole;
    const distances_to_end distance(whole);
    std::vector<std::size_t> closest(whole.size());
    for (std::size_t i = 0; i < closest.size(); ++i) closest[i] = i;
    const auto rank = [&](std::size_t step) -> std::uint64_t {
        const bool always = step < kept_at_beginning || step + kept_at_end >= whole.size();
        return always ? 0 : 1 + distance.to(step);
    };
    const auto end = closest.begin() + static_cast<std::ptrdiff_t>(most_kept);
    std::ranges::nth_element(closest, end, {},
                             [&](std::size_t step) { return std::pair(rank(step), whole.size() - step); });
    std::ranges::sort(closest.begin(), end);
    trace result;
    std::size_t next = 0;
    for (auto each = closest.begin(); each != end; ++each) {
        if (*each != next) result.push_back(gap_before(whole[next], *each - next));
        result.push_back(whole[*each]);
        next = *each + 1;
    }
    return result;
}

}  // namespace ordeal::detail
