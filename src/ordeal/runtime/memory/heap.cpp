// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/runtime/memory/heap.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/runtime/memory/coroutine_frames.hpp"
#include "ordeal/runtime/per_thread.hpp"
#include "ordeal/runtime/state/fingerprint.hpp"
#include "ordeal/runtime/state/hash.hpp"
#include "ordeal/runtime/state/virtual_time.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <vector>

namespace ordeal::detail {

namespace {

constexpr std::size_t arena_size = std::size_t{256} << 20;
constexpr std::size_t storage_size = heap::most_for_scenario;
// More than any machine has. A failure of a smaller allocation that does not fit here says nothing of the code.
constexpr std::size_t nowhere_to_be_had = std::size_t{1} << 40;
constexpr std::size_t minimum_alignment = 16;
constexpr std::size_t gap = 16;  // an overrun must not reach the next block
// Far from any address that the kernel chooses; fixed, so that a replay has the addresses of the search.
constexpr std::uintptr_t preferred_base = 0x2000'0000'0000;

struct block {
    std::uintptr_t address = 0;
    std::size_t size = 0;
    bool live = false;
    bool reachable = false;  // from a global, determined at the end
    allocation_form form;
};

struct arena {
    std::size_t filled = 0;     // bytes from its beginning
    std::vector<block> blocks;  // by address, because addresses only grow
    unsigned fail_in = 0;       // allocations until the injected failure; 0: none

    void clear() noexcept {
        filled = 0;
        blocks.clear();
        fail_in = 0;
    }
};

struct heap_state {
    std::uintptr_t base = 0;
    std::size_t scenario_size = 0;
    per_thread<arena> arenas;

    heap_state() {
        void* const got =
            ::mmap(reinterpret_cast<void*>(preferred_base), thread_slots * arena_size + storage_size,
                   PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (got == MAP_FAILED) {
            throw std::system_error(
                errno, std::generic_category(),
                "no room for what the code on trial allocates (is there a limit, as of ulimit -v?)");
        }
        base = reinterpret_cast<std::uintptr_t>(got);
    }

    [[nodiscard]] std::uintptr_t beginning_of(std::size_t slot) const noexcept {
        return base + storage_size + slot * arena_size;
    }
    [[nodiscard]] memory_range filled_of(std::size_t slot) const noexcept {
        return {beginning_of(slot), arenas.at(slot).filled};
    }
};

heap_state& state() {
    static heap_state instance;
    return instance;
}

// The block that contains `address`, or null.
block* find_block(std::uintptr_t address) noexcept {
    heap_state& all = state();
    if (address < all.base + storage_size) return nullptr;
    const std::size_t index = (address - all.base - storage_size) / arena_size;
    if (index >= all.arenas.used().size()) return nullptr;
    auto& blocks = all.arenas[index].blocks;
    auto after = std::ranges::upper_bound(blocks, address, {}, &block::address);
    if (after == blocks.begin()) return nullptr;
    block& candidate = *--after;
    return address < candidate.address + std::max<std::size_t>(candidate.size, 1) ? &candidate : nullptr;
}

void mark_reachable(std::span<const memory_range> roots) {
    std::vector<memory_range> open(roots.begin(), roots.end());
    while (!open.empty()) {
        const memory_range next = open.back();
        open.pop_back();
        const std::uintptr_t first = (next.address + sizeof(void*) - 1) & ~(sizeof(void*) - 1);
        for (std::uintptr_t at = first; at + sizeof(void*) <= next.address + next.size; at += sizeof(void*)) {
            block* const found = find_block(*reinterpret_cast<const std::uintptr_t*>(at));
            if (found == nullptr || !found->live || found->reachable) continue;
            found->reachable = true;
            open.push_back({found->address, found->size});
        }
    }
}

// Makes a freed block allocated again. A coroutine frame in it is forgotten.
void* hand_out_again(std::uintptr_t address, std::size_t size, allocation_form form) noexcept {
    block* const again = find_block(address);
    if (again == nullptr || again->live || again->address != address) std::abort();
    again->size = size;
    again->live = true;
    again->form = form;
    void* const memory = reinterpret_cast<void*>(address);
    forget_frame(memory);
    std::memset(memory, heap::fill, size);
    current_runtime().allocated({address, size});
    return memory;
}

// A full arena says nothing of the code on trial.
void* no_room() noexcept {
    if (instrumented_runtime* const known = detail::active_instrumented_runtime) {
        known->refuse("that a thread allocates more than " + std::to_string(arena_size >> 20U) + " MB in an execution",
                      no_site);
    }
    return nullptr;
}

bool failure_due(arena& from) noexcept { return from.fail_in != 0 && --from.fail_in == 0; }

}  // namespace

void heap::reset() noexcept { state().arenas.clear(); }

void heap::save(snapshot& to) {
    const heap_state& all = state();
    to.put(memory_range{all.base, all.scenario_size});
    to.put(all.arenas.used().size());
    for (std::size_t slot = 0; slot < all.arenas.used().size(); ++slot) {
        const arena& each = all.arenas.at(slot);
        to.put(each.filled);
        to.put(each.fail_in);
        if (each.filled == 0) continue;
        to.put(each.blocks);
        to.put(all.filled_of(slot));
    }
}

void heap::restore(snapshot& from) {
    heap_state& all = state();
    from.take(memory_range{all.base, all.scenario_size});
    all.arenas.clear();
    std::size_t count = 0;
    from.take(count);
    for (std::size_t slot = 0; slot < count; ++slot) {
        arena& each = all.arenas[slot];
        from.take(each.filled);
        from.take(each.fail_in);
        if (each.filled == 0) continue;
        from.take(each.blocks);
        from.take(all.filled_of(slot));
    }
}

void* heap::scenario_storage(std::size_t size, std::size_t alignment) {
    if (size > storage_size || alignment > 4096) std::abort();
    state().scenario_size = size;
    return reinterpret_cast<void*>(state().base);
}

// A block and the gap after it take at least this much.
std::size_t heap::size_class(std::size_t size) noexcept {
    return (size + minimum_alignment - 1) & ~(minimum_alignment - 1);
}

void* heap::allocate(std::size_t size, std::size_t alignment, allocation_form form) noexcept {
    heap_state& all = state();
    const std::size_t slot = thread_slot(ordeal::current_runtime());
    arena& from = all.arenas[slot];
    if (failure_due(from)) return nullptr;
    alignment = std::max(alignment, minimum_alignment);
    if (size >= nowhere_to_be_had) return nullptr;
    if (size > arena_size) return no_room();
    if (const std::uintptr_t again = current_runtime().freed_before(size_class(size), alignment); again != 0) {
        // A block of a constructor of a global is not on the heap. The caller has to allocate it again.
        return contains(reinterpret_cast<const void*>(again)) ? hand_out_again(again, size, form)
                                                              : reinterpret_cast<void*>(again);
    }
    const std::uintptr_t begin = all.beginning_of(slot);
    const std::uintptr_t address = (begin + from.filled + alignment - 1) & ~(std::uintptr_t{alignment} - 1);
    if (address + size + gap > begin + arena_size) return no_room();
    from.filled = address + size + gap - begin;
    {
        const harness_scope harness;
        from.blocks.push_back({address, size, true, false, form});
    }
    // Hides what an earlier execution left here.
    std::memset(reinterpret_cast<void*>(address), fill, size);
    current_runtime().allocated({address, size});
    return reinterpret_cast<void*>(address);
}

void heap::deallocate(void* memory, allocation_form form, std::size_t size) noexcept {
    if (memory == nullptr) return;
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    block* const found = find_block(address);
    if (found == nullptr || found->address != address) {
        current_runtime().fail(violation_kind::double_free, "an address is freed that was never allocated", no_site);
    }
    if (!found->live)
        current_runtime().fail(violation_kind::double_free, "a block is freed twice", no_site,
                               {found->address, found->size});
    if (const char* const wrong = mismatch(found->form, found->size, form, size)) {
        current_runtime().fail(violation_kind::precondition, wrong, no_site, {found->address, found->size});
    }
    found->live = false;
    current_runtime().freed({found->address, found->size});
    std::memset(memory, 0xdd, found->size);
}

std::size_t heap::size_of(const void* block) noexcept {
    const auto* const found = find_block(reinterpret_cast<std::uintptr_t>(block));
    return found == nullptr ? 0 : found->size;
}

memory_range heap::region() noexcept { return {state().base, storage_size + thread_slots * arena_size}; }

bool heap::contains(const void* address) noexcept {
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    return value >= preferred_base && value < preferred_base + storage_size + thread_slots * arena_size;
}

std::optional<heap::arena_position> heap::owner_of(std::uintptr_t address) noexcept {
    const std::uintptr_t offset = address - state().base - storage_size;
    if (offset >= thread_slots * arena_size) return std::nullopt;
    return arena_position{static_cast<int>(offset / arena_size) - 1, offset % arena_size};
}

std::string heap::describe(std::uintptr_t address) {
    const heap_state& all = state();
    if (!contains(reinterpret_cast<const void*>(address))) return {};
    if (address < all.base + storage_size) {
        return "byte " + std::to_string(address - all.base) + " of the scenario object";
    }
    const block* const found = find_block(address);
    if (found == nullptr) return "memory beside every block";
    return "byte " + std::to_string(address - found->address) + " of a block of " + std::to_string(found->size) +
           " bytes";
}

bool heap::freed(std::uintptr_t address) noexcept {
    const block* const found = find_block(address);
    return found != nullptr && !found->live;
}

std::uint64_t heap::fingerprint() noexcept {
    const heap_state& all = state();
    std::uint64_t hash = fingerprint_of_bytes(all.base, all.scenario_size, 0);
    for (std::size_t slot = 0; slot < all.arenas.used().size(); ++slot) {
        const arena& each = all.arenas.at(slot);
        // An injected failure that has happened is a difference, too.
        if (each.fail_in != 0) hash = hash_of_number(each.fail_in, hash + slot);
        for (const block& candidate : each.blocks) {
            if (candidate.live) hash = fingerprint_of_bytes(candidate.address, candidate.size, hash + slot);
        }
    }
    return hash;
}

bool heap::holds_time() noexcept {
    const heap_state& all = state();
    if (virtual_time::in_memory(all.base, all.scenario_size, false)) return true;
    return std::ranges::any_of(all.arenas.used(), [](const arena& each) {
        return std::ranges::any_of(each.blocks, [](const block& candidate) {
            return candidate.live && virtual_time::in_memory(candidate.address, candidate.size, false);
        });
    });
}

std::string heap::describe_leaks(std::span<const memory_range> roots) {
    if (!roots.empty()) mark_reachable(roots);
    std::size_t count = 0;
    std::size_t bytes = 0;
    std::size_t frames = 0;
    for (const arena& each : state().arenas.used()) {
        for (const block& candidate : each.blocks) {
            if (!candidate.live || candidate.reachable) continue;
            ++count;
            bytes += candidate.size;
            if (is_frame(reinterpret_cast<const void*>(candidate.address))) ++frames;
        }
    }
    if (count == 0) return {};
    std::string text = std::to_string(count) + (count == 1 ? " block" : " blocks") + " never freed, " +
                       std::to_string(bytes) + " bytes";
    if (frames != 0) {
        text += frames == 1 ? ", one a coroutine frame never destroyed"
                            : ", " + std::to_string(frames) + " of them coroutine frames never destroyed";
    }
    return text;
}

std::vector<memory_range> heap::live_blocks() {
    std::vector<memory_range> result;
    for (const arena& each : state().arenas.used()) {
        for (const block& candidate : each.blocks) {
            if (candidate.live) result.push_back({candidate.address, candidate.size});
        }
    }
    return result;
}

void heap::begin_thread(int thread) noexcept { state().arenas[static_cast<std::size_t>(thread) + 1].fail_in = 0; }

void heap::fail_allocation(unsigned n) noexcept { state().arenas[thread_slot(current_runtime())].fail_in = n; }

}  // namespace ordeal::detail
