// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/state_chart.hpp"

#include "ordeal/audit/source/order_comment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <tuple>

namespace ordeal::detail {

namespace {

constexpr std::string_view label = "states: ";

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// "queued = pointer, to the newest waiter"
std::optional<std::pair<std::string, std::string>> named_state(std::string_view text) {
    const auto equals = text.find(" = ");
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string_view name = trimmed(text.substr(0, equals));
    std::string_view state = trimmed(text.substr(equals + 3));
    state = state.substr(0, state.find_first_of(" ,;:."));
    if (name.empty() || state.empty() || name.find(' ') != std::string_view::npos) return std::nullopt;
    return std::pair(std::string(state), std::string(name));
}

bool is_same(const site& left, const site& right) {
    return left.key == right.key && left.declared == right.declared && left.operation == right.operation;
}

/// An atomic of one search, and the group of those that it belongs to.
struct member {
    const checked_scenario* search = nullptr;
    const atomic_states* word = nullptr;
    std::size_t group = 0;
};

std::vector<site_key> places_of(const atomic_states& word) {
    std::vector<site_key> result;
    const auto add = [&](site_key key) {
        if (key.what == role::failure) key.what = role::success;  // two sides of one operation
        result.push_back(std::move(key));
    };
    for (const auto& [name, seen] : word.states) {
        for (const site& each : seen.observers) add(each.key);
    }
    for (const state_transition& each : word.transitions) add(each.by.key);
    return result;
}

void group(std::vector<member>& members) {
    std::map<std::pair<std::string, site_key>, std::size_t> first;  // by subject and place
    const auto root = [&](std::size_t i) {
        while (members[i].group != i) i = members[i].group;
        return i;
    };
    for (std::size_t i = 0; i < members.size(); ++i) {
        members[i].group = i;
        for (const site_key& place : places_of(*members[i].word)) {
            const auto [known, is_new] = first.try_emplace({members[i].search->what->subject, place}, i);
            const std::size_t one = root(known->second);
            const std::size_t other = root(i);
            members[std::max(one, other)].group = std::min(one, other);
        }
    }
    for (std::size_t i = 0; i < members.size(); ++i) members[i].group = root(i);
}

// Numbers first, in their order; then the object itself, then addresses.
auto rank(const std::string& state) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(state.data(), state.data() + state.size(), number);
    const int kind = error == std::errc() ? 0 : state == "this" ? 1 : 2;
    return std::tuple(kind, number, state);
}

/// Names for states: those of the file, else their own.
class naming {
public:
    naming(std::map<std::string, std::string> names, bool several) : names_(std::move(names)), several_(several) {}

    // "pointer 2" goes by the name of "pointer": "queued(2)". Where there is no second one, no number is needed.
    [[nodiscard]] std::string of(const std::string& state) const {
        const auto blank = state.find(' ');
        const auto found = names_.find(state.substr(0, blank));
        if (found == names_.end()) return state;
        const bool address = state.starts_with("pointer");
        if (!address || !several_) return found->second;
        return fmt::format("{}({})", found->second, blank == std::string::npos ? "1" : state.substr(blank + 1));
    }

    [[nodiscard]] std::string of_path(std::string_view path) const {
        std::string result;
        while (true) {
            const auto end = path.find(", ");
            result += of(std::string(path.substr(0, end)));
            if (end == std::string_view::npos) return result;
            result += ", ";
            path.remove_prefix(end + 2);
        }
    }

private:
    std::map<std::string, std::string> names_;
    bool several_;
};

void add(const atomic_states& word, const naming& names, state_chart& to) {
    std::uint64_t listed = 0;
    for (const auto& [state, seen] : word.states) {
        const std::string name = names.of(state);
        to.times[name] += seen.times;
        for (const site& each : seen.observers) {
            auto& known = to.observers[name];
            if (std::ranges::none_of(known, [&](const site& other) { return is_same(each, other); }))
                known.push_back(each);
        }
    }
    for (const state_transition& each : word.transitions) {
        auto& known = to.transitions[{names.of(each.from), names.of(each.to)}];
        const auto same = std::ranges::find_if(known, [&](const auto& other) { return is_same(each.by, other.by); });
        if (same == known.end()) {
            known.push_back({names.of(each.from), names.of(each.to), each.by, each.times});
        } else {
            same->times += each.times;
        }
    }
    for (const auto& [path, executions] : word.paths) {
        to.paths[names.of_path(path)] += executions;
        listed += executions;
    }
    to.told += word.executions;
    to.other += word.executions - listed;
}

state_chart chart_of(std::span<const member* const> members, source_cache& sources) {
    state_chart result;
    std::set<std::string> files;
    std::set<std::tuple<std::tuple<int, std::uint64_t, std::string>, std::string>> states;
    bool several = false;
    for (const member* each : members) {
        for (const site_key& place : places_of(*each->word)) files.insert(place.file);
        for (const auto& [state, seen] : each->word->states) several |= state.starts_with("pointer ");
        result.scenarios.insert(each->search->what->name);
        result.complete &= each->search->result.verdict == verdict::held;
    }
    result.subject = members.front()->search->what->subject;
    result.files.assign(files.begin(), files.end());
    const naming names(
        files.size() == 1 ? state_names(sources.lines(*files.begin())) : std::map<std::string, std::string>{}, several);
    for (const member* each : members) {
        add(*each->word, names, result);
        for (const auto& [state, seen] : each->word->states) states.insert({rank(state), names.of(state)});
    }
    for (const auto& [place, name] : states) result.states.push_back(name);
    for (auto& [name, sites] : result.observers) std::ranges::sort(sites, {}, &site::key);
    for (auto& [both, by] : result.transitions) {
        std::ranges::sort(by, {}, [](const state_transition& each) { return each.by.key; });
    }
    return result;
}

}  // namespace

std::map<std::string, std::string> state_names(std::span<const std::string> lines) {
    std::map<std::string, std::string> result;
    for (const std::string& line : lines) {
        const auto comment = line.find("//");
        const auto begin = comment == std::string::npos ? comment : line.find(label, comment);
        if (begin == std::string::npos) continue;
        std::map<std::string, std::string> here;
        std::string_view rest = std::string_view(line).substr(begin + label.size());
        for (bool more = true; more;) {
            const auto end = rest.find('|');
            if (auto one = named_state(rest.substr(0, end))) here.insert(std::move(*one));
            more = end != std::string_view::npos;
            if (more) rest.remove_prefix(end + 1);
        }
        if (here.empty()) continue;
        if (!result.empty()) return {};
        result = std::move(here);
    }
    return result;
}

std::vector<state_chart> state_charts(std::span<const checked_scenario> searches) {
    std::vector<member> members;
    for (const checked_scenario& search : searches) {
        for (const atomic_states& word : search.result.atomics) {
            if (!word.too_many && !word.transitions.empty()) members.push_back({&search, &word, 0});
        }
    }
    group(members);
    std::map<std::size_t, std::vector<const member*>> groups;
    for (const member& each : members) groups[each.group].push_back(&each);
    source_cache sources;
    std::multimap<std::tuple<std::string, std::vector<std::string>>, state_chart> charts;
    for (const auto& [root, of] : groups) {
        state_chart chart = chart_of(of, sources);
        auto place = std::make_tuple(chart.subject, chart.files);
        charts.emplace(std::move(place), std::move(chart));
    }
    std::vector<state_chart> result;
    for (auto& [place, chart] : charts) result.push_back(std::move(chart));
    return result;
}

}  // namespace ordeal::detail
