// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace audit_test {

inline ordeal::detail::search_result result_of(ordeal::detail::verdict verdict) {
    ordeal::detail::search_result result;
    result.verdict = verdict;
    result.executions = 10;
    result.complete = true;
    return result;
}

inline ordeal::detail::search_result all_held() { return result_of(ordeal::detail::verdict::held); }

inline ordeal::detail::search_result bounded(std::string limit) {
    auto result = result_of(ordeal::detail::verdict::held_within);
    result.limits = {std::move(limit)};
    return result;
}

inline ordeal::detail::search_result violation(ordeal::violation_kind kind) {
    auto result = result_of(ordeal::detail::verdict::violated);
    result.kind = kind;
    result.complete = false;
    result.message = "seen by the fake engine";
    result.replay = ordeal::detail::choices{"1.2.3"};
    return result;
}

inline ordeal::detail::search_result unclear(std::string why) {
    auto result = result_of(ordeal::detail::verdict::inconclusive);
    result.message = std::move(why);
    return result;
}

inline ordeal::site make_site(std::string file, std::uint32_t line, ordeal::role what, ordeal::order declared) {
    ordeal::site result;
    result.key = {std::move(file), line, 5, what};
    result.atomic = true;
    result.function = "f";
    result.operation = "op";
    result.declared = declared;
    return result;
}

/// The order in force at a site.
using orders = std::function<ordeal::order(const ordeal::site&)>;

/// An engine that is told what each scenario reaches and what each choice of orders leads to.
class fake_engine : public ordeal::detail::engine {
public:
    struct told {
        std::vector<ordeal::detail::reached_site> sites;
        std::function<ordeal::detail::search_result(const orders&)> says = [](const orders&) { return all_held(); };
    };
    std::map<std::string, told, std::less<>> scenarios;
    bool knows_handovers = false;

    [[nodiscard]] std::string_view name() const noexcept override { return "fake"; }
    [[nodiscard]] std::size_t max_threads() const noexcept override { return 8; }
    [[nodiscard]] ordeal::detail::engine_features features() const noexcept override {
        return {.used_orders = knows_handovers};
    }
    [[nodiscard]] ordeal::detail::search_result search(const ordeal::scenario& what,
                                                       const ordeal::detail::search_options& how,
                                                       ordeal::detail::search_progress&) override {
        const told& about = scenarios.at(what.name);
        auto result = about.says([&](const ordeal::site& where) {
            for (const auto& each : how.mutant.overrides) {
                if (concerns(each, where)) return each.replacement;
            }
            return where.declared;
        });
        if (result.sites.empty()) result.sites = about.sites;
        return result;
    }
};

/// A suite of scenarios under a fake engine, audited in this process or through child processes.
class suite {
public:
    fake_engine engine;
    std::size_t stop_after = ~std::size_t{0};  ///< searches
    std::vector<ordeal::detail::search_job> begun;

    ordeal::scenario& add(const std::string& name, std::vector<ordeal::detail::reached_site> sites,
                          std::function<ordeal::detail::search_result(const orders&)> says) {
        ordeal::scenario& what = scenarios_.emplace_back();
        what.name = name;
        what.subject = name.substr(0, name.find('/'));
        what.threads = {"a", "b"};
        engine.scenarios[name] = {std::move(sites), std::move(says)};
        return what;
    }

    ordeal::detail::audit_report audit(ordeal::detail::audit_options options = {}) {
        return audit(std::move(options), engine);
    }
    ordeal::detail::audit_report audit(ordeal::detail::audit_options options, fake_engine& with) {
        options.with = &with;
        options.run = [this](auto work, auto groups, const auto&, const auto&, const auto& on_done) {
            return run(work, groups, on_done);
        };
        return ordeal::detail::run_audit(selected(), options, nullptr);
    }

    ordeal::detail::audit_report audit_in_processes() {
        ordeal::detail::audit_options options;
        options.with = &engine;
        options.isolation = {.jobs = 2, .hard_limit = 20};
        return ordeal::detail::run_audit(selected(), options, nullptr);
    }

private:
    std::vector<const ordeal::scenario*> selected() const {
        std::vector<const ordeal::scenario*> result;
        for (const auto& each : scenarios_) result.push_back(&each);
        return result;
    }

    bool run(std::span<const ordeal::detail::search_job> work, std::span<const std::size_t> groups,
             const ordeal::detail::done_callback& on_done) {
        std::set<std::size_t> dropped;
        for (std::size_t i = 0; i != work.size(); ++i) {
            if (dropped.contains(groups[i])) continue;
            if (begun.size() == stop_after) return false;
            begun.push_back(work[i]);
            ordeal::detail::search_progress progress;
            if (on_done(i, work[i].with->search(*work[i].what, work[i].how, progress))) dropped.insert(groups[i]);
        }
        return true;
    }

    std::deque<ordeal::scenario> scenarios_;  // stable addresses
};

}  // namespace audit_test
