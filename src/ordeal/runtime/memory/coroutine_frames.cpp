// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/runtime/memory/coroutine_frames.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/snapshot.hpp"

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <vector>

namespace ordeal {

using namespace detail;

namespace {

enum class frame_status : std::uint8_t { suspended, running, destroyed };

struct frame {
    void* address = nullptr;
    frame_status status = frame_status::suspended;
    bool compiled = false;
    std::uint64_t suspensions = 0;
};

// An execution has few frames.
std::vector<frame>& frames() {
    static std::vector<frame> instance;
    return instance;
}

// The two pointers every frame begins with: where to resume and how to destroy.
memory_range header(void* address) noexcept { return {reinterpret_cast<std::uintptr_t>(address), 2 * sizeof(void*)}; }

frame* find(const void* address) noexcept {
    const auto found = std::ranges::find(frames(), address, &frame::address);
    return found == frames().end() ? nullptr : &*found;
}

// Checks the write first, so that a race or a use after free is reported as such. Adding a frame may move the entry, so
// callers do not retain it across code on trial.
frame& written(void* address, site_id where) {
    if (frame* const known = find(address)) {
        current_runtime().write(header(address), where);
        return *known;
    }
    current_runtime().begin_life(header(address), object_kind::frame, 1, where);
    const harness_scope harness;
    return frames().emplace_back(frame{address});
}

// The frame of std::noop_coroutine(): it is never suspended and never ends, and may be resumed at any time.
bool is_noop(void* address) noexcept { return address == std::noop_coroutine().address(); }

bool ended(void* address) noexcept { return std::coroutine_handle<>::from_address(address).done(); }

// One whose unhandled_exception() throws has ended, too ([dcl.fct.def.coroutine]), without a suspension.
bool is_running(const frame& which) noexcept {
    return which.status == frame_status::running && !(which.compiled && ended(which.address));
}

void misused(const char* how, site_id where) { current_runtime().fail(violation_kind::frame_misuse, how, where); }

// A destroyed one whose memory is freed, too, is a use after free before this is asked.
void require_resumable(const frame& which, site_id where) {
    if (which.status == frame_status::destroyed) misused("a coroutine is resumed that was destroyed", where);
    if (is_running(which)) misused("a coroutine is resumed that is not suspended", where);
    if (ended(which.address)) misused("a coroutine is resumed after its end", where);
}
void require_destroyable(const frame& which, site_id where) {
    if (which.status == frame_status::destroyed) misused("a coroutine is destroyed twice", where);
    if (is_running(which)) misused("a coroutine is destroyed while it runs", where);
}
void require_suspended(const frame& which, site_id where) {
    if (which.status == frame_status::destroyed)
        misused("a coroutine that was destroyed is asked whether it has ended", where);
    if (is_running(which)) misused("a coroutine is asked whether it has ended while it runs", where);
}

// One that is unknown was made before the execution, and suspended then.
frame& compiled_frame(void* address) {
    frame* const known = find(address);
    if (known != nullptr) return *known;
    const harness_scope harness;
    return frames().emplace_back(frame{address, frame_status::suspended, true});
}

}  // namespace

void frame_suspended(void* address, site_id where) {
    if (!is_noop(address)) written(address, where).status = frame_status::suspended;
}

void frame_resuming(void* address, site_id where) {
    if (address == nullptr) misused("an empty continuation is resumed", where);
    if (is_noop(address)) return;
    frame& entry = written(address, where);
    require_resumable(entry, where);
    entry.status = frame_status::running;
}

void frame_destroying(void* address, site_id where) {
    if (address == nullptr) misused("an empty continuation is destroyed", where);
    if (is_noop(address)) return;
    if (const frame* const known = find(address)) {
        require_destroyable(*known, where);
    } else {
        written(address, where);
    }
    current_runtime().end_life(header(address), where);
}

void frame_done_called(void* address, site_id where) {
    if (address == nullptr) misused("an empty continuation is asked whether it has ended", where);
    if (is_noop(address)) return;
    const frame* const known = find(address);
    if (known == nullptr) {
        written(address, where);
        return;
    }
    current_runtime().read(header(address), where);
    require_suspended(*known, where);
}

void compiled_frame_begins(void* address) {
    forget_frame(address);
    compiled_frame(address).status = frame_status::running;
}

std::uint64_t compiled_frame_suspended(void* address) {
    frame& entry = compiled_frame(address);
    entry.status = frame_status::suspended;
    return ++entry.suspensions;
}

void compiled_frame_resumed(void* address, site_id where) {
    frame& entry = compiled_frame(address);
    require_resumable(entry, where);
    entry.status = frame_status::running;
}

void compiled_frame_continues(void* address, std::uint64_t suspension, site_id where) {
    frame& entry = compiled_frame(address);
    if (entry.status != frame_status::suspended || entry.suspensions != suspension)
        misused("await_suspend() returns false to a coroutine that was resumed meanwhile", where);
    entry.status = frame_status::running;
}

bool is_compiled_frame(const void* address) noexcept {
    const frame* const known = find(address);
    return known != nullptr && known->compiled;
}

void require_resumable_frame(void* address, site_id where) { require_resumable(*find(address), where); }
void destroying_compiled_frame(void* address, site_id where) {
    frame& entry = *find(address);
    require_destroyable(entry, where);
    entry.status = frame_status::destroyed;
}
void require_suspended_frame(void* address, site_id where) { require_suspended(*find(address), where); }

bool is_suspended_frame(const void* address) noexcept {
    const frame* const known = find(address);
    return known != nullptr && known->compiled && known->status == frame_status::suspended && !ended(known->address);
}

bool is_frame(const void* address) noexcept {
    const frame* const known = find(address);
    return known != nullptr && !known->compiled;
}

void forget_frame(const void* address) noexcept {
    const harness_scope harness;
    std::erase_if(frames(), [&](const frame& each) { return each.address == address; });
}

void reset_frames() noexcept { frames().clear(); }

void save_frames(snapshot& to) { to.put(frames()); }
void restore_frames(snapshot& from) { from.take(frames()); }

}  // namespace ordeal
