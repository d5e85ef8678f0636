// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/global_state.hpp"

#include "ordeal/instrumented/static_memory.hpp"
#include "ordeal/instrumented/trial_modules.hpp"
#include "ordeal/model/fingerprint.hpp"
#include "ordeal/model/kept_bytes.hpp"
#include "ordeal/model/model_clock.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <system_error>
#include <vector>

namespace ordeal {

namespace {

// Pages that are adjacent. Their copies are, too.
struct region {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::size_t first_page = 0;
};

struct written_page {
    std::uintptr_t address = 0;
    std::byte* copy = nullptr;
};

struct pages {
    std::uintptr_t page_size = 0;
    std::vector<region> regions;
    std::byte* copies = nullptr;
    // Filled by a signal handler, which cannot allocate.
    written_page* written = nullptr;
    std::size_t written_count = 0;
    bool* is_written = nullptr;

    [[nodiscard]] std::span<const written_page> all_written() const noexcept { return {written, written_count}; }
};

pages& state() {
    static pages instance;
    return instance;
}

std::uintptr_t down_to_page(std::uintptr_t address) noexcept { return address & ~(state().page_size - 1); }
std::uintptr_t up_to_page(std::uintptr_t address) noexcept { return down_to_page(address + state().page_size - 1); }

void add_region(std::uintptr_t begin, std::uintptr_t end) {
    if (begin < end) state().regions.push_back({begin, end, 0});
}

// What the loader has protected after relocation is constant. It comes first in its segment.
void add_module(const dl_phdr_info& module) {
    std::uintptr_t constant_begin = 0;
    std::uintptr_t constant_end = 0;
    for (const ElfW(Phdr) & each : headers_of(module)) {
        if (each.p_type != PT_GNU_RELRO) continue;
        constant_begin = down_to_page(module.dlpi_addr + each.p_vaddr);
        constant_end = down_to_page(module.dlpi_addr + each.p_vaddr + each.p_memsz);
    }
    for (const ElfW(Phdr) & each : headers_of(module)) {
        if (each.p_type != PT_LOAD || (each.p_flags & PF_W) == 0) continue;
        std::uintptr_t begin = down_to_page(module.dlpi_addr + each.p_vaddr);
        if (begin >= constant_begin && begin < constant_end) begin = constant_end;
        add_region(begin, up_to_page(module.dlpi_addr + each.p_vaddr + each.p_memsz));
    }
}

template <class T>
T* reserve(std::size_t count) {
    void* const got =
        ::mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "no memory for copies of globals");
    return static_cast<T*>(got);
}

const region* region_of(std::uintptr_t address) noexcept {
    for (const region& each : state().regions) {
        if (address - each.begin < each.end - each.begin) return &each;
    }
    return nullptr;
}

// What runs after main may write them, and be it that a search was made in this process itself.
void end_protection() {
    global_state::restore();
    for (const region& each : state().regions) {
        (void)::mprotect(reinterpret_cast<void*>(each.begin), each.end - each.begin, PROT_READ | PROT_WRITE);
    }
}

}  // namespace

void global_state::begin_search() {
    pages& all = state();
    if (all.page_size != 0) return restore();
    all.page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    for_each_trial_module(add_module);
    const memory_range of_constructors = static_memory::seal();
    add_region(of_constructors.address, of_constructors.address + of_constructors.size);
    std::size_t count = 0;
    for (region& each : all.regions) {
        each.first_page = count;
        count += (each.end - each.begin) / all.page_size;
    }
    if (count == 0) return;
    all.copies = reserve<std::byte>(count * all.page_size);
    all.written = reserve<written_page>(count);
    all.is_written = reserve<bool>(count);
    (void)std::atexit(end_protection);
    for (const region& each : all.regions) {
        if (::mprotect(reinterpret_cast<void*>(each.begin), each.end - each.begin, PROT_READ) != 0) {
            throw std::system_error(errno, std::generic_category(), "cannot protect globals");
        }
    }
}

void global_state::restore() noexcept {
    const std::size_t size = state().page_size;
    for (const written_page& each : state().all_written()) {
        std::memcpy(reinterpret_cast<void*>(each.address), each.copy, size);
    }
}

// Pages that are written for the first time later are as at the beginning.
void global_state::keep(kept_bytes& to) {
    to.put(state().written_count);
    for (const written_page& each : state().all_written()) to.put(memory_range{each.address, state().page_size});
}

void global_state::put_back(kept_bytes& from) {
    std::size_t count = 0;
    from.take(count);
    for (const written_page& each : state().all_written()) {
        if (count != 0) {
            --count;
            from.take(memory_range{each.address, state().page_size});
        } else {
            std::memcpy(reinterpret_cast<void*>(each.address), each.copy, state().page_size);
        }
    }
}

bool global_state::handle_fault(std::uintptr_t address) noexcept {
    const region* const inside = region_of(address);
    if (inside == nullptr) return false;
    pages& all = state();
    const std::uintptr_t page = down_to_page(address);
    const std::size_t index = inside->first_page + (page - inside->begin) / all.page_size;
    if (all.is_written[index]) return false;  // NOLINT(clang-analyzer-core.NullDereference): there is a region
    std::byte* const copy = all.copies + index * all.page_size;
    std::memcpy(copy, reinterpret_cast<const void*>(page), all.page_size);
    if (::mprotect(reinterpret_cast<void*>(page), all.page_size, PROT_READ | PROT_WRITE) != 0) return false;
    all.is_written[index] = true;
    all.written[all.written_count++] = {page, copy};
    return true;
}

std::vector<memory_range> global_state::written() {
    std::vector<memory_range> result;
    for (const written_page& each : state().all_written()) result.push_back({each.address, state().page_size});
    return result;
}

std::uint64_t global_state::fingerprint() noexcept {
    std::uint64_t hash = 0;
    for (const written_page& each : state().all_written()) {
        hash = hash_of_bytes(each.address, state().page_size, hash);
    }
    return hash;
}

bool global_state::holds_time() noexcept {
    constexpr std::size_t word = sizeof(std::uint64_t);
    for (const written_page& each : state().all_written()) {
        const auto* const now = reinterpret_cast<const unsigned char*>(each.address);
        const auto* const before = reinterpret_cast<const unsigned char*>(each.copy);
        for (std::size_t at = 0; at < state().page_size; at += word) {
            // What has always been there is none of the model's.
            if (std::memcmp(now + at, before + at, word) == 0) continue;
            if (model_clock::in_memory(each.address + at, word, false)) return true;
        }
    }
    return false;
}

bool global_state::contains(std::uintptr_t address) noexcept { return region_of(address) != nullptr; }

}  // namespace ordeal
