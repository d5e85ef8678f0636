// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace ordeal {
class snapshot;
}

namespace ordeal::shared_pointer_locks {

// Which locks of shared pointers each thread holds: the library's function that gives them back is not told.

void begin_execution() noexcept;
/// All of this, of the execution that runs.
void save(snapshot& to);
void restore(snapshot& from);

}  // namespace ordeal::shared_pointer_locks
