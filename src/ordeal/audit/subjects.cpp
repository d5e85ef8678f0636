// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/subjects.hpp"

#include "ordeal/engine/unchecked_code.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace ordeal::detail {

std::vector<audited_subject> group_by_subject(std::span<const scenario* const> selected) {
    std::map<std::string_view, audited_subject> by_name;
    for (const scenario* what : selected) {
        audited_subject& subject = by_name[what->subject];
        if (subject.scenarios.empty()) {
            subject.name = what->subject;
            subject.exhibit = true;
        }
        subject.exhibit = subject.exhibit && what->exhibit;
        subject.scenarios.push_back({.what = what, .as_expected = false, .result = {}});
    }
    std::vector<audited_subject> result;
    for (auto& [name, subject] : by_name) result.push_back(std::move(subject));
    return result;
}

bool is_file_of(std::string_view path, std::string_view subject) {
    path.remove_prefix(std::min(path.size(), path.find_last_of('/') + 1));  // npos + 1 is 0
    subject.remove_prefix(std::min(subject.size(), subject.find_last_of('/') + 1));
    return path.substr(0, path.find_last_of('.')) == subject;
}

namespace {

auto rank(const site& value) { return std::tie(value.key, value.declared); }
bool before(const site& left, const site& right) { return rank(left) < rank(right); }

// "src/lib/"; empty if there is no folder.
std::string folder_of(std::string_view path) { return std::string(path.substr(0, path.find_last_of('/') + 1)); }

// Sources, which contain scenarios, are no headers.
bool is_header(std::string_view path) {
    constexpr std::array sources{".cpp", ".cc", ".cxx", ".C"};
    return std::ranges::none_of(sources, [&](const char* ending) { return path.ends_with(ending); });
}

template <class Predicate>
std::vector<site> reached_where(const audited_subject& subject, Predicate wanted) {
    std::vector<site> result;
    for (const audited_scenario& each : subject.scenarios) {
        for (const reached_site& reached : each.result.sites) {
            if (reached.where.atomic && wanted(reached.where.key.file)) merge_sites(result, {&reached.where, 1});
        }
    }
    return result;
}

}  // namespace

bool same_site(const site& left, const site& right) { return rank(left) == rank(right); }

bool has_site(std::span<const site> sites, const site& wanted) {
    return std::ranges::any_of(sites, [&](const site& each) { return same_site(each, wanted); });
}

void merge_sites(std::vector<site>& known, std::span<const site> seen) {
    for (const site& each : seen) {
        const auto place = std::lower_bound(known.begin(), known.end(), each, before);
        if (place == known.end() || !same_site(*place, each)) known.insert(place, each);
    }
}

std::vector<site> sites_of(const audited_subject& subject, std::span<const std::string_view> production) {
    const auto is_nobodys = [&](const std::string& file) {
        return std::ranges::none_of(production, [&](std::string_view name) { return is_file_of(file, name); });
    };
    if (subject.exhibit) return reached_where(subject, is_nobodys);
    const auto own = reached_where(subject, [&](const std::string& file) { return is_file_of(file, subject.name); });
    if (own.empty()) return reached_where(subject, is_nobodys);
    std::set<std::string> folders;
    for (const site& each : own) folders.insert(folder_of(each.key.file));
    return reached_where(subject, [&](const std::string& file) {
        if (is_file_of(file, subject.name)) return true;
        const bool beside = std::ranges::any_of(
            folders, [&](const std::string& folder) { return folder_of(file).starts_with(folder); });
        return is_header(file) && beside && is_nobodys(file);
    });
}

order_override change_at(const site& where, order replacement) { return {where.key, replacement, where.declared}; }

void shorten(std::vector<order_override>& changes, std::span<const site> known) {
    for (order_override& each : changes) {
        const auto sites = std::ranges::count(known, each.site, &site::key);
        if (sites <= 1) each.declared.reset();
    }
}

std::string last_name(std::string_view object) {
    object = object.substr(0, object.find(' '));
    while (object.ends_with(']')) object = object.substr(0, std::min(object.size(), object.rfind('[')));
    const std::size_t separator = object.find_last_of(".>:");
    if (separator != std::string_view::npos) object.remove_prefix(separator + 1);
    const bool name = std::ranges::all_of(
        object, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
    return name ? std::string(object) : std::string();
}

const audited_site* find_site(const audited_subject& subject, const site& where) {
    const auto found =
        std::ranges::find_if(subject.sites, [&](const audited_site& each) { return same_site(each.where, where); });
    return found == subject.sites.end() ? nullptr : &*found;
}

const reached_site* find_reached(const search_result& result, const site& where) {
    const auto found = std::ranges::find_if(result.sites, [&](const reached_site& reached) {
        return reached.where.atomic && same_site(reached.where, where);
    });
    return found == result.sites.end() ? nullptr : &*found;
}

bool is_as_expected(const expectation& expected, const search_result& result) {
    if (expected.violation) {
        return result.verdict == verdict::violated && result.kind == expected.violation &&
               result.message.find(expected.words) != std::string::npos;
    }
    return (result.verdict == verdict::held || result.verdict == verdict::held_within) &&
           !leaves_code_unchecked(result);
}

void conclude(audited_subject& subject) {
    const auto badness = [](verdict value) {
        switch (value) {
            case verdict::held: return 0;
            case verdict::held_within: return 1;
            case verdict::inconclusive: return 2;
            case verdict::violated: return 3;
        }
        return 2;
    };
    subject.verdict = verdict::held;
    subject.as_expected = true;
    for (audited_scenario& each : subject.scenarios) {
        each.as_expected = is_as_expected(each.what->expected, each.result);
        subject.as_expected = subject.as_expected && each.as_expected;
        if (badness(each.result.verdict) > badness(subject.verdict)) subject.verdict = each.result.verdict;
        if (each.result.verdict == verdict::violated && !subject.kind) subject.kind = each.result.kind;
    }
}

}  // namespace ordeal::detail
