// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/graph/shrink.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace ordeal::model_tests::rc11 {

namespace {

// What refers to a register behind the one removed refers to it by its new number; what refers to that one, no more.
void forget_register(int& reference, int removed) {
    if (reference == removed) {
        reference = none;
    } else if (reference > removed) {
        --reference;
    }
}

program without_instruction(program what, std::size_t thread, std::size_t place) {
    thread_code& code = what.threads[thread];
    code.erase(code.begin() + static_cast<std::ptrdiff_t>(place));
    for (instruction& each : code) {
        forget_register(each.guard, static_cast<int>(place));
        forget_register(each.source, static_cast<int>(place));
    }
    if (code.empty() && what.threads.size() > 1) {
        what.threads.erase(what.threads.begin() + static_cast<std::ptrdiff_t>(thread));
    }
    return what;
}

std::vector<instruction> simpler(const instruction& each) {
    std::vector<instruction> result;
    const auto offer = [&](auto change) {
        instruction next = each;
        change(next);
        if (next != each) result.push_back(next);
    };
    offer([](instruction& i) { i.guard = none, i.guard_value = 0; });
    offer([](instruction& i) { i.source = none; });
    offer([](instruction& i) { i.failure = order::relaxed; });
    if (each.what != operation::fence) offer([](instruction& i) { i.using_order = order::relaxed; });
    return result;
}

std::vector<program> simpler(const program& what) {
    std::vector<program> result;
    for (std::size_t thread = 0; thread < what.threads.size(); ++thread) {
        for (std::size_t place = 0; place < what.threads[thread].size(); ++place) {
            result.push_back(without_instruction(what, thread, place));
        }
    }
    for (std::size_t thread = 0; thread < what.threads.size(); ++thread) {
        for (std::size_t place = 0; place < what.threads[thread].size(); ++place) {
            for (const instruction& next : simpler(what.threads[thread][place])) {
                result.push_back(what);
                result.back().threads[thread][place] = next;
            }
        }
    }
    return result;
}

}  // namespace

program shrink(program what, const std::function<bool(const program&)>& fails) {
    while (true) {
        const std::vector<program> candidates = simpler(what);
        const auto smaller = std::ranges::find_if(candidates, fails);
        if (smaller == candidates.end()) return what;
        what = *smaller;
    }
}

}  // namespace ordeal::model_tests::rc11
