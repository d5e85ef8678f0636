// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

namespace ordeal::model_tests {

/// A smallest program of which it still holds: it holds of none of the candidates that `simpler` makes of it, each with less.
template <class Program, class Simpler, class Holds>
[[nodiscard]] Program shrink_by(Program what, const Simpler& simpler, const Holds& holds) {
    while (true) {
        const std::vector<Program> candidates = simpler(what);
        const auto smaller = std::ranges::find_if(candidates, std::cref(holds));
        if (smaller == candidates.end()) return what;
        what = *smaller;
    }
}

/// What each change by itself makes of it, where that is something else.
template <class T, class... Changes>
[[nodiscard]] std::vector<T> changed_by(const T& from, Changes... changes) {
    std::vector<T> result;
    const auto offer = [&](auto change) {
        T next = from;
        change(next);
        if (next != from) result.push_back(next);
    };
    (offer(changes), ...);
    return result;
}

/// After the instruction `removed` is gone: what refers to one behind it refers to that by its new number; what refers to
/// the one removed, to `none`.
template <class Reference>
void forget(Reference& reference, int removed, int none) {
    if (reference == removed) {
        reference = static_cast<Reference>(none);
    } else if (reference > removed) {
        --reference;
    }
}

}  // namespace ordeal::model_tests
