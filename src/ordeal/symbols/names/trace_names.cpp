// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/symbols/names/trace_names.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/symbols/names/known_objects.hpp"
#include "ordeal/symbols/names/object_names.hpp"

#include <cctype>
#include <cerrno>
#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace ordeal::detail {

namespace {

// Replaces the words by the name, unless they are part of a longer number.
void replace_words(std::string& text, const std::string& words, const std::string& name) {
    for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at)) {
        const std::size_t end = at + words.size();
        const bool longer = end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0;
        if (!longer) text.replace(at, words.size(), name);
        at += longer ? words.size() : name.size();
    }
}

bool is_numbered(std::string_view words) {
    return !words.empty() && std::isdigit(static_cast<unsigned char>(words.back())) != 0;
}

// Whether the number is that of the object, as in "atomic 2"; in "a local variable of thread 2" it is the thread's.
bool is_numbered_object(std::string_view words) { return is_numbered(words) && !words.starts_with("a "); }

// One object has one name in a trace: a variable that debug information has at one step may have been inferred from the
// source at another, "n in trial()". The shortest says no more than is needed.
void give_one_name(trace& steps) {
    const auto whole = [](const trace_step& step) { return std::tuple(step.object, step.address, step.size); };
    std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, const trace_step*> named;
    for (const trace_step& each : steps) {
        if (each.name.empty() || !is_numbered_object(each.object)) continue;
        const trace_step*& best = named.emplace(whole(each), &each).first->second;
        if (each.name.size() < best->name.size()) best = &each;
    }
    for (trace_step& each : steps) {
        const auto found = named.find(whole(each));
        if (found == named.end() || found->second == &each) continue;
        each.name = found->second->name;
        each.type = found->second->type;
    }
}

// Objects named only in the source at their operations: all operations on an object must agree.
void name_by_source(trace& steps, object_names& known) {
    std::map<std::string, std::string> words;
    for (const trace_step& each : steps) {
        if (!each.name.empty() || !is_numbered(each.object)) continue;
        const std::string word = known.word_for(each);
        if (word.empty()) continue;
        std::string& one = words.emplace(each.object, word).first->second;
        if (one != word) one.clear();
    }
    for (trace_step& each : steps) {
        if (each.name.empty() && words.contains(each.object)) each.name = words.at(each.object);
    }
}

// A value of 16 bytes, "{&node, 3}": if one half has a name, and the other has one too or is a number.
std::string name_of_value(object_names& known, const std::optional<debug_types::die>& type, std::uint64_t value,
                          const std::optional<std::uint64_t>& second, std::uint32_t step) {
    if (!second) return known.value(type, value, step);
    constexpr std::uint64_t smallest_address = std::uint64_t{1} << 32;
    const std::string names[]{known.value({}, value, step), known.value({}, *second, step)};
    if (names[0].empty() && names[1].empty()) return {};
    std::string text;
    for (const auto& [name, half] : {std::pair(names[0], value), std::pair(names[1], *second)}) {
        if (name.empty() && half >= smallest_address) return {};
        text += (text.empty() ? "{" : ", ") + (name.empty() ? std::to_string(half) : name);
    }
    return text + "}";
}

// Of steps that no site announces, as frees, and of exceptions that nobody catches.
void place_steps(trace& steps, const naming_log& log) {
    for (trace_step& each : steps) {
        const logged_step* const logged = each.where.key.line == 0 ? log.step(each.index) : nullptr;
        const auto place = logged == nullptr ? std::nullopt : place_on_trial(logged->calls);
        if (!place) continue;
        each.where.key.file = place->file;
        each.where.key.line = place->line;
        each.where.function = place->function;
    }
}

void name_steps(trace& steps, object_names& known) {
    for (const trace_step& each : steps) known.infer(each);
    for (trace_step& each : steps) {
        if (each.size == 0) continue;
        // A lock that a library associates with its object.
        const auto place = known.at({each.address & (companion_lock - 1), each.size}, each.index);
        std::optional<debug_types::die> type;
        if (place && !place->counted && !(place->anonymous && is_numbered_object(each.object))) {
            each.name = place->text;
            if (place->type) {
                each.type = debug_types::full_name(*place->type);
                type = debug_types::value_type(*place->type);
            }
        }
        if (each.before) each.before_name = name_of_value(known, type, *each.before, each.second_before, each.index);
        if (each.after) each.after_name = name_of_value(known, type, *each.after, each.second_after, each.index);
    }
    name_by_source(steps, known);
    give_one_name(steps);
}

// A semaphore is an atomic count to the library, which is not how those who use it think of it.
void speak_of_semaphores(trace& steps) {
    for (trace_step& each : steps) {
        if (!each.type.starts_with("std::counting_semaphore<")) continue;
        if (each.operation.starts_with("compare_exchange")) each.operation = "acquire";
        if (each.operation.starts_with("fetch_add")) each.operation = "release";
    }
}

// "2 blocks never freed, 48 bytes": adds what they are.
void name_leaks(std::string& message, object_names& known) {
    constexpr std::size_t most = 3;
    if (message.find(" never freed, ") == std::string::npos ||
        std::isdigit(static_cast<unsigned char>(message[0])) == 0)
        return;
    const std::vector<std::string> all = known.never_freed(std::stoul(message));
    for (std::size_t i = 0; i < all.size() && i < most; ++i) message += (i == 0 ? ": " : ", ") + all[i];
    if (all.size() > most) message += " and " + std::to_string(all.size() - most) + " more";
}

// "atomic 2 is destroyed", and other mentions of numbered objects.
void name_in_message(std::string& message, const trace& steps, const naming_log& log, object_names& known) {
    if (const auto& failed = log.failure_of(); failed && message.starts_with(failed->words)) {
        const std::uint32_t last = steps.empty() ? 0 : steps.back().index;
        if (const auto place = known.at(failed->where, last)) {
            const std::string origin = place->origin.empty() ? "" : " (" + place->origin + ")";
            message.replace(0, failed->words.size(), place->text + origin);
        }
    }
    name_leaks(message, known);
    std::map<std::string, std::string> names;
    for (const trace_step& each : steps) {
        if (!each.name.empty() && is_numbered(each.object)) names[each.object] = each.name;
    }
    for (const auto& [words, name] : names) replace_words(message, words, name);
}

}  // namespace

void name_trace_objects(trace& steps, std::string& message, const naming_log& log, const scenario& what) {
    const harness_scope harness;
    const int error = errno;
    object_names known(log, what);
    // Text of the code on trial may contain any bytes.
    message = object_names::escape_markers(std::move(message));
    for (trace_step& each : steps) each.note = object_names::escape_markers(std::move(each.note));
    const std::string before = message;
    place_steps(steps, log);
    name_steps(steps, known);
    speak_of_semaphores(steps);
    name_in_message(message, steps, log, known);
    std::vector<std::string*> texts;
    for (trace_step& each : steps) {
        if (!before.empty() && each.note.ends_with(before)) {
            each.note.replace(each.note.size() - before.size(), before.size(), message);
        }
        for (std::string* const text : {&each.name, &each.before_name, &each.after_name}) texts.push_back(text);
    }
    for (trace_step& each : steps) texts.push_back(&each.note);
    texts.push_back(&message);
    known.number(texts);
    errno = error;
}

}  // namespace ordeal::detail
