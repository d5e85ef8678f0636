// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/runtime/trace.hpp"

#include "ordeal/runtime/word.hpp"

#include <array>
#include <utility>

namespace ordeal::detail {

namespace {

constexpr std::array<std::pair<step_access, std::string_view>, 3> access_names{
    {{step_access::none, "none"}, {step_access::read, "read"}, {step_access::write, "write"}}};

/// Words that an operation is told by.
struct operation_words {
    std::string_view words;
    step_kind kind;
    bool begins = false;  ///< others may follow: "lock shared", "notify_all", "load in std::latch::wait"
};

constexpr std::array known_operations{
    operation_words{"load", step_kind::load, true},
    operation_words{"compare_exchange", step_kind::compare_exchange, true},
    operation_words{"lock", step_kind::lock, true},
    operation_words{"try_lock", step_kind::try_lock, true},
    operation_words{"unlock", step_kind::unlock, true},
    operation_words{"wait", step_kind::wait},
    operation_words{"blocks", step_kind::blocks},
    operation_words{"notify", step_kind::notify, true},
    operation_words{"arrive", step_kind::arrive, true},
    operation_words{"count down", step_kind::arrive, true},
    operation_words{"create thread", step_kind::create_thread},
    operation_words{"construct", step_kind::construct},
    operation_words{"destroy", step_kind::destroy, true},
    operation_words{"allocate", step_kind::allocate},
    operation_words{"free", step_kind::free},
    operation_words{"end of scope", step_kind::end_of_scope},
    operation_words{"suspend", step_kind::suspend},
    operation_words{"resume", step_kind::resume},
    operation_words{trace_step::violation_words, step_kind::violation},
    operation_words{trace_step::stuck_words, step_kind::stuck},
};

/// How the notes of threads begin that never go on.
constexpr std::array<std::pair<std::string_view, awaited>, 4> known_waits{
    {{"waits for a notification", awaited::notification},
     {"waits for a release", awaited::release},
     {"waits for more arrivals", awaited::arrivals},
     {"joins", awaited::end_of_thread}}};

void set_value(std::uint64_t word, std::uint64_t size, std::optional<std::uint64_t>& first,
               std::optional<std::uint64_t>& second) {
    if (size != wide_size) {
        first = word;
        return;
    }
    const wide_value value = wide_value_of(word);
    first = value.first;
    second = value.second;
}

}  // namespace

step_kind kind_of_operation(std::string_view operation) noexcept {
    for (const operation_words& each : known_operations) {
        if (each.begins ? operation.starts_with(each.words) : operation == each.words) return each.kind;
    }
    return step_kind::other;
}

bool trace_step::ends_life() const noexcept {
    const step_kind is = kind();
    return is == step_kind::destroy || is == step_kind::free || is == step_kind::end_of_scope;
}

bool is_within_library(std::string_view operation) noexcept { return operation.find(" in ") != std::string_view::npos; }

bool trace_step::is_about(object_kind which) const noexcept { return object.starts_with(to_string(which)); }

awaited trace_step::waits_for() const noexcept {
    for (const auto& [words, what] : known_waits) {
        if (note.starts_with(words)) return what;
    }
    return awaited::other;
}

void trace_step::set_before(std::uint64_t word) { set_value(word, size, before, second_before); }
void trace_step::set_after(std::uint64_t word) { set_value(word, size, after, second_after); }

std::string_view to_string(step_access value) noexcept {
    for (const auto& [each, name] : access_names) {
        if (each == value) return name;
    }
    return "none";
}

std::optional<step_access> parse_step_access(std::string_view text) noexcept {
    for (const auto& [each, name] : access_names) {
        if (name == text) return each;
    }
    return std::nullopt;
}

}  // namespace ordeal::detail
