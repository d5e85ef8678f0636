// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "document.hpp"

namespace ordeal::docs {

/// A Markdown table made from reports of the program, or from the tables that it is built with.
///
///   table: reset                 the designs of the exhibits reset_*, their orders, and their answers
///   table: sites SUBJECT         the sites of a subject and what the audit says of each weaker order
///   table: outcomes SCENARIO...  the outcomes of scenarios, and in how many executions each was seen
///   table: engines SCENARIO...   what each engine says of them, and in how many executions
///   table: verdicts PREFIX...    the scenarios whose names begin so, what each is about, and its verdict
///   table: process-state         what the process has besides its memory, and what becomes of it, from process_state.hpp
///   table: tsan                  the violated exhibits, and whether ThreadSanitizer reports each, from tsan_tests/
///   table: instructions TARGET COMPILER   what operations on 8 bytes are on a target; of that compiler alone
///   table: commands              the commands of the program
///   table: options COMMAND       its arguments and options, with their defaults
///     same-as: OTHER             names those that OTHER has with the same row, and does not repeat them
///   table: schema REPORT [PART]  the keys of a report in JSON, or of a part of it
///   table: exit-codes; table: environment
[[nodiscard]] lines table(const directive& of);

/// "held within" or "violated: data race".
[[nodiscard]] std::string verdict_of(const std::string& scenario, const std::string& engine = {});

}  // namespace ordeal::docs
