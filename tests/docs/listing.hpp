// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "document.hpp"

namespace ordeal::docs {

/// Whether a block of lines that comes from the program or from a source file follows the directive.
[[nodiscard]] bool generates(const directive& of);

/// That block as it must be, fences included.
///
///   run: PROGRAM ARGUMENTS                    what the command prints; PROGRAM is ordeal, or an example's
///   replay: SUBJECT FUNCTION ROLE ORDER       what replaying that mutant of the audit prints
///   step: COMMAND; tutorial: COMMAND or NAME  what came of the tutorial, see tutorial.hpp
///   source: FILE                              lines of a file of the project
///     from: TEXT       begins with the first line that holds TEXT
///     to: TEXT         ends with the next line that holds TEXT
///     without: TEXT    leaves out the lines that hold TEXT; a step of a trace goes as a whole
///     without-row: TEXT  cuts those rows of steps that hold TEXT
///   table: ...                                see tables.hpp
///   audit: ..., verdicts: ...                 see example_texts.hpp
///
/// Three dots stand where lines of a command's output are left out, but for those after the last.
[[nodiscard]] lines generated(const directive& of);

/// The lines that follow the directive now: a fenced block or a table, empty when there is none; of an example's text, what
/// comes before its end.
[[nodiscard]] lines present(const document& in, const directive& of);

/// The document with every block as it must be.
[[nodiscard]] lines updated(const document& of);

}  // namespace ordeal::docs
