// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/graph/generator.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace ordeal::model_tests::rc11 {

namespace {

class generator {
public:
    generator(const program_shape& shape, std::uint64_t seed)
        : shape_(shape), random_(seed), locations_(static_cast<int>(rather_many(shape.locations))) {}

    program make() {
        program result;
        for (std::size_t i = 0; i < shape_.threads; ++i) result.threads.push_back(make_thread());
        return result;
    }

    program make_locking(const locking_shape& shape) {
        program result;
        for (std::size_t i = 0; i < shape.threads; ++i) {
            thread_code code;
            do {
                add_some(code, shape, {}, none);
            } while (code.size() + 2 <= shape.instructions);
            result.threads.push_back(std::move(code));
        }
        return result;
    }

    program vary(program result) {
        for (thread_code& code : result.threads) {
            for (instruction& each : code) change(each);
        }
        return result;
    }

private:
    // The standard's distributions differ between libraries. The bias of a remainder does not matter here.
    std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
    bool one_in(std::uint64_t n) { return below(n) == 0; }
    int between(int lowest, int highest) {
        return lowest + static_cast<int>(below(static_cast<std::uint64_t>(highest - lowest + 1)));
    }

    // Of the numbers 1 to `highest`, large ones more often: what is of interest needs more than one.
    std::size_t rather_many(std::size_t highest) { return 1 + std::max(below(highest), below(highest)); }

    order order_for(role what) {
        if (shape_.seq_cst == share::most && !one_in(4)) return order::seq_cst;
        constexpr std::array every{order::relaxed, order::acquire, order::release, order::acq_rel, order::seq_cst};
        std::vector<order> possible;
        for (const order each : every) {
            if (each == order::seq_cst && shape_.seq_cst == share::none) continue;
            if (each == order::relaxed && what == role::fence) continue;  // has no effect
            if (allowed(what, each)) possible.push_back(each);
        }
        return possible[below(possible.size())];
    }

    operation pick_operation() {
        if (shape_.fences != share::none && one_in(shape_.fences == share::most ? 3 : 6)) return operation::fence;
        if (shape_.modifications == share::most ? !one_in(4) : shape_.modifications == share::some && one_in(3)) {
            constexpr std::array kinds{operation::exchange, operation::fetch_add, operation::compare_exchange};
            return kinds[below(kinds.size())];
        }
        return one_in(2) ? operation::load : operation::store;
    }

    instruction make_instruction() {
        const operation what = pick_operation();
        const int location = between(0, locations_ - 1);
        switch (what) {
            case operation::load: return load(location, order_for(role::load));
            case operation::store: return store(location, between(1, 2), order_for(role::store));
            case operation::exchange: return exchange(location, between(1, 3), order_for(role::exchange));
            case operation::fetch_add: return fetch_add(location, between(1, 2), order_for(role::fetch));
            case operation::compare_exchange:
                return compare_exchange(location, between(0, 2), between(1, 3), order_for(role::success),
                                        order_for(role::failure));
            default: break;
        }
        return fence(order_for(role::fence));
    }

    thread_code make_thread() {
        const std::size_t length = rather_many(shape_.instructions);
        thread_code code;
        std::vector<int> registers;
        for (std::size_t i = 0; i < length; ++i) {
            instruction next = make_instruction();
            if (!registers.empty()) depend(next, registers);
            if (has_register(next.what)) registers.push_back(static_cast<int>(i));
            code.push_back(next);
        }
        return code;
    }

    static role role_of(operation what) {
        switch (what) {
            case operation::load: return role::load;
            case operation::store: return role::store;
            case operation::exchange: return role::exchange;
            case operation::fetch_add: return role::fetch;
            case operation::compare_exchange: return role::success;
            default: break;
        }
        return role::fence;
    }

    // One operation, or a few under a lock. `held`: the mutexes that are not taken again; `taken`: the try_lock that all of it
    // depends on, if any.
    void add_some(thread_code& code, const locking_shape& shape, const std::vector<int>& held, int taken) {
        const auto add = [&](const instruction& next) { code.push_back(taken == none ? next : next.when(taken, 1)); };
        if (shape.semaphore && one_in(3)) return add(one_in(3) ? acquire() : release());
        const int mutex = between(first_mutex, first_mutex + shape.mutexes - 1);
        const bool has_room = code.size() + held.size() + 3 <= max_instructions;
        if (std::ranges::find(held, mutex) != held.end() || !has_room || one_in(3)) return add(make_instruction());
        std::vector<int> now_held = held;
        now_held.push_back(mutex);
        if (shape.tries && taken == none && one_in(3)) {
            taken = static_cast<int>(code.size());
            code.push_back(try_lock(mutex));
        } else {
            add(lock(mutex));
        }
        const std::size_t inside = below(3);
        for (std::size_t i = 0; i < inside && code.size() + now_held.size() < max_instructions; ++i) {
            add_some(code, shape, now_held, taken);
        }
        add(unlock(mutex));
    }

    void change(instruction& each) {
        if (one_in(8) && each.what == operation::load) each.what = operation::fetch_add;
        if (one_in(8) && each.what == operation::load) {
            each = compare_exchange(each.location, between(0, 2), between(1, 3), each.using_order, each.using_order);
        }
        if (one_in(8) && each.what == operation::store) each.what = operation::exchange;
        if (one_in(8) && each.what != operation::fence) each.location = between(0, locations_ - 1);
        if (one_in(3)) each.using_order = order_for(role_of(each.what));
        if (one_in(3) && each.what == operation::compare_exchange) each.failure = order_for(role::failure);
    }

    void depend(instruction& next, const std::vector<int>& registers) {
        if (next.what == operation::store && one_in(3)) {
            next.source = registers[below(registers.size())];
            next.value = 0;
        }
        if (one_in(4)) next = next.when(registers[below(registers.size())], between(0, 2));
    }

    program_shape shape_;
    std::mt19937_64 random_;
    int locations_;
};

}  // namespace

program random_program(const program_shape& shape, std::uint64_t seed) { return generator(shape, seed).make(); }

program random_locking_program(const locking_shape& shape, std::uint64_t seed) {
    return generator(shape.inside, seed).make_locking(shape);
}

program random_variation(const program& of, std::uint64_t seed, share seq_cst) {
    return generator({.locations = locations_of(of), .seq_cst = seq_cst}, seed).vary(of);
}

}  // namespace ordeal::model_tests::rc11
