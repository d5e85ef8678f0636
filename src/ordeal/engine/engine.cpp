// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/engine.hpp"

#include "ordeal/runtime/memory/heap.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>

namespace ordeal::detail {

namespace {

constexpr std::array<std::string_view, 4> verdict_names{"held", "held within", "violated", "inconclusive"};

volatile std::sig_atomic_t stop = 0;

}  // namespace

std::string_view to_string(verdict value) noexcept { return verdict_names[static_cast<std::size_t>(value)]; }

std::optional<verdict> parse_verdict(std::string_view text) noexcept {
    const auto found = std::ranges::find(verdict_names, text);
    if (found == verdict_names.end()) return std::nullopt;
    return static_cast<verdict>(found - verdict_names.begin());
}

std::string obstacle(const engine& with, const scenario& what) {
    const std::string name(with.name());
    if (what.instrumented && !with.features().code_without_policy) {
        return "the engine " + name + " cannot search code without a policy";
    }
    if (what.threads.empty()) return "the scenario has no threads";
    if (what.model.size > heap::most_for_scenario) {
        return "the scenario is an object of " + std::to_string(what.model.size) + " bytes; there is room for " +
               std::to_string(heap::most_for_scenario);
    }
    if (what.threads.size() <= with.max_threads()) return {};
    return "the scenario has " + std::to_string(what.threads.size()) + " threads; the engine " + name +
           " supports up to " + std::to_string(with.max_threads());
}

void request_stop() noexcept { stop = 1; }
bool stop_requested() noexcept { return stop != 0; }

}  // namespace ordeal::detail
