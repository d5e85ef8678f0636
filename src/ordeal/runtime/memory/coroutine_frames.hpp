// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/site.hpp"

namespace ordeal {

class snapshot;

/// What a model continuation tells of a coroutine frame. Each call is a write to the frame and may end the execution:
/// with a data race, with use after free, or with frame misuse (resumed twice, resumed after its end, destroyed while
/// it runs).
void frame_suspended(void* frame, site_id where);
void frame_resuming(void* frame, site_id where);
void frame_destroying(void* frame, site_id where);

/// It is asked whether it has ended: a read of the frame, which must be suspended.
void frame_done_called(void* frame, site_id where);

/// Whether a frame begins at this address; for words in reports.
[[nodiscard]] bool is_frame(const void* address) noexcept;

/// This memory begins a new life.
void forget_frame(const void* address) noexcept;

/// Forgets all frames; at the beginning of an execution.
void reset_frames() noexcept;

/// All frames.
void save_frames(snapshot& to);
void restore_frames(snapshot& from);

}  // namespace ordeal
