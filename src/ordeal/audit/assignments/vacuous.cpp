// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/assignments/vacuous.hpp"

#include "ordeal/audit/subjects.hpp"
#include "ordeal/engine/trace_relations.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

namespace ordeal::detail {

order_halves halves_of(role what, order value) noexcept {
    const bool writes = what != role::load && what != role::failure;
    const bool reads = what != role::store;
    return {writes && releases(value), reads && acquires(value)};
}

order_halves vacuous_halves(const audit_run& run, const site& where, std::size_t place,
                            std::span<const assignment> minimal, std::span<const audited_scenario* const> witnesses) {
    if (run.options.with == nullptr || !run.options.with->features().used_orders) return {};
    order_halves result = halves_of(where.key.what, where.declared);
    for (const assignment& each : minimal) {
        const order_halves there = halves_of(where.key.what, each[place]);
        result.release = result.release && !there.release;
        result.acquire = result.acquire && !there.acquire;
    }
    for (const audited_scenario* each : witnesses) {
        const reached_site* const reached = find_reached(each->result, where);
        if (reached == nullptr) continue;
        result.release = result.release && !reached->release_used;
        result.acquire = result.acquire && !reached->acquire_used;
    }
    return result;
}

bool is_vacuous(const site& where, order_halves vacuous, order tried) noexcept {
    if (!vacuous.any()) return false;
    if (vacuous == halves_of(where.key.what, where.declared)) return true;
    const order_halves left = halves_of(where.key.what, tried);
    return (vacuous.release && !left.release) || (vacuous.acquire && !left.acquire);
}

std::vector<order> orders_that_keep(const site& where, order_halves vacuous, std::span<const order> orders) {
    std::vector<order> result;
    std::ranges::copy_if(orders, std::back_inserter(result), [&](order each) {
        return !weaker(each, where.declared) || !is_vacuous(where, vacuous, each);
    });
    // Also excludes incomparable orders: for example an acquire in place of a vacuous release.
    std::erase_if(result, [&](order each) {
        const order_halves has = halves_of(where.key.what, each);
        return (vacuous.release && !has.release) || (vacuous.acquire && !has.acquire);
    });
    return result;
}

namespace {

// An execution in which a write at one site is read at the other by another thread.
struct meeting {
    const audited_scenario* in = nullptr;
    site writer;
    site reader;
    choices path;
};

std::optional<meeting> find_meeting(const site& where, bool writes,
                                    std::span<const audited_scenario* const> witnesses) {
    for (const audited_scenario* each : witnesses) {
        for (const reached_site& reader : each->result.sites) {
            for (std::size_t i = 0; i != reader.writer_examples.size(); ++i) {
                if (reader.writer_examples[i].text.empty()) continue;
                if (!same_site(writes ? reader.writers[i] : reader.where, where)) continue;
                return meeting{each, reader.writers[i], reader.where, reader.writer_examples[i]};
            }
        }
    }
    return std::nullopt;
}

bool is_at(const trace_step& step, const site& where) { return step.where.atomic && same_site(step.where, where); }

// Whether another thread accesses the bytes, too.
bool is_shared(const trace_relations& steps, std::size_t access) {
    for (std::size_t i = 0; i != steps.size(); ++i) {
        if (steps[i].thread != steps[access].thread && steps.overlap(i, access)) return true;
    }
    return false;
}

// Without debug information "cell 2".
const std::string& name_of(const trace_step& step) { return step.name.empty() ? step.object : step.name; }

bool is_non_atomic(const trace_step& step) {
    return !step.where.atomic && step.access != step_access::none && step.size != 0 && !step.is_violation();
}

// The nearest access to shared data before or after this step in its thread.
std::optional<std::size_t> next_non_atomic(const trace_relations& steps, std::size_t from, bool before) {
    const auto next = [&](std::size_t at) { return before ? steps.before_in_thread(at) : steps.after_in_thread(at); };
    for (auto at = next(from); at; at = next(*at)) {
        if (is_non_atomic(steps[*at]) && !name_of(steps[*at]).empty() && is_shared(steps, *at)) return at;
    }
    return std::nullopt;
}

// "writes r.data[0]", "reads or writes r.data[0]": accesses that would conflict with this one.
std::string conflicting_words(const trace_step& access) {
    return (access.access == step_access::read ? "writes " : "reads or writes ") + name_of(access);
}

std::string named_missing(const meeting& met, const search_result& replayed, bool writes) {
    const trace_relations steps(replayed.trace);
    for (std::size_t read = 0; read != steps.size(); ++read) {
        const auto write = steps.source_of(read);
        if (!write || !is_at(steps[read], met.reader) || !is_at(steps[*write], met.writer)) continue;
        const auto access = next_non_atomic(steps, writes ? *write : read, writes);
        if (!access) continue;
        const std::string what = conflicting_words(steps[*access]);
        if (!writes) return "nobody " + what + " before the write that is read here";
        const bool store = met.writer.key.what == role::store;
        return "nobody " + what + " after reading " + (store ? "this store" : "what is written here");
    }
    return {};
}

}  // namespace

std::string missing_access(audit_run& run, const site& where, order_halves vacuous,
                           std::span<const audited_scenario* const> witnesses) {
    const bool fence = where.key.what == role::fence;
    if (const auto met = find_meeting(where, vacuous.release, witnesses); met && !run.stopped) {
        search_batch batch;
        batch.replay(*met->in->what, met->path);
        batch.run(run, [](const search_result&) { return false; });
        const auto& replayed = batch.result(0);
        const std::string named = replayed ? named_missing(*met, *replayed, vacuous.release) : std::string();
        if (!named.empty()) return named;
    }
    if (vacuous.release) {
        return std::string("no thread that reads ") + (fence ? "a write after the fence" : "this write") +
               " later makes an access that conflicts with one before the " + (fence ? "fence" : "write");
    }
    return std::string("no access after this ") + (fence ? "fence" : "read") +
           " conflicts with an access before the write that was read";
}

}  // namespace ordeal::detail
