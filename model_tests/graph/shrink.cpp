// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/graph/shrink.hpp"

#include "model_tests/support/shrink.hpp"

#include <utility>
#include <vector>

namespace ordeal::model_tests::rc11 {

namespace {

program without_instruction(program what, std::size_t thread, std::size_t place) {
    thread_code& code = what.threads[thread];
    code.erase(code.begin() + static_cast<std::ptrdiff_t>(place));
    for (instruction& each : code) {
        forget(each.guard, static_cast<int>(place), none);
        forget(each.source, static_cast<int>(place), none);
    }
    if (code.empty() && what.threads.size() > 1) {
        what.threads.erase(what.threads.begin() + static_cast<std::ptrdiff_t>(thread));
    }
    return what;
}

std::vector<instruction> simpler(const instruction& each) {
    return changed_by(
        each, [](instruction& i) { i.guard = none, i.guard_value = 0; }, [](instruction& i) { i.source = none; },
        [](instruction& i) { i.failure = order::relaxed; },
        [](instruction& i) {
            if (i.what < operation::fence) i.using_order = order::relaxed;
        });
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
    return shrink_by(std::move(what), [](const program& from) { return simpler(from); }, fails);
}

}  // namespace ordeal::model_tests::rc11
