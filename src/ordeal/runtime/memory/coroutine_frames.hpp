// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/site.hpp"

namespace ordeal {

namespace detail {
class snapshot;
}  // namespace detail

/// Reports of a model continuation about a coroutine frame. Each is a write to the frame and may end the execution with
/// a data race, a use after free, or frame misuse (resumed twice, resumed after its end, destroyed while running).
void frame_suspended(void* frame, site_id where);
void frame_resuming(void* frame, site_id where);
void frame_destroying(void* frame, site_id where);

/// done() is called: a read of the frame, which must be suspended.
void frame_done_called(void* frame, site_id where);

/// Whether a frame begins at this address; for reports.
[[nodiscard]] bool is_frame(const void* address) noexcept;

/// The memory is reused.
void forget_frame(const void* address) noexcept;

/// Discards all frames; at the beginning of an execution.
void reset_frames() noexcept;

/// Save and restore all frames.
void save_frames(detail::snapshot& to);
void restore_frames(detail::snapshot& from);

}  // namespace ordeal
