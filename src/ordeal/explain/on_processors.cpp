// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/search_report.hpp"
#include "ordeal/explain/explanation_parts.hpp"
#include "ordeal/explain/step_words.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace ordeal::detail {

namespace {

using processors::allowance;
using processors::allowances;
using processors::operation;
using processors::source_event;

/// The operations of a trace. What a library orders, such as a lock or a join, is a store that releases and a load that
/// acquires: its calls do no less on any processor.
class operations_of_trace {
public:
    operations_of_trace(const trace_relations& steps, const violation_ends& ends) : steps_(steps), ends_(ends) {}

    /// Nothing if a step is missing.
    std::optional<std::vector<source_event>> all() {
        if (!orders_are_known() || some_are_of_parts()) return std::nullopt;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            constexpr std::size_t widest = 8;  // wider ones are calls of a library, or locked instructions
            if (is_gap(steps_[i]) || (is_atomic(steps_[i]) && steps_[i].size > widest) || !find_source(i))
                return std::nullopt;
            find_synchronisation(i);
        }
        for (std::size_t i = 0; i < steps_.size(); ++i) put(i);
        for (const auto& [event, source] : reads_) made_[event].reads_from = writes_.at(source);
        if (asks_for_the_other_order(ends_)) put_second_before_first();
        return std::move(made_);
    }

private:
    /// What an event stands for: a step, or what comes of one for another thread.
    enum class role : std::uint8_t { itself, synchronisation };
    using write = std::pair<std::size_t, role>;

    // Atomics of different sizes on the same bytes: here a location is one object, which is accessed as a whole.
    [[nodiscard]] bool some_are_of_parts() const {
        std::map<std::uint64_t, std::uint64_t> ends;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (!is_atomic(steps_[i]) || steps_[i].size == 0) continue;
            const std::uint64_t end = steps_[i].address + steps_[i].size;
            if (!ends.emplace(steps_[i].address, end).second && ends.at(steps_[i].address) != end) return true;
        }
        const auto overlaps_next = [](const auto& a, const auto& b) { return a.second > b.first; };
        return std::ranges::adjacent_find(ends, overlaps_next) != ends.end();
    }

    static bool is_atomic(const trace_step& step) {
        return step.is_about(object_kind::atomic) && (step.before || step.coherence);
    }
    // The engine relacy records none.
    [[nodiscard]] bool orders_are_known() const {
        bool any = false;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (steps_[i].event_order) return true;
            any |= steps_[i].thread >= 0 && is_atomic(steps_[i]);
        }
        return !any;
    }

    // Writes before there is a thread have no place in coherence: the last of them is the initial value, and so is step
    // 0. Returns whether it is known what the step reads.
    bool find_source(std::size_t i) {
        const trace_step& step = steps_[i];
        if (step.coherence) first_write_.emplace(step.object, i);
        if (reads_what_is_not_shown(step)) return false;
        if (!is_atomic(step) || step.reads_from.value_or(0) == 0) return true;
        const auto source = steps_.source_of(i);
        if (!source) return false;
        if (steps_[*source].coherence) {
            source_[i] = *source;
            return true;
        }
        const auto first = first_write_.find(step.object);
        if (first == first_write_.end() || *source < first->second) return true;
        // finish() reads what it has written: nothing is after it that could tell.
        if (steps_[*source].thread < 0) silent_.insert(i);
        return steps_[*source].thread < 0;
    }

    // What a step knows of other threads by itself, without an atomic that says so.
    void find_synchronisation(std::size_t i) {
        const bool begins = begun_.insert(steps_[i].thread).second;
        std::map<int, std::size_t> latest;
        for (std::size_t other = 0; other < steps_.size(); ++other) {
            if (steps_[other].thread == steps_[i].thread || !steps_.happens_before(other, i)) continue;
            const bool creates = steps_[other].kind() == step_kind::create_thread || steps_[other].thread < 0;
            const bool learns = !is_atomic(steps_[i]) && !is_fence(steps_[i]) && !known_before(other, i);
            if (learns || (begins && creates)) latest[steps_[other].thread] = other;
        }
        // What one of them knows already it tells as well.
        for (const auto& each : latest) {
            const bool is_told = std::ranges::any_of(latest, [&](const auto& other) {
                return other.second != each.second && steps_.happens_before(each.second, other.second);
            });
            if (is_told) continue;
            learns_.emplace(i, each.second);
            tells_.insert(each.second);
        }
    }

    [[nodiscard]] bool known_before(std::size_t other, std::size_t i) const {
        const auto before = steps_.before_in_thread(i);
        return before && steps_.happens_before(other, *before);
    }

    void put(std::size_t i) {
        const auto [begin, end] = learns_.equal_range(i);
        for (auto each = begin; each != end; ++each) {
            reads_.emplace_back(made_.size(), write{each->second, role::synchronisation});
            add(i, operation::library_acquire, order::acquire, "synchronisation " + std::to_string(each->second));
        }
        const bool is_end = asks_for_the_other_order(ends_) && (ends_.first == i || ends_.second == i);
        if (is_end) end_of_[i] = made_.size();
        if (is_atomic(steps_[i])) {
            if (!silent_.contains(i)) put_atomic(i);
        } else if (is_fence(steps_[i]) && steps_[i].event_order) {
            add(i, operation::fence, *steps_[i].event_order, "");
        }
        if (is_end && !is_atomic(steps_[i])) {
            const bool writes = steps_[i].access == step_access::write;
            add(i, writes ? operation::store : operation::load, order::relaxed, "the two accesses");
        }
        if (!tells_.contains(i)) return;
        writes_[{i, role::synchronisation}] = made_.size();
        add(i, operation::library_release, order::release, "synchronisation " + std::to_string(i)).coherence = 1;
    }

    void put_atomic(std::size_t i) {
        const trace_step& step = steps_[i];
        const bool compares = step.kind() == step_kind::compare_exchange;
        operation what = compares ? operation::failed_compare_exchange : operation::load;
        if (step.coherence) {
            writes_[{i, role::itself}] = made_.size();
            what = operation::store;
            if (step.before) what = compares ? operation::compare_exchange : operation::exchange;
        }
        const auto source = source_.find(i);
        if (source != source_.end()) reads_.emplace_back(made_.size(), write{source->second, role::itself});
        source_event& made = add(i, what, step.event_order.value_or(order::relaxed), step.object);
        made.coherence = step.coherence.value_or(0);
        made.certified = source != source_.end() && source->second > i;
    }

    source_event& add(std::size_t i, operation what, order used, const std::string& object) {
        const std::size_t location = locations_.emplace(object, locations_.size()).first->second;
        return made_.emplace_back(source_event{.thread = steps_[i].thread,
                                               .what = what,
                                               .using_order = used,
                                               .size = steps_[i].size,
                                               .location = location});
    }

    static bool reads(const source_event& event) { return processors::reads(event.what); }
    static bool writes(const source_event& event) { return processors::writes(event.what); }
    [[nodiscard]] std::size_t coherence_of(std::optional<std::size_t> write) const {
        return write ? made_[*write].coherence : 0;
    }

    // Two accesses are a race to a processor if the later one of the trace may take effect first. One may be atomic, as
    // where its object is destroyed: then the other takes place among the writes to that atomic.
    void put_second_before_first() {
        const std::size_t first = end_of_.at(*ends_.first);
        const std::size_t second = end_of_.at(*ends_.second);
        source_event& one = made_[first];
        source_event& other = made_[second];
        const bool atomic = is_atomic(steps_[*ends_.first]);
        const std::size_t location = atomic ? one.location : other.location;
        for (source_event& each : made_) {
            if (each.location == location) each.coherence *= 2;  // room for one more
        }
        one.location = other.location = location;
        if (writes(other) && !is_atomic(steps_[*ends_.second])) {
            other.coherence = atomic && writes(one) ? one.coherence - 1 : coherence_of(one.reads_from) + 1;
        }
        if (writes(one) && !atomic)
            one.coherence = (writes(other) ? other.coherence : coherence_of(other.reads_from)) + 1;
        if (reads(one) && writes(other)) one.reads_from = second;
        if (reads(other) && !writes(other) && atomic) other.reads_from = write_before(one);
    }

    [[nodiscard]] std::optional<std::size_t> write_before(const source_event& write) const {
        std::optional<std::size_t> latest;
        for (std::size_t i = 0; i < made_.size(); ++i) {
            const source_event& each = made_[i];
            if (each.location != write.location || !writes(each) || each.coherence >= write.coherence) continue;
            if (!latest || made_[*latest].coherence < each.coherence) latest = i;
        }
        return latest;
    }

    const trace_relations& steps_;
    const violation_ends& ends_;
    std::set<int> begun_;
    std::map<std::string, std::size_t> first_write_;  // by object
    std::set<std::size_t> silent_;
    std::map<std::size_t, std::size_t> source_;
    std::multimap<std::size_t, std::size_t> learns_;  // from which steps of others
    std::set<std::size_t> tells_;
    std::map<std::size_t, std::size_t> end_of_;
    std::map<write, std::size_t> writes_;  // the event
    std::vector<std::pair<std::size_t, write>> reads_;
    std::map<std::string, std::size_t> locations_;
    std::vector<source_event> made_;
};

// AArch64 is one name where LSE makes no difference.
std::string names_of(const allowances& all, allowance which) {
    constexpr std::array names{"x86-64", "AArch64 without LSE", "AArch64 with LSE", "RISC-V", "POWER"};
    static_assert(names.size() == all_targets.size());
    const auto of = [&](target each) { return all[static_cast<std::size_t>(each)]; };
    const bool alike = of(target::aarch64) == of(target::aarch64_lse);
    std::vector<std::string> chosen;
    for (const target each : all_targets) {
        if (of(each) != which || (alike && each == target::aarch64_lse)) continue;
        chosen.emplace_back(alike && each == target::aarch64 ? "AArch64" : names[static_cast<std::size_t>(each)]);
    }
    return enumerated(chosen);
}

}  // namespace

// Where a life ends first, and something is used later, the execution itself is what is wrong.
bool asks_for_the_other_order(const violation_ends& ends) noexcept { return ends.unordered && !ends.first_ends_life; }

std::optional<processors::allowances> on_processors(const trace_relations& steps, const violation_ends& ends) {
    constexpr std::size_t most_pairs = 16;
    std::optional<allowances> result;
    const auto judge = [&](const violation_ends& pair) {
        const auto operations = operations_of_trace(steps, pair).all();
        const auto of_pair = operations ? processors::allowances_of(*operations) : std::nullopt;
        if (of_pair && !result) result = of_pair;
        for (std::size_t i = 0; of_pair && i < result->size(); ++i)
            (*result)[i] = std::max((*result)[i], (*of_pair)[i]);
    };
    judge(ends);
    if (!result || !asks_for_the_other_order(ends)) return result;
    // A destruction races with every access that is not ordered before it.
    std::size_t pairs = 1;
    for (std::size_t i = *ends.second; i-- > 0 && pairs < most_pairs;) {
        if (i == ends.first || !steps.conflict(i, *ends.second) || steps.happens_before(i, *ends.second)) continue;
        ++pairs;
        judge({.first = i, .second = ends.second, .unordered = true});
    }
    return result;
}

std::string words(const processors::allowances& all, bool other_order) {
    const std::string shown = names_of(all, allowance::allowed);
    const std::string perhaps = names_of(all, allowance::unless_dependent);
    const std::string never = names_of(all, allowance::forbidden);
    if (perhaps.empty() && never.empty()) return "";  // as every interleaving is
    const std::string what = other_order ? "can make the two accesses in the other order" : "can show this execution";
    std::string text = "With the instructions of clang ";
    if (shown.empty() && perhaps.empty())
        return text + "no processor " + what + (other_order ? "." : "; a compiler that reorders may.");
    if (!shown.empty()) text += shown + ' ' + what;
    if (!perhaps.empty())
        text += (shown.empty() ? "" : "; ") + perhaps + ' ' + (shown.empty() ? what : "can") +
                " unless a dependency forbids it";
    if (!never.empty()) text += (perhaps.empty() ? ", " : "; ") + never + " cannot";
    return text + '.';
}

}  // namespace ordeal::detail
