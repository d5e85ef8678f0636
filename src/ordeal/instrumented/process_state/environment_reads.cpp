// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/process_state/library_state.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>

namespace ordeal::detail {

namespace {

// In memory shared by all processes of a search, as each may reach other reads.
struct names_read {
    std::atomic<std::size_t> used;  // zeros are an empty list
    char names[(std::size_t{1} << 16) - sizeof(used)];
};

names_read* list() noexcept {
    static names_read* const instance = [] {
        void* const got = mmap(nullptr, sizeof(names_read), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        return got == MAP_FAILED ? nullptr : static_cast<names_read*>(got);
    }();
    return instance;
}
// Before main, and so before any process is forked.
[[maybe_unused]] const bool made = list() != nullptr;

std::size_t size_of(const names_read& all) noexcept { return std::min(all.used.load(), sizeof(all.names)); }

// Names are terminated by zeros. Another process may be writing one concurrently, which is then listed twice.
bool has(const names_read& all, std::string_view name) noexcept {
    const char* const end = all.names + size_of(all);
    for (const char* each = all.names; each < end;) {
        const std::size_t length = strnlen(each, static_cast<std::size_t>(end - each));
        if (std::string_view(each, length) == name) return true;
        each += length + 1;
    }
    return false;
}

}  // namespace

void note_environment_read(std::string_view name) noexcept {
    names_read* const all = list();
    if (all == nullptr || name.empty() || has(*all, name)) return;
    const std::size_t begin = all->used.fetch_add(name.size() + 1);
    if (begin > sizeof(all->names) || sizeof(all->names) - begin < name.size() + 1) {
        all->used = sizeof(all->names) + 1;
        return;
    }
    std::memcpy(all->names + begin, name.data(), name.size());
}

std::vector<std::string> environment_reads() {
    names_read* const all = list();
    if (all == nullptr || all->used > sizeof(all->names)) return {"*"};
    std::vector<std::string> result;
    const char* const end = all->names + size_of(*all);
    for (const char* each = all->names; each < end;) {
        const std::size_t length = strnlen(each, static_cast<std::size_t>(end - each));
        if (length > 0) result.emplace_back(each, length);
        each += length + 1;
    }
    std::ranges::sort(result);
    result.erase(std::ranges::unique(result).begin(), result.end());
    return result;
}

}  // namespace ordeal::detail
