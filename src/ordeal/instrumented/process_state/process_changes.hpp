// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstdio>

namespace ordeal {
class snapshot;
}

namespace ordeal::process_changes {

// What the kernel and the C library have of the process, and no copy of an execution has: descriptors and where they stand in
// their files, streams of the C library, the working directory, the mask of new files, the locale, what getopt keeps. An execution
// that has changed any of it is not copied from then on; and what it has changed is undone.

/// Before main: what is open now, searches have in common.
void note_open_files();

/// The execution is about to change some of that, or may be.
void note();
/// The same, where a descriptor or a stream is about to be closed. Whether that can be undone: what the execution has opened, and
/// the three that every process begins with.
[[nodiscard]] bool may_close(int descriptor);
[[nodiscard]] bool may_close(const std::FILE* stream);

/// All is as it was before the last execution.
void undo() noexcept;

/// No copy is made of an execution that has changed something; so one that was made had changed nothing.
void save(snapshot& to);
void restore(snapshot& from);

/// Another number with each change.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

}  // namespace ordeal::process_changes
