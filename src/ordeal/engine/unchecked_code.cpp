// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/unchecked_code.hpp"

#include "ordeal/runtime/instrumented_front_end.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace ordeal::detail {

namespace {

bool is_unchecked(const limit& named) noexcept { return named.id == "unchecked"; }

// "a.cpp, b.cpp and 3 more"
std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t shown = 3;
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i == shown && names.size() > shown + 1)
            return text + " and " + std::to_string(names.size() - shown) + " more";
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    }
    return text;
}

// Objects of one library, or of none.
limit limit_of_objects(const std::vector<std::string>& names, const unchecked_item& of) {
    const std::string& known_as = of.container.empty() ? of.target : of.container;
    const std::string in = known_as.empty() ? "" : " (" + known_as + ")";
    std::map<std::string, std::string> values{{"what", listed(names)}};
    if (!known_as.empty()) values["where"] = known_as;
    if (of.allowed) {
        return {"assembler", "not compiled for the trial, as the build allows: " + listed(names) + in,
                limit_effect::unseen, std::move(values)};
    }
    std::string words = std::string(not_checked) + listed(names) + in + ": add " + (names.size() == 1 ? "it" : "them") +
                        " to SOURCES, or ";
    if (!of.target.empty()) {
        values["target"] = of.target;
        words += "INSTRUMENT " + of.target;
    } else {
        words += "ALLOW_UNSEEN " + (of.container.empty() ? listed(names) : of.container);
    }
    return {"unchecked", std::move(words), limit_effect::unseen, std::move(values)};
}

limit limit_of_assertions(const unchecked_item& of) {
    std::map<std::string, std::string> values{{"what", of.name}};
    if (of.allowed) {
        return {"unseen", "assertions that are compiled out, as the build allows: " + of.name, limit_effect::unseen,
                std::move(values)};
    }
    return {"unchecked",
            std::string(not_checked) + "assertions of " + of.name +
                ", which defines NDEBUG: they are compiled out; take the definition out, or ALLOW_UNSEEN " + of.name,
            limit_effect::unseen, std::move(values)};
}

}  // namespace

limit limit_of_unseen(const std::string& what, const std::string& where) {
    std::map<std::string, std::string> values{{"what", what}};
    if (!where.empty()) values["where"] = where;
    std::string words = where.empty() ? what : what + " (" + where + ")";
    if (what.starts_with(not_checked)) return {"unchecked", std::move(words), limit_effect::unseen, std::move(values)};
    return {"unseen", std::move(words), limit_effect::unseen, std::move(values)};
}

std::vector<std::string> unchecked_code(const std::vector<limit>& limits) {
    std::vector<std::string> result;
    for (const limit& each : limits) {
        if (is_unchecked(each)) result.push_back(each.sentence);
    }
    return result;
}

bool leaves_code_unchecked(const search_result& result) {
    return result.verdict == verdict::held_within && std::ranges::any_of(result.limits, is_unchecked);
}

std::vector<limit> limits_of_linked_code() {
    std::vector<limit> result;
    std::vector<std::string> assembler;
    std::vector<std::pair<unchecked_item, std::vector<std::string>>> libraries;
    for (const unchecked_item& each : instrumented().unchecked()) {
        switch (each.kind) {
            case unchecked_kind::assembler: assembler.push_back(each.name); break;
            case unchecked_kind::unlisted:
                result.push_back(limit_of_unseen(std::string(not_checked) + "what is linked into " + each.name + ": " +
                                                     each.name +
                                                     ".unseen, which lists it, is not beside it; build it anew",
                                                 ""));
                break;
            case unchecked_kind::assertions: result.push_back(limit_of_assertions(each)); break;
            case unchecked_kind::object: {
                const auto of_same = std::ranges::find_if(libraries, [&](const auto& other) {
                    return other.first.container == each.container && other.first.target == each.target &&
                           other.first.allowed == each.allowed;
                });
                if (of_same == libraries.end()) {
                    libraries.push_back({each, {each.name}});
                } else {
                    of_same->second.push_back(each.name);
                }
                break;
            }
        }
    }
    for (const auto& [of, names] : libraries) result.push_back(limit_of_objects(names, of));
    if (!assembler.empty()) {
        std::string words = "not seen, for it is assembler: " + assembler.front();
        if (assembler.size() > 1) words += " and " + std::to_string(assembler.size() - 1) + " more";
        result.emplace_back("assembler", std::move(words), limit_effect::unseen);
    }
    return result;
}

}  // namespace ordeal::detail
