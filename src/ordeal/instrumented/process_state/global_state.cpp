// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/process_state/global_state.hpp"

#include "ordeal/instrumented/process_state/library_state.hpp"
#include "ordeal/instrumented/process_state/static_memory.hpp"
#include "ordeal/runtime/snapshot.hpp"
#include "ordeal/runtime/state/fingerprint.hpp"
#include "ordeal/runtime/state/virtual_time.hpp"
#include "ordeal/symbols/loaded_modules.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <span>
#include <system_error>

namespace ordeal::detail {

namespace {

// Adjacent pages, whose copies are adjacent too.
struct region {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::size_t first_page = 0;
    bool of_library = false;  // libstdc++'s
};

struct written_page {
    std::uintptr_t address = 0;
    std::byte* copy = nullptr;
    bool of_library = false;
};

// A variable of libstdc++ that the linker has copied into the program, among the harness's variables.
struct moved_variable {
    memory_range where;
    std::vector<std::byte> copy;
};

struct pages {
    std::uintptr_t page_size = 0;
    std::vector<region> regions;
    std::byte* copies = nullptr;
    // Filled by a signal handler, which cannot allocate.
    written_page* written = nullptr;
    std::size_t written_count = 0;
    bool* is_written = nullptr;
    std::vector<moved_variable> moved;

    [[nodiscard]] std::span<const written_page> all_written() const noexcept { return {written, written_count}; }
};

pages& state() {
    static pages instance;
    return instance;
}

std::uintptr_t down_to_page(std::uintptr_t address) noexcept { return address & ~(state().page_size - 1); }
std::uintptr_t up_to_page(std::uintptr_t address) noexcept { return down_to_page(address + state().page_size - 1); }

void add_region(std::uintptr_t begin, std::uintptr_t end, bool of_library = false) {
    if (begin < end) state().regions.push_back({begin, end, 0, of_library});
}

// Memory that the loader has protected after relocation is constant. It comes first in its segment.
void add_segments(const dl_phdr_info& module, bool of_library) {
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
        add_region(begin, up_to_page(module.dlpi_addr + each.p_vaddr + each.p_memsz), of_library);
    }
}

void add_module(const dl_phdr_info& module) { add_segments(module, false); }

const region* region_of(std::uintptr_t address) noexcept {
    for (const region& each : state().regions) {
        if (address - each.begin < each.end - each.begin) return &each;
    }
    return nullptr;
}

bool contains_code(const dl_phdr_info& module, std::uintptr_t address) {
    return std::ranges::any_of(headers_of(module), [&](const ElfW(Phdr) & each) {
        return each.p_type == PT_LOAD && address - (module.dlpi_addr + each.p_vaddr) < each.p_memsz;
    });
}

// Streams, handlers, the global locale, the default memory resource: what libstdc++ allocates for them while code on
// trial runs is on the heap on trial, so that its variables can be restored together with it. The C library's variables
// are not included: malloc and streams are also used by the harness.
void add_library() {
    const auto code = reinterpret_cast<std::uintptr_t>(::dlsym(RTLD_DEFAULT, "_ZNSt6locale6globalERKS_"));
    if (code == 0 || is_in_program(code)) return;
    const auto look_at = [](dl_phdr_info* module, std::size_t /*size*/, void* address) {
        if (contains_code(*module, *static_cast<std::uintptr_t*>(address))) add_segments(*module, true);
        return 0;
    };
    auto address = code;
    ::dl_iterate_phdr(look_at, &address);
}

// Not by name, as the linker would then copy them into the program.
void add_moved_streams() {
    struct stream {
        const char* symbol;
        std::size_t size;
    };
    constexpr std::array<stream, 8> all{{{"_ZSt3cin", sizeof(std::istream)},
                                         {"_ZSt4cout", sizeof(std::ostream)},
                                         {"_ZSt4cerr", sizeof(std::ostream)},
                                         {"_ZSt4clog", sizeof(std::ostream)},
                                         {"_ZSt4wcin", sizeof(std::wistream)},
                                         {"_ZSt5wcout", sizeof(std::wostream)},
                                         {"_ZSt5wcerr", sizeof(std::wostream)},
                                         {"_ZSt5wclog", sizeof(std::wostream)}}};
    state().moved.clear();
    for (const stream& each : all) {
        const auto address = reinterpret_cast<std::uintptr_t>(::dlsym(RTLD_DEFAULT, each.symbol));
        if (address == 0 || region_of(address) != nullptr) continue;
        const auto* const bytes = reinterpret_cast<const std::byte*>(address);
        state().moved.push_back({{address, each.size}, {bytes, bytes + each.size}});
    }
}

void restore_moved() noexcept {
    for (const moved_variable& each : state().moved) {
        std::memcpy(reinterpret_cast<void*>(each.where.address), each.copy.data(), each.where.size);
    }
}

template <class T>
T* reserve(std::size_t count) {
    const std::size_t size =
        std::max<std::size_t>(count * sizeof(T), 1);  // there is at least one page, which a reader cannot know
    void* const got = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "no memory for copies of globals");
    return static_cast<T*>(got);
}

bool set_access(const region& where, int access) noexcept {
    return ::mprotect(reinterpret_cast<void*>(where.begin), where.end - where.begin, access) == 0;
}

void protect(const region& where) {
    if (set_access(where, PROT_READ)) return;
    throw std::system_error(errno, std::generic_category(), "cannot protect globals");
}

// In a process that has searched before. The harness may have used libstdc++ since.
void begin_again() {
    global_state::begin_execution();
    for (const region& each : state().regions) {
        if (each.of_library) protect(each);
    }
    add_moved_streams();
}

// Code that runs after main may write them, even if a search was made in this process.
void end_protection() {
    global_state::end_search();
    for (const region& each : state().regions) (void)set_access(each, PROT_READ | PROT_WRITE);
}

}  // namespace

void global_state::begin_search() {
    pages& all = state();
    if (all.page_size != 0) return begin_again();
    all.page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    for_each_trial_module(add_module);
    if (!all.regions.empty()) reserve_library_results();
    const memory_range of_constructors = static_memory::seal();
    add_region(of_constructors.address, of_constructors.address + of_constructors.size);
    if (all.regions.empty()) return;
    add_library();
    add_moved_streams();
    std::size_t count = 0;
    for (region& each : all.regions) {
        each.first_page = count;
        count += (each.end - each.begin) / all.page_size;
    }
    all.copies = reserve<std::byte>(count * all.page_size);
    all.written = reserve<written_page>(count);
    all.is_written = reserve<bool>(count);
    (void)std::atexit(end_protection);
    for (const region& each : all.regions) protect(each);
}

void global_state::end_search() noexcept {
    begin_execution();
    pages& all = state();
    for (const region& each : all.regions) {
        if (!each.of_library) continue;
        (void)set_access(each, PROT_READ | PROT_WRITE);
        std::fill_n(all.is_written + each.first_page, (each.end - each.begin) / all.page_size, false);
    }
    all.written_count =
        static_cast<std::size_t>(std::remove_if(all.written, all.written + all.written_count,
                                                [](const written_page& each) { return each.of_library; }) -
                                 all.written);
    all.moved.clear();
}

void global_state::begin_execution() noexcept {
    const std::size_t size = state().page_size;
    for (const written_page& each : state().all_written()) {
        std::memcpy(reinterpret_cast<void*>(each.address), each.copy, size);
    }
    restore_moved();
}

// Pages first written later have their initial contents.
void global_state::save(snapshot& to) {
    to.put(state().written_count);
    for (const written_page& each : state().all_written()) to.put(memory_range{each.address, state().page_size});
    for (const moved_variable& each : state().moved) to.put(each.where);
}

void global_state::restore(snapshot& from) {
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
    for (const moved_variable& each : state().moved) from.take(each.where);
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
    all.written[all.written_count++] = {page, copy, inside->of_library};
    return true;
}

void global_state::make_writable(memory_range where) noexcept {
    const region* const inside = region_of(where.address);
    if (inside == nullptr || where.size == 0) return;
    const std::uintptr_t end = where.address + std::min(where.size, inside->end - where.address);
    for (std::uintptr_t page = down_to_page(where.address); page < end; page += state().page_size) {
        (void)handle_fault(page);  // false if it is already written
    }
}

std::vector<memory_range> global_state::written() {
    std::vector<memory_range> result;
    for (const written_page& each : state().all_written()) result.push_back({each.address, state().page_size});
    return result;
}

std::uint64_t global_state::fingerprint() noexcept {
    std::uint64_t hash = 0;
    for (const written_page& each : state().all_written())
        hash = fingerprint_of_bytes(each.address, state().page_size, hash);
    for (const moved_variable& each : state().moved)
        hash = fingerprint_of_bytes(each.where.address, each.where.size, hash);
    return hash;
}

bool global_state::holds_time() noexcept {
    constexpr std::size_t word = sizeof(std::uint64_t);
    for (const written_page& each : state().all_written()) {
        const auto* const now = reinterpret_cast<const unsigned char*>(each.address);
        const auto* const before = reinterpret_cast<const unsigned char*>(each.copy);
        for (std::size_t at = 0; at < state().page_size; at += word) {
            // Unchanged initial values are not the model's.
            if (std::memcmp(now + at, before + at, word) == 0) continue;
            if (virtual_time::in_memory(each.address + at, word, false)) return true;
        }
    }
    return false;
}

bool global_state::contains(std::uintptr_t address) noexcept { return region_of(address) != nullptr; }

}  // namespace ordeal::detail
