// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/litmus_document.hpp"
#include "model_tests/litmus/programs.hpp"
#include "model_tests/processors/known_programs.hpp"

#include <cctype>

namespace ordeal::model_tests {

namespace {

std::string listed(const outcome_set& outcomes) {
    std::string text;
    for (const std::string& each : outcomes) text += (text.empty() ? "" : " · ") + each;
    return text;
}

// All outcomes; or how many, and whether the one in question is among them.
std::string shown(const litmus_row& row, const outcome_set& outcomes) {
    if (row.asked.empty() || outcomes.size() <= 8) return listed(outcomes);
    if (!outcomes.contains(row.asked)) return std::to_string(outcomes.size()) + " others, not " + row.asked;
    return row.asked + " · " + std::to_string(outcomes.size() - 1) + " others";
}

// But for a limit of its own, the graph engine finds what RC11 allows.
std::string standard_cell(const litmus_row& row) {
    std::string text = shown(row, row.allowed);
    if (!row.graph.named.empty()) return text;
    const std::string more = listed(without(row.graph.outcomes, row.allowed));
    const std::string less = listed(without(row.allowed, row.graph.outcomes));
    return text + (more.empty() ? "" : " (RC11 also " + more + ")") + (less.empty() ? "" : " (RC11 not " + less + ")");
}

std::string with_small_letter(std::string text) {
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

// Why RC11, which is what graph finds, is not C++20; what else graph or Relacy finds, and why. Empty where all agree.
std::string differences(const litmus_row& row) {
    std::string text;
    if (!row.graph.named.empty()) {
        text = (row.graph.held ? "graph: " : "graph, held within: ") + shown(row, row.graph.outcomes) + "; " +
               with_small_letter(row.graph.why);
    } else {
        text = row.graph.why;
    }
    if (row.relacy.why.empty()) return text;
    return text + (text.empty() ? "" : " ") + "Relacy: " + shown(row, row.relacy.outcomes) + "; " +
           with_small_letter(row.relacy.why);
}

std::string program_cell(const litmus_row& row) {
    return row.what.name + (row.text ? " `" + short_text(*row.text) + "`" : "");
}

constexpr std::string_view introduction =
    "<!-- Written by model_tests from its own tables; a test keeps the two alike. Do not edit. -->\n"
    "# Litmus tests\n\n"
    "Each row is a small program, the outcomes that C++20 allows, and what is different in RC11 or found by an engine. "
    "Where the last "
    "column is empty, RC11, a full search by the engine `graph` and a full search by Relacy have the same outcomes as "
    "C++20. A kind of "
    "violation stands where the behaviour is undefined or the program cannot end well. Every row is a test in "
    "`model_tests/litmus/`, "
    "and sets of outcomes are compared whole.\n\n"
    "- *graph* explores every execution that RC11 allows (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017, with the "
    "release sequence of C++20), and those with load buffering. Its verdict is *held* where no execution is violated. "
    "It is *held within*, and names "
    "the bound, "
    "only where a weak compare-exchange could have failed spuriously more often than it was made to on a thread, or "
    "where a "
    "loop that yields changes something in each iteration.\n"
    "- *Relacy* explores interleavings with stale reads. Its verdict is never *held* but *held within*, and names "
    "each *limit* that the search met. A limit is an outcome that the standard allows and Relacy cannot show. A *false "
    "alarm* is the reverse.\n\n"
    "Programs are written `x=1; y.rel=1 ‖ y.acq; x`: threads beside each other, stores with a value, loads without. "
    "`.rel`, `.acq`, `.acq_rel` and `.sc` are the orders, none is relaxed; `x.add(1)`, `x.swap(1)` and "
    "`x.cas.sc.rlx(0,1)` are fetch_add, exchange, and a strong compare-exchange with the orders of success and "
    "failure; `F.sc` is a fence; `r0:=x` names what was loaded. Everything is 0 at the beginning. Where a program has "
    "many outcomes, only the one that it is about is written out.\n";

std::string cell(processors::allowance value) {
    switch (value) {
        case processors::allowance::forbidden: return "no";
        case processors::allowance::unless_dependent: return "unless dependent";
        case processors::allowance::allowed: return "yes";
    }
    return "";
}

std::string processors_document() {
    std::string text =
        "\n## What processors show\n\nWhether a processor can show the outcome with the instructions that clang makes "
        "of "
        "the program. *Unless dependent*: not if a later access depends on an earlier read, as in real code it often "
        "does. [The models](../docs/reference/engines.md#which-processors-can-show-it) are those of the processors.\n\n"
        "| program | outcome | x86-64 | AArch64 | AArch64 with LSE | RISC-V | POWER |\n|---|---|---|---|---|---|---|\n";
    for (const rc11::known_program& each : rc11::known_programs()) {
        text += "| " + each.name + " `" + short_text(each.what) + "` | " + shortened(each.what, each.outcome) + " |";
        for (const processors::allowance shown : each.shown) text += ' ' + cell(shown) + " |";
        text += '\n';
    }
    return text;
}

}  // namespace

std::vector<litmus_table> litmus_tables() {
    return {message_passing(),
            store_buffering(),
            coherence(),
            atomicity(),
            two_thread_shapes(),
            three_thread_shapes(),
            four_thread_shapes(),
            java_causality(),
            seq_cst_mixtures(),
            seq_cst_fences(),
            seq_cst_through_weaker(),
            release_sequences(),
            release_chains(),
            fences(),
            compare_exchange(),
            compare_exchange_shapes(),
            spurious_failures(),
            staleness(),
            waiting(),
            locks(),
            lifetimes(),
            frames(),
            surroundings()};
}

std::string litmus_document() {
    std::string text(introduction);
    for (const litmus_table& table : litmus_tables()) {
        text += "\n## " + table.title + "\n\n" + table.about + "\n\nSource: " + table.source + "\n\n";
        text += "| program | C++20 | differences |\n|---|---|---|\n";
        for (const litmus_row& row : table.rows) {
            text += "| " + program_cell(row) + " | " + standard_cell(row) + " | " + differences(row) + " |\n";
        }
    }
    return text + processors_document();
}

}  // namespace ordeal::model_tests
