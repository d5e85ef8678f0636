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

enum class frame_status : std::uint8_t { suspended, running };

struct frame {
    void* address = nullptr;
    frame_status status = frame_status::suspended;
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

}  // namespace

void frame_suspended(void* address, site_id where) {
    if (!is_noop(address)) written(address, where).status = frame_status::suspended;
}

void frame_resuming(void* address, site_id where) {
    if (address == nullptr)
        current_runtime().fail(violation_kind::frame_misuse, "an empty continuation is resumed", where);
    if (is_noop(address)) return;
    frame& entry = written(address, where);
    if (entry.status == frame_status::running) {
        current_runtime().fail(violation_kind::frame_misuse, "a coroutine is resumed that is not suspended", where);
    }
    if (ended(address)) {
        current_runtime().fail(violation_kind::frame_misuse, "a coroutine is resumed after its end", where);
    }
    entry.status = frame_status::running;
}

void frame_destroying(void* address, site_id where) {
    if (address == nullptr)
        current_runtime().fail(violation_kind::frame_misuse, "an empty continuation is destroyed", where);
    if (is_noop(address)) return;
    frame* const known = find(address);
    if (known == nullptr) written(address, where);
    if (known != nullptr && known->status == frame_status::running) {
        current_runtime().fail(violation_kind::frame_misuse, "a coroutine is destroyed while it runs", where);
    }
    current_runtime().end_life(header(address), where);
}

void frame_done_called(void* address, site_id where) {
    if (address == nullptr) {
        current_runtime().fail(violation_kind::frame_misuse, "an empty continuation is asked whether it has ended",
                               where);
    }
    if (is_noop(address)) return;
    frame* const known = find(address);
    if (known == nullptr) {
        written(address, where);
        return;
    }
    current_runtime().read(header(address), where);
    if (known->status == frame_status::running) {
        current_runtime().fail(violation_kind::frame_misuse, "a coroutine is asked whether it has ended while it runs",
                               where);
    }
}

bool is_frame(const void* address) noexcept { return find(address) != nullptr; }

void forget_frame(const void* address) noexcept {
    const harness_scope harness;
    std::erase_if(frames(), [&](const frame& each) { return each.address == address; });
}

void reset_frames() noexcept { frames().clear(); }

void save_frames(snapshot& to) { to.put(frames()); }
void restore_frames(snapshot& from) { from.take(frames()); }

}  // namespace ordeal
