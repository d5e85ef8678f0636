// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The policy for which a source with scenarios is compiled. ORDEAL_TRIAL: as code on trial, whose accesses are all
// instrumented, so that it needs no policy. With ORDEAL_NATIVE as well: the same scenarios, as they ship, on real
// threads.
#if defined(ORDEAL_NATIVE)
#include "ordeal/real/jitter_policy.hpp"
#elif defined(ORDEAL_TRIAL)
#include "ordeal/policy/std_policy.hpp"
#else
#include "ordeal/real/jitter_policy.hpp"
#include "ordeal/runtime/policy/model_policy.hpp"
#endif

namespace ordeal::detail {

#if defined(ORDEAL_NATIVE)
using policy_on_trial = jitter_policy;
inline constexpr bool on_real_threads = true;
#elif defined(ORDEAL_TRIAL)
using policy_on_trial = std_policy;
inline constexpr bool on_real_threads = false;
#endif

}  // namespace ordeal::detail
