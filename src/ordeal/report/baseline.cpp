// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/baseline.hpp"

#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/text/audit_parts.hpp"
#include "ordeal/report/text/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

namespace ordeal::detail {

namespace {

using pairs = std::vector<std::pair<std::size_t, std::size_t>>;

// The longest list of pairs with the same declared order, in the order of the source: as a listing of changes has it.
pairs longest_common(std::span<const baseline_site> was, std::span<const baseline_site> is,
                     const std::vector<std::size_t>& left, const std::vector<std::size_t>& right) {
    std::vector<std::vector<std::size_t>> length(left.size() + 1, std::vector<std::size_t>(right.size() + 1, 0));
    const auto same = [&](std::size_t i, std::size_t j) { return was[left[i]].declared == is[right[j]].declared; };
    for (std::size_t i = left.size(); i-- != 0;) {
        for (std::size_t j = right.size(); j-- != 0;) {
            length[i][j] = same(i, j) ? length[i + 1][j + 1] + 1 : std::max(length[i + 1][j], length[i][j + 1]);
        }
    }
    pairs result;
    for (std::size_t i = 0, j = 0; i != left.size() && j != right.size();) {
        if (same(i, j)) {
            result.emplace_back(left[i++], right[j++]);
        } else if (length[i + 1][j] >= length[i][j + 1]) {
            ++i;
        } else {
            ++j;
        }
    }
    return result;
}

auto name_of(const baseline_site& each) { return std::tie(each.file, each.function, each.operation, each.role); }

std::string verdict_words(const std::string& verdict, const std::string& kind) {
    return kind.empty() ? verdict : verdict + ": " + kind;
}

std::string state_of(const baseline_site& site) {
    std::string text = site.declared + ", " + site.verdict;
    if (!site.stronger.empty()) text += ", needs " + site.stronger;
    return text;
}

std::string state_of(const baseline_order& order) {
    // Verdicts on one order do not add up, and the word says so.
    const std::string verdict = order.verdict == "not required" ? "not required by itself" : order.verdict;
    return order.kind.empty() ? verdict : fmt::format("{} ({})", verdict, order.kind);
}

// One subject, as it was and as it is.
class subject_comparison {
public:
    subject_comparison(const baseline_subject& was, const baseline_subject& is, std::vector<baseline_difference>& into)
        : was_(was), is_(is), into_(into), pairs_(same_sites(was.sites, is.sites)) {}

    void make() {
        if (verdict_words(was_.verdict, was_.kind) != verdict_words(is_.verdict, is_.kind)) {
            changed("subject", is_.name, verdict_words(was_.verdict, was_.kind), verdict_words(is_.verdict, is_.kind));
        }
        scenarios();
        sites();
        assignments();
        lists("repair", was_.repairs, is_.repairs);
        acceptances();
    }

private:
    // Sites by a number that is the same for both audits.
    using named_orders = std::map<std::size_t, std::string>;

    void add(const char* what, std::string sentence) { into_.push_back({is_.name, what, std::move(sentence)}); }
    void changed(const char* what, const std::string& name, const std::string& was, const std::string& is) {
        add(what, fmt::format("{}: was {}; is {}", name, was, is));
    }

    static std::string place_of(const baseline_site& site, bool with_line) {
        std::string text = site.file.substr(site.file.rfind('/') + 1);
        if (with_line) text += fmt::format(":{}", site.line);
        if (!site.function.empty()) text += fmt::format(" {}()", site.function);
        text += ' ' + (site.operation.empty() ? site.role : site.operation);
        if (site.role == "success" || site.role == "failure") text += fmt::format(" ({})", site.role);
        return text;
    }
    // Its line, or for a site that is no more its number among those of its name.
    static std::string words_for(const baseline_subject& of, std::size_t index, bool with_line) {
        const baseline_site& site = of.sites[index];
        std::string text = place_of(site, with_line);
        const auto same = [&](const baseline_site& each) { return name_of(each) == name_of(site); };
        const auto count = std::ranges::count_if(of.sites, same);
        if (with_line || count == 1) return text;
        const auto before =
            std::count_if(of.sites.begin(), of.sites.begin() + static_cast<std::ptrdiff_t>(index), same);
        return text + fmt::format(", number {} of {}", before + 1, count);
    }
    [[nodiscard]] std::optional<std::size_t> later(std::size_t earlier) const {
        const auto found = std::ranges::find(pairs_, earlier, &pairs::value_type::first);
        return found == pairs_.end() ? std::nullopt : std::optional(found->second);
    }
    [[nodiscard]] std::optional<std::size_t> earlier(std::size_t later) const {
        const auto found = std::ranges::find(pairs_, later, &pairs::value_type::second);
        return found == pairs_.end() ? std::nullopt : std::optional(found->first);
    }

    // One that is new has spoken already where it changes a verdict.
    void scenarios() {
        for (const baseline_scenario& each : was_.scenarios) {
            const auto found = std::ranges::find(is_.scenarios, each.name, &baseline_scenario::name);
            if (found == is_.scenarios.end()) {
                add("scenario",
                    fmt::format("lost: scenario {}, {}", each.name, verdict_words(each.verdict, each.kind)));
            } else if (each.verdict != found->verdict || each.kind != found->kind) {
                changed("scenario", "scenario " + each.name, verdict_words(each.verdict, each.kind),
                        verdict_words(found->verdict, found->kind));
            }
        }
    }

    void sites() {
        for (std::size_t i = 0; i != was_.sites.size(); ++i) {
            if (was_.sites[i].verdict.empty() || later(i)) continue;
            add("site", fmt::format("lost: {}, {}", words_for(was_, i, false), state_of(was_.sites[i])));
        }
        for (std::size_t i = 0; i != is_.sites.size(); ++i) {
            if (is_.sites[i].verdict.empty()) continue;
            if (const auto before = earlier(i)) {
                compare_site(was_.sites[*before], is_.sites[i], words_for(is_, i, true));
            } else {
                add("site", fmt::format("new: {}, {}", words_for(is_, i, true), state_of(is_.sites[i])));
            }
        }
    }

    void compare_site(const baseline_site& was, const baseline_site& is, const std::string& name) {
        if (state_of(was) != state_of(is)) changed("site", name, state_of(was), state_of(is));
        for (const baseline_order& each : was.weaker) {
            const auto found = std::ranges::find(is.weaker, each.tried, &baseline_order::tried);
            const std::string of = fmt::format("{}, {} in place of {}", name, each.tried, is.declared);
            if (found != is.weaker.end()) {
                if (state_of(each) != state_of(*found)) changed("order", of, state_of(each), state_of(*found));
            } else if (was.declared == is.declared) {
                add("order", fmt::format("lost: {}: {}", of, state_of(each)));
            }
        }
        if (was.declared != is.declared) return;  // another order has other weaker ones
        for (const baseline_order& each : is.weaker) {
            if (std::ranges::find(was.weaker, each.tried, &baseline_order::tried) != was.weaker.end()) continue;
            add("order", fmt::format("new: {}, {} in place of {}: {}", name, each.tried, is.declared, state_of(each)));
        }
    }

    // A site of the earlier audit has the number of its pair in the later one, and one without a pair a number of its
    // own.
    [[nodiscard]] named_orders named(const baseline_orders& orders, bool earlier_audit) const {
        named_orders result;
        for (const auto& [site, order] : orders) {
            const std::size_t lost = is_.sites.size() + site;
            result[earlier_audit ? later(site).value_or(lost) : site] = order;
        }
        return result;
    }
    [[nodiscard]] std::set<named_orders> named(const std::vector<baseline_orders>& all, bool earlier_audit) const {
        std::set<named_orders> result;
        for (const baseline_orders& each : all) result.insert(named(each, earlier_audit));
        return result;
    }

    // What differs from the source, and from the other source.
    [[nodiscard]] std::string words_for(const baseline_orders& orders, bool earlier_audit, bool all) const {
        std::string text;
        bool left_out = false;
        for (const auto& [index, order] : orders) {
            const baseline_site& site = (earlier_audit ? was_ : is_).sites[index];
            const auto other = earlier_audit ? later(index) : earlier(index);
            const bool rewritten = other && (earlier_audit ? is_ : was_).sites[*other].declared != site.declared;
            if (!all && order == site.declared && !rewritten) {
                left_out = true;
                continue;
            }
            const std::string where = earlier_audit && other
                                          ? words_for(is_, *other, true)
                                          : words_for(earlier_audit ? was_ : is_, index, !earlier_audit);
            text += fmt::format("{}{} at {}", text.empty() ? "" : ", ", order, where);
        }
        if (text.empty()) return "all as written";
        return text + (left_out ? ", the others as written" : "");
    }

    void lists(const char* what, const std::vector<baseline_orders>& was, const std::vector<baseline_orders>& is) {
        const bool all = std::string_view(what) == "repair";
        const char* const words = all ? "repair" : "minimal assignment";
        const auto before = named(was, true);
        const auto now = named(is, false);
        for (const baseline_orders& each : was) {
            if (now.contains(named(each, true))) continue;
            add(what, fmt::format("lost: {}: {}", words, words_for(each, true, all)));
        }
        for (const baseline_orders& each : is) {
            if (before.contains(named(each, false))) continue;
            add(what, fmt::format("new: {}: {}", words, words_for(each, false, all)));
        }
    }

    // The sites of both, where one audit has others: those have been told of already.
    [[nodiscard]] std::set<named_orders> of_common_sites(const std::vector<baseline_orders>& all,
                                                         bool earlier_audit) const {
        std::set<named_orders> result;
        for (const baseline_orders& each : all) {
            named_orders kept;
            for (const auto& [site, order] : each) {
                const auto other = earlier_audit ? later(site) : earlier(site);
                if (other) kept[earlier_audit ? *other : site] = order;
            }
            if (!kept.empty()) result.insert(std::move(kept));
        }
        return result;
    }

    void assignments() {
        const auto words = [](const baseline_subject& of) { return of.all_assignments ? "all" : "perhaps not all"; };
        if (was_.all_assignments != is_.all_assignments) {
            changed("assignments", "minimal assignments", words(was_), words(is_));
        }
        if (of_common_sites(was_.assignments, true) == of_common_sites(is_.assignments, false)) return;
        lists("assignment", was_.assignments, is_.assignments);
    }

    // By kind and file: a line may move.
    using places = std::map<std::pair<std::string, std::string>, std::set<std::uint32_t>>;
    static places accepted_by(const baseline_subject& subject) {
        places result;
        for (const baseline_scenario& scenario : subject.scenarios) {
            for (const baseline_acceptance& each : scenario.accepted) result[{each.kind, each.file}].insert(each.line);
        }
        return result;
    }
    void acceptances() {
        const places was = accepted_by(was_);
        const places is = accepted_by(is_);
        const auto count = [](const places& all, const places::key_type& of) {
            const auto found = all.find(of);
            return found == all.end() ? std::size_t{0} : found->second.size();
        };
        std::set<places::key_type> names;
        for (const auto& [name, lines] : was) names.insert(name);
        for (const auto& [name, lines] : is) names.insert(name);
        for (const auto& name : names) {
            const std::size_t before = count(was, name);
            const std::size_t now = count(is, name);
            if (before == now) continue;
            const std::string what = fmt::format("accepted {} in {}", name.first, name.second);
            if (now == 0) {
                add("accepted", fmt::format("lost: {}: it is not met", what));
            } else if (before == 0) {
                add("accepted", fmt::format("new: {}", what));
            } else {
                changed("accepted", what, fmt::format("at {} lines", before), fmt::format("at {}", now));
            }
        }
    }

    const baseline_subject& was_;
    const baseline_subject& is_;
    std::vector<baseline_difference>& into_;
    pairs pairs_;
};

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> same_sites(std::span<const baseline_site> was,
                                                            std::span<const baseline_site> is) {
    using name = std::tuple<std::string, std::string, std::string, std::string>;
    std::map<name, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> groups;
    for (std::size_t i = 0; i != was.size(); ++i) groups[name(name_of(was[i]))].first.push_back(i);
    for (std::size_t i = 0; i != is.size(); ++i) groups[name(name_of(is[i]))].second.push_back(i);
    pairs result;
    for (const auto& [of, group] : groups) {
        const auto& [left, right] = group;
        // As many as there were: an order was rewritten, if anything.
        if (left.size() == right.size()) {
            for (std::size_t i = 0; i != left.size(); ++i) result.emplace_back(left[i], right[i]);
        } else {
            std::ranges::copy(longest_common(was, is, left, right), std::back_inserter(result));
        }
    }
    std::ranges::sort(result);
    return result;
}

baseline_comparison compare_audits(const baseline_audit& was, const baseline_audit& is, bool all) {
    baseline_comparison result;
    std::map<std::string, std::vector<baseline_difference>> by_subject;
    const auto named = [](const baseline_subject& each) {
        return fmt::format("subject {}, {}", each.name, verdict_words(each.verdict, each.kind));
    };
    for (const baseline_subject& each : was.subjects) {
        if (std::ranges::find(is.subjects, each.name, &baseline_subject::name) != is.subjects.end()) continue;
        if (all) {
            by_subject[each.name].push_back({each.name, "subject", "lost: " + named(each)});
        } else {
            ++result.left_out;
        }
    }
    for (const baseline_subject& each : is.subjects) {
        const auto found = std::ranges::find(was.subjects, each.name, &baseline_subject::name);
        auto& differences = by_subject[each.name];
        if (found == was.subjects.end()) {
            differences.push_back({each.name, "subject", "new: " + named(each)});
        } else {
            subject_comparison(*found, each, differences).make();
        }
    }
    for (auto& [name, differences] : by_subject) std::ranges::move(differences, std::back_inserter(result.differences));
    return result;
}

std::string baseline_text(const baseline_comparison& made, const text_style& style) {
    const std::string file = escaped(made.file);
    if (made.differences.empty()) return style.good("as in " + file) + '\n';
    std::string text =
        style.bad(fmt::format("{} from {}:", counted(made.differences.size(), "difference"), file)) + '\n';
    for (const baseline_difference& each : made.differences) {
        const bool named = each.what == "subject";
        text += indented(named ? each.sentence : each.subject + ": " + each.sentence, 2);
    }
    if (made.left_out != 0) {
        const std::string count = counted(made.left_out, "subject");
        text +=
            indented(count + " of the file not audited: what their scenarios show of these sites is missing here", 0);
    }
    return text;
}

}  // namespace ordeal::detail
