// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <pthread.h>
#include <threads.h>

#include <cerrno>

namespace ordeal::detail {

// The threads, locks, conditions and keys of <threads.h> are those of <pthread.h>, as in the C library: each file here
// has both. The definitions for C are weak, because programs bring functions of these names where the C library lacks
// them.

static_assert(sizeof(mtx_t) >= sizeof(pthread_mutex_t) && sizeof(cnd_t) >= sizeof(pthread_cond_t));
static_assert(sizeof(once_flag) == sizeof(pthread_once_t) && sizeof(tss_t) == sizeof(pthread_key_t));

[[nodiscard]] inline pthread_mutex_t* posix_mutex(mtx_t* mutex) noexcept {
    return reinterpret_cast<pthread_mutex_t*>(mutex);
}
[[nodiscard]] inline pthread_cond_t* posix_condition(cnd_t* condition) noexcept {
    return reinterpret_cast<pthread_cond_t*>(condition);
}

/// What a function of <threads.h> returns for the error of the one of <pthread.h>.
[[nodiscard]] inline int c_result(int error) noexcept {
    switch (error) {
        case 0: return thrd_success;
        case EBUSY: return thrd_busy;
        case ENOMEM: return thrd_nomem;
        case ETIMEDOUT: return thrd_timedout;
        default: return thrd_error;
    }
}

}  // namespace ordeal::detail
