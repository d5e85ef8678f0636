// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/graph/symmetric_program.hpp"

#include "model_tests/graph/numbered_site.hpp"

#include "ordeal/runtime/execution.hpp"

#include <fmt/format.h>

#include <array>
#include <new>
#include <random>
#include <span>
#include <string_view>

namespace ordeal::model_tests::symmetric {

namespace {

const program* current = nullptr;

// Values from here on name a thread; an addition to one leaves that.
constexpr std::uint64_t naming = 100;

constexpr std::size_t most_instructions = 4;

// Some instructions are several operations.
site_id site_of(const instruction& each, const code& of, unsigned part) {
    const auto number = static_cast<std::size_t>(&each - of.data());
    return numbered_site(6 * number + part);
}

/// One execution of the current program.
class interpreter {
public:
    interpreter() {
        for (std::uint64_t& each : shared_) begin(each, object_kind::atomic);
        for (std::uint64_t& each : slots_) begin(each, object_kind::atomic);
        begin(mutex_, object_kind::mutex);
    }
    interpreter(const interpreter&) = delete;
    interpreter& operator=(const interpreter&) = delete;
    ~interpreter() {
        for (std::size_t i = 0; i < current->threads.size(); ++i) current_runtime().end_life(range(own_[i]), no_site);
        current_runtime().end_life(range(mutex_), no_site);
        for (std::uint64_t& each : slots_) current_runtime().end_life(range(each), no_site);
        for (std::uint64_t& each : shared_) current_runtime().end_life(range(each), no_site);
    }

    void run(std::size_t thread) {
        begin(own_[thread], object_kind::atomic);
        const code& of = current->threads[thread];
        std::uint64_t last = 0;
        for (const instruction& each : of) {
            if (!each.guarded || last != 0) perform(each, of, thread, last);
        }
    }

private:
    static memory_range range(const std::uint64_t& of) { return {reinterpret_cast<std::uintptr_t>(&of), sizeof of}; }
    static void begin(const std::uint64_t& of, object_kind kind) {
        current_runtime().begin_life(range(of), kind, 0, no_site);
    }

    void perform(const instruction& each, const code& of, std::size_t thread, std::uint64_t& last) {
        const atomic_access access{range(shared_[each.location]), each.using_order, site_of(each, of, 0)};
        switch (each.what) {
            case operation::load: last = current_runtime().load(access); break;
            case operation::store: current_runtime().store(access, each.value); break;
            case operation::store_seen: current_runtime().store(access, last % naming + 1); break;
            case operation::add: last = current_runtime().modify(access, modification::add, each.value); break;
            case operation::exchange:
                last = current_runtime().modify(access, modification::exchange, each.value);
                break;
            case operation::compare_exchange:
            case operation::compare_weakly: {
                const bool weak = each.what == operation::compare_weakly;
                std::uint64_t seen = each.expected;
                const bool stored =
                    current_runtime().compare_exchange(access, order::relaxed, no_site, weak, seen, each.value);
                if (weak && stored) seen += naming;
                last = seen;
                break;
            }
            case operation::fence: current_runtime().fence(order::seq_cst, access.site); break;
            case operation::critical:
                current_runtime().lock(mutex_address(), site_of(each, of, 1));
                critical(each, of, last);
                break;
            case operation::try_critical:
                last = 0;
                if (current_runtime().try_lock(mutex_address(), site_of(each, of, 1))) critical(each, of, last);
                break;
            case operation::own: last = add_to(own_[thread], each, of); break;
            // The last thread has the first.
            case operation::slot: last = add_to(slots_[max_threads - 1 - thread], each, of); break;
            case operation::publish: current_runtime().store(access, naming * (thread + 1)); break;
            case operation::follow:
                last = current_runtime().load(access);
                if (last >= naming) last = add_to(own_[last / naming - 1], each, of);
                break;
        }
    }
    void critical(const instruction& each, const code& of, std::uint64_t& last) {
        const memory_range where = range(shared_[each.location]);
        last = current_runtime().load({where, order::relaxed, site_of(each, of, 2)});
        current_runtime().store({where, order::relaxed, site_of(each, of, 3)}, last % naming + 1);
        current_runtime().unlock(mutex_address(), site_of(each, of, 4));
    }
    [[nodiscard]] std::uintptr_t mutex_address() const { return reinterpret_cast<std::uintptr_t>(&mutex_); }
    static std::uint64_t add_to(const std::uint64_t& atomic, const instruction& each, const code& of) {
        return current_runtime().modify({range(atomic), order::relaxed, site_of(each, of, 5)}, modification::add, 1);
    }

    std::array<std::uint64_t, max_locations> shared_{};
    std::array<std::uint64_t, max_threads> own_{};
    std::array<std::uint64_t, max_threads> slots_{};
    std::uint64_t mutex_ = 0;
};

/// Numbers that are the same in every standard library.
class dice {
public:
    explicit dice(std::uint64_t seed) : random_(seed) {}
    std::size_t below(std::size_t bound) { return random_() % bound; }
    bool one_in(std::size_t bound) { return below(bound) == 0; }

private:
    std::mt19937_64 random_;
};

// What the operation may have, by whether it loads and whether it stores.
order random_order(operation what, bool seq_cst, dice& from) {
    if (what == operation::publish) return order::release;
    if (what == operation::follow) return order::acquire;
    if (seq_cst && from.one_in(3)) return order::seq_cst;
    if (from.one_in(2)) return order::relaxed;
    if (what == operation::load) return order::acquire;
    return what == operation::store || what == operation::store_seen ? order::release : order::acq_rel;
}

std::vector<operation> operations_of(const shape& of) {
    using enum operation;
    std::vector<operation> all{load, load, store, store, store_seen};
    if (of.modifications) all.insert(all.end(), {add, exchange, compare_exchange});
    if (of.seq_cst) all.push_back(fence);
    if (of.mutex) all.insert(all.end(), {critical, critical});
    if (of.weak) all.insert(all.end(), {compare_weakly, compare_weakly, try_critical});
    if (of.own_atomics) all.insert(all.end(), {own, own});
    if (of.slots) all.insert(all.end(), {slot, slot, slot});
    if (of.published_atomics) all.insert(all.end(), {publish, publish, follow, follow, own});
    return all;
}

code random_code(const shape& of, std::size_t size, std::size_t locations, dice& from) {
    const std::vector<operation> all = operations_of(of);
    code result(size);
    for (instruction& each : result) {
        each.what = all[from.below(all.size())];
        each.location = from.below(locations);
        each.value = 1 + from.below(2);
        each.expected = from.below(2);
        each.guarded = from.one_in(4);
        each.using_order = random_order(each.what, of.seq_cst, from);
    }
    return result;
}

constexpr std::array<std::string_view, 14> names{"load",    "store",          "store seen + 1", "add",   "exchange",
                                                 "compare", "compare weakly", "try critical",   "fence", "critical",
                                                 "own",     "slot",           "publish",        "follow"};

}  // namespace

program random_program(const shape& of, std::uint64_t seed) {
    dice from(seed);
    const std::size_t locations = 1 + from.below(max_locations);
    const code alike = random_code(of, 1 + from.below(most_instructions), locations, from);
    const std::size_t count = 2 + from.below(2);
    program result;
    for (std::size_t i = 0; i < count; ++i) result.threads.push_back(alike);
    const bool other = !from.one_in(3);
    const bool first = other && from.one_in(2);
    if (other) {
        const code different = random_code(of, 1 + from.below(3), locations, from);
        result.threads.insert(first ? result.threads.begin() : result.threads.end(), different);
    }
    for (std::size_t i = 0; i < count; ++i) result.alike.push_back(static_cast<int>(i + (first ? 1 : 0)));
    return result;
}

std::string to_string(const program& what) {
    std::string text = "alike: " + fmt::format("{}", what.alike.front()) + fmt::format(" to {}\n", what.alike.back());
    for (std::size_t thread = 0; thread < what.threads.size(); ++thread) {
        text += fmt::format("{}:", thread);
        for (const instruction& each : what.threads[thread]) {
            text += fmt::format(" {}{} {} x{} value {} expected {};", each.guarded ? "if (seen) " : "",
                                names[static_cast<std::size_t>(each.what)], ordeal::to_string(each.using_order),
                                each.location, each.value, each.expected);
        }
        text += '\n';
    }
    return text;
}

scenario as_scenario(const program& what) {
    current = &what;
    scenario result;
    result.name = "a random symmetric program";
    result.threads.assign(what.threads.size(), "thread");
    result.interchangeable = what.alike;
    result.model = {
        .size = sizeof(interpreter),
        .alignment = alignof(interpreter),
        .construct = [](void* storage) { ::new (storage) interpreter; },
        .run = [](void* of, int thread) { static_cast<interpreter*>(of)->run(static_cast<std::size_t>(thread)); },
        .finish = [](void*) {},
        .outcome = [](void*) { return std::string(); },
        .destroy = [](void* of) { static_cast<interpreter*>(of)->~interpreter(); },
    };
    return result;
}

}  // namespace ordeal::model_tests::symmetric
