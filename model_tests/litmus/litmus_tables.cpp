// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/litmus.hpp"
#include "model_tests/litmus/litmus_document.hpp"

namespace ordeal::model_tests {

namespace {

std::string joined(const outcome_set& outcomes) {
    std::string text;
    for (const std::string& each : outcomes) text += (text.empty() ? "" : " · ") + each;
    return text;
}

constexpr std::string_view introduction =
    "<!-- Written by model_tests from its own tables; a test keeps the two alike. Do not edit. -->\n"
    "# Litmus tests of the Relacy engine\n\n"
    "Each row is a small program and the set of its outcomes: those that C++20 allows, and those that a full search "
    "finds. A kind of violation stands where the behaviour is undefined or the program cannot end well. A *limit* is "
    "an outcome that the standard allows and the engine cannot show: the verdict names it, and is *held within*, never "
    "*held*. A *false alarm* is the reverse. Every row is a test in `model_tests/litmus/`.\n";

}  // namespace

std::vector<litmus_table> litmus_tables() {
    return {message_passing(), store_buffering(),  coherence(),     causality(), release_sequences(),
            fences(),          compare_exchange(), engine_bounds(), waiting(),   locks(),
            lifetimes(),       frames(),           surroundings()};
}

std::string litmus_document() {
    std::string text(introduction);
    for (const litmus_table& table : litmus_tables()) {
        text += "\n## " + table.title + "\n\n" + table.about + "\n\n";
        text += "| program | C++20 | Relacy engine | why they differ |\n|---|---|---|---|\n";
        for (const litmus_row& row : table.rows) {
            text += "| " + row.what.name + " | " + joined(row.allowed) + " | " +
                    (row.engine == row.allowed ? std::string("the same") : joined(row.engine)) + " | " + row.why +
                    " |\n";
        }
    }
    return text;
}

}  // namespace ordeal::model_tests
