// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/explain/step_words.hpp"

namespace ordeal::detail {

const std::string& object_words(const trace_step& step) { return step.name.empty() ? step.object : step.name; }

std::string access_words(const trace_step& step) {
    std::string text = step.operation;
    if (step.using_order) text.append(" ").append(to_string(*step.using_order));
    return step.overridden ? text + '*' : text;
}

std::string place_words(const trace_step& step) {
    if (step.where.key.line == 0) return {};
    return step.where.key.file + ":" + std::to_string(step.where.key.line);
}

namespace {

std::string noun_of(const std::string& operation) {
    switch (kind_of_operation(operation)) {
        case step_kind::destroy: return "destruction";
        case step_kind::construct: return "construction";
        case step_kind::allocate: return "allocation";
        case step_kind::suspend: return "suspension";
        case step_kind::resume: return "resumption";
        default: return operation.empty() ? "access" : operation;
    }
}

}  // namespace

std::string operation_words(const trace_step& step) {
    const std::string& operation = step.is_violation() ? step.where.operation : step.operation;
    std::string text = "the " + noun_of(operation);
    if (const std::string& object = object_words(step); !object.empty()) text += " of " + object;
    return text;
}

std::string waiting_words(const trace_step& step) {
    const std::string& object = object_words(step);
    return object.empty() ? step.note : step.note + ' ' + object;
}

std::string enumerated(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
        text += words[i];
    }
    return text;
}

std::vector<std::string> thread_names(const scenario& what, const trace& steps) {
    std::vector<std::string> names = what.threads;
    for (const trace_step& step : steps) {
        while (step.thread >= static_cast<int>(names.size())) {
            names.push_back("thread " + std::to_string(names.size() + 1));  // from 1, as in the engine's messages
        }
    }
    return names;
}

}  // namespace ordeal::detail
