// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TSan annotations of programs, in functions of <sanitizer/tsan_interface.h>. For a lock they report when and by which
// thread it is acquired; here the atomics or the pthread mutex of the lock report that themselves. Claims of an order
// between threads order nothing: only the operations themselves do. Switching fibers is refused.
#include "ordeal/instrumented/caller/caller_accesses.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

// An order that no operation creates does not exist in the standard, which is what is checked.
void __tsan_acquire(void* /*address*/) {}
void __tsan_release(void* /*address*/) {}

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
    ordeal::detail::refused_on_trial("__tsan_get_current_fiber");
    return nullptr;
}
void* __tsan_create_fiber(unsigned /*flags*/) {
    ordeal::detail::refused_on_trial("__tsan_create_fiber");
    return nullptr;
}
void __tsan_destroy_fiber(void* /*fiber*/) { ordeal::detail::refused_on_trial("__tsan_destroy_fiber"); }
void __tsan_switch_to_fiber(void* /*fiber*/, unsigned /*flags*/) {
    ordeal::detail::refused_on_trial("__tsan_switch_to_fiber");
}
void __tsan_set_fiber_name(void* /*fiber*/, const char* /*name*/) {}
void __tsan_flush_memory() {}

// Accesses to an object as a whole, reported by the code itself.
void __tsan_external_read(void* object, void* /*caller*/, void* /*tag*/) { ordeal::detail::reads(object, 1); }
void __tsan_external_write(void* object, void* /*caller*/, void* /*tag*/) { ordeal::detail::writes(object, 1); }
void* __tsan_external_register_tag(const char* /*type*/) { return nullptr; }
void __tsan_external_register_header(void* /*tag*/, const char* /*header*/) {}
void __tsan_external_assign_tag(void* /*object*/, void* /*tag*/) {}
void __tsan_on_thread_idle() {}

// The older annotations, which programs declare themselves.

void AnnotateHappensBefore(const char* /*file*/, int /*line*/, const volatile void* /*address*/) {}
void AnnotateHappensAfter(const char* /*file*/, int /*line*/, const volatile void* /*address*/) {}

// A race is a race, even if annotated as benign or ignored.
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

void AnnotateRWLockCreateStatic(const char* /*file*/, int /*line*/, const volatile void* /*lock*/) {}
void AnnotateCondVarSignal(const char* /*file*/, int /*line*/, const volatile void* /*condition*/) {}
void AnnotateCondVarSignalAll(const char* /*file*/, int /*line*/, const volatile void* /*condition*/) {}
void AnnotateCondVarWait(const char* /*file*/, int /*line*/, const volatile void* /*condition*/,
                         const volatile void* /*lock*/) {}
void AnnotateMutexIsNotPHB(const char* /*file*/, int /*line*/, const volatile void* /*lock*/) {}
void AnnotateMutexIsUsedAsCondVar(const char* /*file*/, int /*line*/, const volatile void* /*lock*/) {}
void AnnotatePCQCreate(const char* /*file*/, int /*line*/, const volatile void* /*queue*/) {}
void AnnotatePCQDestroy(const char* /*file*/, int /*line*/, const volatile void* /*queue*/) {}
void AnnotatePCQGet(const char* /*file*/, int /*line*/, const volatile void* /*queue*/) {}
void AnnotatePCQPut(const char* /*file*/, int /*line*/, const volatile void* /*queue*/) {}
void AnnotatePublishMemoryRange(const char* /*file*/, int /*line*/, const volatile void* /*address*/, long /*size*/) {}
void AnnotateUnpublishMemoryRange(const char* /*file*/, int /*line*/, const volatile void* /*address*/, long /*size*/) {
}
void AnnotateNewMemory(const char* /*file*/, int /*line*/, const volatile void* /*address*/, long /*size*/) {}
void AnnotateMemoryIsInitialized(const char* /*file*/, int /*line*/, const volatile void* /*address*/, long /*size*/) {}
void AnnotateMemoryIsUninitialized(const char* /*file*/, int /*line*/, const volatile void* /*address*/,
                                   long /*size*/) {}
void AnnotateExpectRace(const char* /*file*/, int /*line*/, const volatile void* /*address*/, const char* /*why*/) {}
void AnnotateFlushExpectedRaces(const char* /*file*/, int /*line*/) {}
void AnnotateEnableRaceDetection(const char* /*file*/, int /*line*/, int /*enable*/) {}
void AnnotateTraceMemory(const char* /*file*/, int /*line*/, const volatile void* /*address*/) {}
void AnnotateFlushState(const char* /*file*/, int /*line*/) {}
void AnnotateNoOp(const char* /*file*/, int /*line*/, const volatile void* /*address*/) {}
void AnnotateThreadName(const char* /*file*/, int /*line*/, const char* /*name*/) {}
void WTFAnnotateHappensBefore(const char* /*file*/, int /*line*/, const volatile void* /*address*/) {}
void WTFAnnotateHappensAfter(const char* /*file*/, int /*line*/, const volatile void* /*address*/) {}
void WTFAnnotateBenignRaceSized(const char* /*file*/, int /*line*/, const volatile void* /*address*/, long /*size*/,
                                const char* /*why*/) {}
int RunningOnValgrind() { return 0; }
double ValgrindSlowdown() { return 1.0; }

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
