// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/process/memory_limit.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace ordeal::detail {

namespace {

constexpr std::uint64_t copies_without_limit = std::uint64_t{256} << 20;
constexpr std::size_t most_processes = 2'048;

struct of_process {
    std::atomic<int> process = 0;
    std::atomic<std::uint64_t> bytes = 0;
};
// In memory shared by the processes.
using table = std::array<of_process, most_processes>;

table* shared = nullptr;
std::uint64_t limit_bytes = 0;
std::uint64_t for_copies = copies_without_limit;

of_process* slot_of(int process) noexcept {
    for (of_process& each : *shared) {
        int nobody = 0;
        if (each.process == process || each.process.compare_exchange_strong(nobody, process)) return &each;
    }
    return nullptr;
}

}  // namespace

// The second number of /proc/self/statm, the resident pages, minus the third, those that are shared or of a file.
std::uint64_t memory_of_this_process() noexcept {
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    std::array<char, 128> text{};
    const ssize_t size = read(file, text.data(), text.size() - 1);
    close(file);
    if (size <= 0) return 0;
    char* next = text.data();
    (void)std::strtoull(next, &next, 10);
    const std::uint64_t resident = std::strtoull(next, &next, 10);
    const std::uint64_t of_files = std::strtoull(next, &next, 10);
    return (resident - std::min(resident, of_files)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void begin_memory_limit(std::uint64_t bytes, unsigned processes) {
    limit_bytes = bytes;
    for_copies = copies_without_limit / std::max(1U, processes);
    if (bytes == 0) return;
    if (shared == nullptr) {
        void* const got = mmap(nullptr, sizeof(table), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (got == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "no memory for a limit");
        shared = static_cast<table*>(got);  // zeros are a table without processes
    }
    for (of_process& each : *shared) {
        each.process = 0;
        each.bytes = 0;
    }
    const std::uint64_t all = std::max(1U, processes);
    const std::uint64_t begun_with = memory_of_this_process() * all;
    for_copies = (bytes - std::min(bytes, begun_with)) / (2 * all);
}

bool beyond_memory_limit() noexcept {
    if (limit_bytes == 0) return false;
    of_process* const mine = slot_of(getpid());
    if (mine == nullptr) return true;
    mine->bytes = memory_of_this_process();
    std::uint64_t sum = 0;
    for (const of_process& each : *shared) {
        if (each.process == 0) break;
        sum += each.bytes;
    }
    return sum > limit_bytes;
}

void forget_memory_of(int process) noexcept {
    if (limit_bytes == 0) return;
    if (of_process* const its = slot_of(process)) its->bytes = 0;
}

std::uint64_t memory_for_snapshots() noexcept { return for_copies; }

}  // namespace ordeal::detail
