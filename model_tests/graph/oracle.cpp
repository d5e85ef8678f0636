// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/graph/oracle.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ordeal::model_tests::rc11 {

using namespace detail;

namespace {

// An execution that has not ended: its graph so far and where each thread stands.
struct partial {
    execution graph;
    std::vector<std::size_t> next;
    std::vector<register_file> registers;
};

int value_made(const instruction& each, int before) {
    switch (each.what) {
        case operation::fetch_add:
        case operation::acquire:
        case operation::release: return before + each.value;
        case operation::lock:
        case operation::try_lock: return 1;
        default: return each.value;
    }
}

// Whether the operation waits for another value.
bool waits_on(const instruction& each, int before) {
    return each.what == operation::lock ? before != 0 : each.what == operation::acquire && before == 0;
}

// Whether a read-modify-write only reads.
bool fails_on(const instruction& each, int before) {
    return each.what == operation::compare_exchange ? before != each.expected
                                                    : each.what == operation::try_lock && before != 0;
}

class exploration {
public:
    exploration(const program& what, const census_options& how) : what_(what), how_(how) {}

    std::optional<census> run() {
        std::vector<partial> level{initial()};
        while (!level.empty()) {
            // The same execution is always met after the same number of steps.
            seen_.clear();
            following_.clear();
            for (const partial& now : level) advance(now);
            met_ += following_.size();
            if (met_ > how_.limit) return std::nullopt;
            level = std::exchange(following_, {});
        }
        return std::move(result_);
    }

private:
    [[nodiscard]] partial initial() const {
        partial result;
        for (std::size_t location = 0; location < locations_of(what_); ++location) {
            result.graph.coherence.push_back({result.graph.events.size()});
            result.graph.events.push_back({.location = static_cast<int>(location)});
        }
        result.next.resize(what_.threads.size());
        result.registers.resize(what_.threads.size());
        return result;
    }

    void advance(const partial& now) {
        bool ended = true;
        bool stuck = true;
        for (std::size_t thread = 0; thread < what_.threads.size(); ++thread) {
            if (now.next[thread] == what_.threads[thread].size()) continue;
            ended = false;
            stuck &= !step(now, thread);
        }
        if (ended) finish(now);
        if (!ended && stuck && consistent(now.graph, how_.wanted)) result_.deadlock = true;
    }

    void finish(const partial& now) {
        if (!consistent(now.graph, how_.wanted) || (how_.also && !how_.also(now.graph))) return;
        std::vector<int> values;
        for (const auto& writes : now.graph.coherence) values.push_back(now.graph.events[writes.back()].value);
        ++result_.executions;
        ++result_.outcomes[outcome_text(what_, now.registers, values)];
    }

    // False: the thread has to wait.
    bool step(const partial& now, std::size_t thread) {
        const instruction& each = what_.threads[thread][now.next[thread]];
        switch (each.what) {
            case operation::load: read(now, thread, each); break;
            case operation::store:
            case operation::unlock: write(now, thread, each); break;
            case operation::fence: {
                partial after = now;
                after.graph.events.push_back(
                    {.thread = static_cast<int>(thread), .kind = event_kind::fence, .using_order = each.using_order});
                keep(std::move(after), thread);
                break;
            }
            default: return modify(now, thread, each);
        }
        return true;
    }

    // From every write made so far.
    void read(const partial& now, std::size_t thread, const instruction& each) {
        for (const std::size_t source : now.graph.coherence[static_cast<std::size_t>(each.location)]) {
            partial after = now;
            add_read(after, thread, each, each.using_order, source, false);
            keep(std::move(after), thread);
        }
    }

    // At every place of the coherence order behind the initialisation.
    void write(const partial& now, std::size_t thread, const instruction& each) {
        const std::size_t places = now.graph.coherence[static_cast<std::size_t>(each.location)].size();
        const int value =
            each.source == none ? each.value : now.registers[thread][static_cast<std::size_t>(each.source)].value_or(0);
        for (std::size_t place = 1; place <= places; ++place) {
            partial after = now;
            add_write(after, thread, each, value, place, false);
            keep(std::move(after), thread);
        }
    }

    // From every write that no other read-modify-write has taken; directly behind it. A compare-exchange of another
    // value is a read. False: all that could be taken would have it wait.
    bool modify(const partial& now, std::size_t thread, const instruction& each) {
        const auto& writes = now.graph.coherence[static_cast<std::size_t>(each.location)];
        bool goes_on = false;
        for (std::size_t place = 0; place < writes.size(); ++place) {
            partial after = now;
            const int before = now.graph.events[writes[place]].value;
            if (fails_on(each, before)) {
                add_read(after, thread, each, each.failure, writes[place], false);
            } else {
                if (taken(now, writes[place]) || waits_on(each, before)) continue;
                add_read(after, thread, each, each.using_order, writes[place], true);
                add_write(after, thread, each, value_made(each, before), place + 1, true);
            }
            goes_on = true;
            keep(std::move(after), thread);
        }
        return goes_on;
    }

    static bool taken(const partial& now, std::size_t source) {
        return std::ranges::any_of(now.graph.events, [&](const event& each) {
            return each.kind == event_kind::read && each.modifies && each.source == source;
        });
    }

    static void add_read(partial& to, std::size_t thread, const instruction& each, order how, std::size_t source,
                         bool modifies) {
        const int value = to.graph.events[source].value;
        to.graph.events.push_back({.thread = static_cast<int>(thread),
                                   .kind = event_kind::read,
                                   .using_order = how,
                                   .location = each.location,
                                   .value = value,
                                   .source = source,
                                   .modifies = modifies,
                                   .locked = each.what != operation::load,
                                   .compares = each.what == operation::compare_exchange});
        if (has_register(each.what))
            to.registers[thread][to.next[thread]] = each.what == operation::try_lock ? modifies : value;
    }

    static void add_write(partial& to, std::size_t thread, const instruction& each, int value, std::size_t place,
                          bool modifies) {
        auto& writes = to.graph.coherence[static_cast<std::size_t>(each.location)];
        writes.insert(writes.begin() + static_cast<std::ptrdiff_t>(place), to.graph.events.size());
        to.graph.events.push_back({.thread = static_cast<int>(thread),
                                   .kind = event_kind::write,
                                   .using_order = each.using_order,
                                   .location = each.location,
                                   .value = value,
                                   .modifies = modifies,
                                   .locked = modifies || each.using_order == order::seq_cst,
                                   .compares = each.what == operation::compare_exchange});
    }

    // The instruction is done, and so are those behind it that are skipped. Kept unless met before.
    void keep(partial after, std::size_t thread) {
        const thread_code& code = what_.threads[thread];
        const register_file& held = after.registers[thread];
        std::size_t& next = after.next[thread];
        for (++next; next < code.size() && code[next].guard != none; ++next) {
            if (held[static_cast<std::size_t>(code[next].guard)] == code[next].guard_value) break;
        }
        if (how_.prune && !consistent(after.graph, how_.wanted)) return;
        if (!seen_.insert(canonical_key(after.graph, what_.threads.size())).second) return;
        following_.push_back(std::move(after));
    }

    const program& what_;
    const census_options& how_;
    census result_;
    std::unordered_set<std::string> seen_;
    std::vector<partial> following_;
    std::size_t met_ = 0;
};

}  // namespace

std::optional<census> count_executions(const program& what, const census_options& how) {
    return exploration(what, how).run();
}

}  // namespace ordeal::model_tests::rc11
