// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Files that an execution creates, changes or removes: afterwards they are as they were. The processes of a search
// share them, so from its first use of a file to its end an execution keeps the others from theirs.
namespace ordeal::detail::file_changes {

/// Before main, and so before any process of a search.
void prepare();

/// The execution is about to use a file.
void begin_use();

enum class kind : unsigned char {
    content,  ///< of the file that the path leads to, which may be created
    entry,    ///< of a folder: what the path names is created or removed
    moved,    ///< the same, where what is in a folder goes with it
};

/// The execution is about to change what is at this path, which is relative to the folder, as for openat(). Returns
/// false if that could not be undone.
[[nodiscard]] bool may_change(int folder, const char* path, kind what);
/// The execution has created what is at this path.
void note_created(const char* path);

/// Undoes the changes of the last execution.
void undo() noexcept;

}  // namespace ordeal::detail::file_changes
