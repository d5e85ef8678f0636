// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstdio>

namespace ordeal::detail {
class snapshot;
}

namespace ordeal::detail::process_changes {

// State of the process in the kernel and the C library that no snapshot includes: descriptors and their file positions,
// streams of the C library, the working directory, the umask, the locale, getopt's state. Once an execution has changed
// any of it, there are no more snapshots of it, and the changes are undone afterwards.

/// Before main: records the open files, which all searches share.
void note_open_files();

/// The execution is about to change some of that, or may be.
void note();
/// The same if a descriptor or a stream is about to be closed. Returns whether that can be undone: for files that the
/// execution has opened, and the three standard ones.
[[nodiscard]] bool may_close(int descriptor);
[[nodiscard]] bool may_close(const std::FILE* stream);

/// Restores the state before the last execution.
void undo() noexcept;

/// There are no snapshots of an execution that has changed something, so a snapshot has no changes.
void save(snapshot& to);
void restore(snapshot& from);

/// Different after each change.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

}  // namespace ordeal::detail::process_changes
