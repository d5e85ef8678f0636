// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs tell TSan about themselves, in functions of <sanitizer/tsan_interface.h>. Of a lock it is told when and by
// whom it is taken; here the atomics or the pthread mutex that the lock is made of tell it themselves. What claims an order
// between threads that no operation makes, or switches fibers, is refused.
#include "ordeal/instrumented/compiler_calls.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

void __tsan_acquire(void* /*address*/) { ordeal::refused_on_trial("__tsan_acquire"); }
void __tsan_release(void* /*address*/) { ordeal::refused_on_trial("__tsan_release"); }

void __tsan_mutex_create(void* /*lock*/, unsigned /*flags*/) {}
void __tsan_mutex_destroy(void* /*lock*/, unsigned /*flags*/) {}
void __tsan_mutex_pre_lock(void* /*lock*/, unsigned /*flags*/) {}
void __tsan_mutex_post_lock(void* /*lock*/, unsigned /*flags*/, int /*recursion*/) {}
int __tsan_mutex_pre_unlock(void* /*lock*/, unsigned /*flags*/) { return 0; }
void __tsan_mutex_post_unlock(void* /*lock*/, unsigned /*flags*/) {}
void __tsan_mutex_pre_signal(void* /*lock*/, unsigned /*flags*/) {}
void __tsan_mutex_post_signal(void* /*lock*/, unsigned /*flags*/) {}
void __tsan_mutex_pre_divert(void* /*lock*/, unsigned /*flags*/) {}
void __tsan_mutex_post_divert(void* /*lock*/, unsigned /*flags*/) {}
void __tsan_check_no_mutexes_held() {}

void* __tsan_get_current_fiber() {
    ordeal::refused_on_trial("__tsan_get_current_fiber");
    return nullptr;
}
void* __tsan_create_fiber(unsigned /*flags*/) {
    ordeal::refused_on_trial("__tsan_create_fiber");
    return nullptr;
}
void __tsan_destroy_fiber(void* /*fiber*/) { ordeal::refused_on_trial("__tsan_destroy_fiber"); }
void __tsan_switch_to_fiber(void* /*fiber*/, unsigned /*flags*/) { ordeal::refused_on_trial("__tsan_switch_to_fiber"); }
void __tsan_set_fiber_name(void* /*fiber*/, const char* /*name*/) {}
void __tsan_flush_memory() {}

// The older annotations, which programs declare themselves.

void AnnotateHappensBefore(const char* /*file*/, int /*line*/, const volatile void* /*address*/) {}
void AnnotateHappensAfter(const char* /*file*/, int /*line*/, const volatile void* /*address*/) {}

// A race is one however benign it is called, and whether or not somebody wants to hear of it.
void AnnotateBenignRace(const char* /*file*/, int /*line*/, const volatile void* /*address*/, const char* /*why*/) {}
void AnnotateBenignRaceSized(const char* /*file*/, int /*line*/, const volatile void* /*address*/, long /*size*/,
                             const char* /*why*/) {}
void AnnotateIgnoreReadsBegin(const char* /*file*/, int /*line*/) {}
void AnnotateIgnoreReadsEnd(const char* /*file*/, int /*line*/) {}
void AnnotateIgnoreWritesBegin(const char* /*file*/, int /*line*/) {}
void AnnotateIgnoreWritesEnd(const char* /*file*/, int /*line*/) {}
void AnnotateIgnoreSyncBegin(const char* /*file*/, int /*line*/) {}
void AnnotateIgnoreSyncEnd(const char* /*file*/, int /*line*/) {}
void AnnotateRWLockCreate(const char* /*file*/, int /*line*/, const volatile void* /*lock*/) {}
void AnnotateRWLockDestroy(const char* /*file*/, int /*line*/, const volatile void* /*lock*/) {}
void AnnotateRWLockAcquired(const char* /*file*/, int /*line*/, const volatile void* /*lock*/, long /*writer*/) {}
void AnnotateRWLockReleased(const char* /*file*/, int /*line*/, const volatile void* /*lock*/, long /*writer*/) {}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
