// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/threads/threads.hpp"

#include <pthread.h>
#include <sched.h>

namespace ordeal::detail {

void pin_to_processor(std::thread& thread, std::size_t index) noexcept {
    cpu_set_t available;
    CPU_ZERO(&available);
    if (sched_getaffinity(0, sizeof(available), &available) != 0) return;
    const int count = CPU_COUNT(&available);
    if (count < 2) return;
    int skip = static_cast<int>(index % static_cast<std::size_t>(count));
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &available) || skip-- != 0) continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        (void)pthread_setaffinity_np(thread.native_handle(), sizeof(one), &one);  // useful, but not required
        return;
    }
}

}  // namespace ordeal::detail
