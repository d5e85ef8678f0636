// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/site.hpp"

#include <cstdint>

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

/// Coroutines without a policy, whose compiler plugin reports the same. The caller reports the accesses.
void compiled_frame_begins(void* frame);
/// The coroutine is suspended: await_suspend() is about to be called. Returns the number of this suspension.
std::uint64_t compiled_frame_suspended(void* frame);
/// Ends the execution with frame misuse if the coroutine was not suspended, or has ended.
void compiled_frame_resumed(void* frame, site_id where);
/// Likewise, where await_suspend() has returned false; also if the coroutine has been resumed and suspended since.
void compiled_frame_continues(void* frame, std::uint64_t suspension, site_id where);
[[nodiscard]] bool is_compiled_frame(const void* frame) noexcept;

/// Where a handle is used for resume(), destroy(), done(). End the execution with frame misuse if the coroutine runs or
/// was destroyed, or is resumed after its end. The frame must be a compiled one.
void require_resumable_frame(void* frame, site_id where);
void destroying_compiled_frame(void* frame, site_id where);
void require_suspended_frame(void* frame, site_id where);

/// Whether a compiled frame is suspended, and not at its end.
[[nodiscard]] bool is_suspended_frame(const void* frame) noexcept;

/// Whether a frame of a model continuation begins at this address; for reports.
[[nodiscard]] bool is_frame(const void* address) noexcept;

/// The memory is reused.
void forget_frame(const void* address) noexcept;

/// Discards all frames; at the beginning of an execution.
void reset_frames() noexcept;

/// Save and restore all frames.
void save_frames(detail::snapshot& to);
void restore_frames(detail::snapshot& from);

}  // namespace ordeal
