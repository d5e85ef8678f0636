// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which plain accesses a trace shows, of the many that there are.
#include "ordeal/engine/graph/graph_memory_inline.hpp"
#include "ordeal/model/execution.hpp"

#include <algorithm>
#include <utility>

namespace ordeal::graph {

namespace {

constexpr std::uint64_t most_plain_steps = 5'000;

}  // namespace

// " at a.cpp:12", of what the access just noted raced with; empty where that was not traced.
std::string graph_memory::place_of_other(memory_range where) const {
    const byte_shadow::access& other = shadow_.raced_with();
    for (std::size_t i = 0; i < where.size; ++i) {
        const auto known = histories_.find(where.address + i);
        if (known == histories_.end()) continue;
        const auto& places = writes(other.how) ? known->second.writes : known->second.reads;
        if (places[other.number] == no_site) continue;
        const site_key& key = sites().at(places[other.number]).key;
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
    const auto foreign = instrumented().foreign;
    if (foreign != nullptr && foreign(where.address)) return;
    ++step_;
    const site_id site = instrumented().site_of(at);
    trace_step* const entry = record(at.operation, site, nullptr);
    entry->object = name_of_bytes(where);
    plain_steps_.push_back({trace_.size() - 1, where});
    for (std::size_t i = 0; i < where.size; ++i) {
        byte_history& history = histories_[where.address + i];
        if (!writes(how) && history.written_at != 0) entry->reads_from = history.written_at;
        if (writes(how)) history.written_at = step_;
    }
    note_history(where, how, site);
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
    histories_.clear();
    plain_steps_.clear();
    plain_window_.steps_outside = 0;
    plain_window_.left_out = false;
    failed_bytes_ = {};
}

void graph_memory::note_history(memory_range where, byte_access how, site_id site) {
    const harness_scope harness;
    for (std::size_t i = 0; i < where.size; ++i) {
        byte_history& history = histories_[where.address + i];
        history.threads |= static_cast<std::uint16_t>(1u << number_);
        (writes(how) ? history.writes : history.reads)[index()] = site;
    }
}

// What only one thread touched explains nothing.
void graph_memory::drop_private_steps() {
    std::vector<bool> dropped(trace_.size());
    for (const plain_step& each : plain_steps_) {
        unsigned threads = 0;
        for (std::size_t i = 0; i < each.where.size; ++i) threads |= histories_[each.where.address + i].threads;
        dropped[each.index] = (threads & (threads - 1)) == 0 && each.index + 2 < trace_.size();
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
