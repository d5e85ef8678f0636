// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace ordeal::detail {
class snapshot;
}

namespace ordeal::detail::shared_pointer_locks {

// The shared_ptr locks that each thread holds: the library function that releases them is not passed the lock.

void begin_execution() noexcept;
/// Save and restore the locks held in the current execution.
void save(snapshot& to);
void restore(snapshot& from);

}  // namespace ordeal::detail::shared_pointer_locks
