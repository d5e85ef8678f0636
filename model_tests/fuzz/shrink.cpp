// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/fuzz/shrink.hpp"

#include "model_tests/support/shrink.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ordeal::model_tests::fuzz {

namespace {

void remove_instruction(thread_code& code, std::size_t place) {
    std::shift_left(code.at.begin() + static_cast<std::ptrdiff_t>(place), code.at.end(), 1);
    code.at[--code.size] = {};
    for (std::size_t i = 0; i < code.size; ++i) {
        instruction& each = code.at[i];
        forget(each.guard, static_cast<int>(place), none);
        forget(each.source, static_cast<int>(place), none);
        if (each.what == operation::again && each.target > static_cast<int>(place)) --each.target;
        if (each.guard == none) {
            each.guard_value = 0;
            each.unless = false;
        }
    }
}

void remove_thread(program& from, std::size_t which) {
    std::shift_left(from.threads.begin() + static_cast<std::ptrdiff_t>(which), from.threads.end(), 1);
    from.threads[--from.size] = {};
}

std::vector<instruction> simpler(const instruction& each) {
    return changed_by(
        each, [](instruction& i) { i.guard = none, i.guard_value = 0, i.unless = false; },
        [](instruction& i) { i.source = none; }, [](instruction& i) { i.failure = order::relaxed; },
        [](instruction& i) {
            if (i.what != operation::fence) i.using_order = order::relaxed;
        },
        [](instruction& i) {
            if (i.what == operation::compare_exchange_weak) i.what = operation::compare_exchange;
            if (i.what == operation::load_either_until) i.what = operation::load_until;
        });
}

std::vector<program> simpler(const program& what) {
    std::vector<program> result;
    for (std::size_t thread = 0; what.size > 1 && thread < what.size; ++thread) {
        remove_thread(result.emplace_back(what), thread);
    }
    for (std::size_t thread = 0; thread < what.size; ++thread) {
        for (std::size_t place = 0; place < what.threads[thread].size; ++place) {
            remove_instruction(result.emplace_back(what).threads[thread], place);
        }
    }
    for (std::size_t thread = 0; thread < what.size; ++thread) {
        for (std::size_t place = 0; place < what.threads[thread].size; ++place) {
            for (const instruction& next : simpler(what.threads[thread].at[place])) {
                result.emplace_back(what).threads[thread].at[place] = next;
            }
        }
    }
    return result;
}

}  // namespace

program shrink(program what, const std::function<bool(const program&)>& holds) {
    return shrink_by(what, [](const program& from) { return simpler(from); }, holds);
}

}  // namespace ordeal::model_tests::fuzz
