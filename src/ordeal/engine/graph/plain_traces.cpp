// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which plain accesses a trace shows, of the many that there are.
#include "ordeal/engine/graph/graph_memory_inline.hpp"
#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/model/execution.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace ordeal::graph {

namespace {

constexpr std::uint64_t most_plain_steps = 5'000;

}  // namespace

// " at a.cpp:12", of what the access just noted raced with; empty where that was not traced.
std::string graph_memory::place_of_other(memory_range where) const {
    const byte_shadow::access& other = shadow_.raced_with();
    for (const noted_access& each : noted_ | std::views::reverse) {
        if (each.number != other.number || each.writes != writes(other.how) || each.site == no_site) continue;
        if (!overlap(each.where, where)) continue;
        const site_key& key = sites().at(each.site).key;
        return " at " + key.file + ":" + std::to_string(key.line);
    }
    return {};
}

void graph_memory::trace_bytes(memory_range where, byte_access how, const code_point& at) {
    const harness_scope harness;
    if (!gets_step(where)) {
        if (overlap(where, plain_window_.always)) note_history(where, how, instrumented().site_of(at));
        return;
    }
    if (instrumented().foreign(where.address)) return;
    ++step_;
    const site_id site = instrumented().site_of(at);
    trace_step* const entry = record(at.operation, site, nullptr);
    entry->object = name_of_bytes(where);
    plain_steps_.push_back({trace_.size() - 1, where});
    if (!writes(how)) {
        const auto from = std::ranges::find_if(noted_ | std::views::reverse, [&](const noted_access& each) {
            return each.writes && each.step != 0 && overlap(each.where, where);
        });
        if (from != noted_.rend()) entry->reads_from = from->step;
    }
    noted_.push_back({where, site, step_, static_cast<std::uint8_t>(number_), writes(how)});
}

// An endless loop would fill all memory with steps.
bool graph_memory::gets_step(memory_range where) noexcept {
    plain_window& window = plain_window_;
    if (plain_accesses_ - window.begin < most_plain_steps) return true;
    if (overlap(where, window.always) && ++window.steps_outside < most_plain_steps) return true;
    window.left_out = true;
    return false;
}

void graph_memory::keep_last_plain_steps() {
    plain_window_ = {.begin = plain_accesses_ - std::min(plain_accesses_, most_plain_steps - 1),
                     .always = failed_bytes_};
}

void graph_memory::begin_plain_trace() noexcept {
    plain_accesses_ = 0;
    plain_limit_ = options_.plain_limit;
    noted_.clear();
    plain_steps_.clear();
    plain_window_.steps_outside = 0;
    plain_window_.left_out = false;
    failed_bytes_ = {};
}

// An access without a step. In a loop it is the same again and again.
void graph_memory::note_history(memory_range where, byte_access how, site_id site) {
    constexpr std::size_t most = 100'000;
    constexpr std::size_t looked_at = 8;
    if (noted_.size() >= most) return;
    const noted_access now{where, site, 0, static_cast<std::uint8_t>(number_), writes(how)};
    const auto newest = noted_ | std::views::reverse | std::views::take(looked_at);
    if (std::ranges::find(newest, now) != newest.end()) return;
    const harness_scope harness;
    noted_.push_back(now);
}

// Whether others than one thread accessed some of the bytes.
bool graph_memory::is_shared(memory_range where) const {
    int only = -1;
    for (const noted_access& each : noted_) {
        if (!overlap(each.where, where) || each.number == only) continue;
        if (only != -1) return true;
        only = each.number;
    }
    return false;
}

// What only one thread touched explains nothing.
void graph_memory::drop_private_steps() {
    std::vector<bool> dropped(trace_.size());
    for (const plain_step& each : plain_steps_) {
        dropped[each.index] = each.index + 2 < trace_.size() && !is_shared(each.where);
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < trace_.size(); ++i) {
        if (dropped[i]) continue;
        if (kept != i) trace_[kept] = std::move(trace_[i]);
        ++kept;
    }
    trace_.resize(kept);
    plain_steps_.clear();
}

}  // namespace ordeal::graph
