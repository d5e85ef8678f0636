/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For C and C++ alike.
 */
#pragma once

#include "ordeal/unique_name.h"

/// Registers a scenario of one thread, `main`, which creates further threads itself: ORDEAL_TRIAL does it, before main.
/// `trial` is the name of the trial, as ordeal_add_trial() has it, and the subject of a name without '/'. `run` gets
/// nothing of use.
#ifdef __cplusplus
extern "C" {
#endif
void ordeal_register_trial(const char* name, const char* trial, void (*run)(void* object, int thread));
/// The same on real threads, in a program of a suite.
void ordeal_register_native_trial(const char* name, const char* trial, void (*run)(void* object, int thread));
#ifdef __cplusplus
}
#endif

/* Until here it says that this source is compiled as a trial: `#ifdef ORDEAL_TRIAL` still does. */
#undef ORDEAL_TRIAL

/// ORDEAL_TRIAL("queue/push_against_pop") { ... }: a function that uses code on trial as a program would, and the
/// scenario of that name. It creates threads, and states what must be true by assert() or ordeal::require(). There may
/// be as many as one likes, in each source. The subject, which an audit is of, is the part of the name before '/';
/// without one it is the name of the trial. Two of one name are an error.
///
/// In sources of ordeal_add_trial(), ordeal_add_suite() and `ordeal try`, in C and in C++.
#define ORDEAL_TRIAL(name) ORDEAL_TRIAL_FUNCTION(name, ORDEAL_JOINED(ordeal_trial_, __COUNTER__))

#ifdef ORDEAL_NATIVE
#define ORDEAL_REGISTER_TRIAL ordeal_register_native_trial
#else
#define ORDEAL_REGISTER_TRIAL ordeal_register_trial
#endif

#ifdef ORDEAL_TRIAL_NAME
#define ORDEAL_TRIAL_FUNCTION(name, function) \
    ORDEAL_COUNTER_BEGIN static void function(void* ordeal_object, int ordeal_thread); \
    __attribute__((constructor)) static void ORDEAL_JOINED(function, _registers)(void) { \
        ORDEAL_REGISTER_TRIAL(name, ORDEAL_TRIAL_NAME, &function); \
    } \
    ORDEAL_COUNTER_END static void function(__attribute__((unused)) void* ordeal_object, \
                                            __attribute__((unused)) int ordeal_thread)
#elif defined(__cplusplus)
#define ORDEAL_TRIAL_FUNCTION(name, function) \
    static_assert(false, "ordeal: ORDEAL_TRIAL is for sources that ordeal_add_trial() or `ordeal try` compiles"); \
    static void function()
#else
#define ORDEAL_TRIAL_FUNCTION(name, function) \
    _Static_assert(0, "ordeal: ORDEAL_TRIAL is for sources that ordeal_add_trial() or `ordeal try` compiles"); \
    static void function(void)
#endif
