// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// relacy.hpp for suites that call `std` with `$`: x($).store(1), m.lock($). The names below are then those of classes
// that are derived from std's. All that the standard library has is included before, as it must not see the macros.
#pragma once

#include <bits/stdc++.h>

#include "relacy/relacy.hpp"

namespace rl {
template <class T>
using atomic_in_std = atomic<T>;
using mutex_in_std = mutex;
using recursive_mutex_in_std = recursive_mutex;
using condition_variable_in_std = condition_variable;
using condition_variable_any_in_std = condition_variable_any;
}  // namespace rl

namespace std {  // NOLINT(cert-dcl58-cpp): it is what Relacy does
using rl::atomic_in_std;
using rl::condition_variable_any_in_std;
using rl::condition_variable_in_std;
using rl::mo_acq_rel;
using rl::mo_acquire;
using rl::mo_consume;
using rl::mo_relaxed;
using rl::mo_release;
using rl::mo_seq_cst;
using rl::mutex_in_std;
using rl::recursive_mutex_in_std;
inline void atomic_thread_fence(memory_order order, rl::debug_info_param) { atomic_thread_fence(order); }
inline void atomic_signal_fence(memory_order order, rl::debug_info_param) { atomic_signal_fence(order); }
}  // namespace std

// NOLINTBEGIN(cppcoreguidelines-macro-usage)
#define atomic atomic_in_std
#define mutex mutex_in_std
#define recursive_mutex recursive_mutex_in_std
#define condition_variable condition_variable_in_std
#define condition_variable_any condition_variable_any_in_std
// NOLINTEND(cppcoreguidelines-macro-usage)
