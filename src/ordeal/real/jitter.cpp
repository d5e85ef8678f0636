// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/real/jitter.hpp"

#include <string_view>
#include <thread>

namespace ordeal {

namespace {

struct thread_state {
    std::uint64_t random = 0;  // 0: no delays
    thread_position* where = nullptr;
};

thread_local thread_state self;
std::span<const order_override> overrides_in_force;

void spin(unsigned rounds) noexcept {
    for (unsigned i = 0; i < rounds; ++i) {
        // Keeps the compiler from removing the loop; no memory operation.
        asm volatile("" :::);  // NOLINT
    }
}

std::memory_order to_std(order value) noexcept {
    switch (value) {
        case order::relaxed: return std::memory_order_relaxed;
        case order::acquire: return std::memory_order_acquire;
        case order::release: return std::memory_order_release;
        case order::acq_rel: return std::memory_order_acq_rel;
        case order::seq_cst: break;
    }
    return std::memory_order_seq_cst;
}

}  // namespace

void jitter::begin(std::uint64_t seed, thread_position* where) noexcept {
    self = {seed | 1, where};
    for (int i = 0; i < 4; ++i) (void)draw();
}

void jitter::end() noexcept { self = {}; }

std::uint64_t jitter::draw() noexcept {  // xorshift64*
    self.random ^= self.random >> 12;
    self.random ^= self.random << 25;
    self.random ^= self.random >> 27;
    return self.random * 0x2545f4914f6cdd1du;
}

void jitter::before(const std::source_location& at) noexcept {
    if (self.random == 0) return;
    // std::lock_guard calls lock() from a system header; the previous position says more.
    if (self.where != nullptr && !std::string_view(at.file_name()).starts_with("/usr/")) {
        self.where->file.store(at.file_name(), std::memory_order_relaxed);
        self.where->line.store(at.line(), std::memory_order_relaxed);
    }
    // Most operations run at full speed; some wait long enough for another to interleave; few yield.
    const std::uint64_t number = draw() >> 32;
    if (number % 8 == 0) {
        spin(static_cast<unsigned>(number >> 8) % 256);
    } else if (number % 128 == 1) {
        std::this_thread::yield();
    }
}

void jitter::set_overrides(std::span<const order_override> overrides) noexcept { overrides_in_force = overrides; }

std::memory_order jitter::effective(const std::source_location& at, role what, std::memory_order declared) noexcept {
    for (const order_override& candidate : overrides_in_force) {
        const site_key& key = candidate.site;
        if (key.line == at.line() && key.column == at.column() && key.what == what &&
            key.file == std::string_view(at.file_name()) &&
            (!candidate.declared || *candidate.declared == from_std(declared))) {
            return to_std(candidate.replacement);
        }
    }
    return declared;
}

}  // namespace ordeal
