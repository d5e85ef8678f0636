// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions called by ThreadSanitizer's runtime in a program of ordeal_add_suite().
//
// ThreadSanitizer ignores fences, and so reports code that is ordered by them. If the code has executed a fence, a
// report is no verdict: the program says so, and exits with the code by which ctest counts a test as skipped.
#include <unistd.h>

#include <atomic>
#include <string_view>

namespace {

constexpr int exit_not_judged = 77;

std::atomic<bool> fence_seen{false};

}  // namespace

// Replaces __tsan_atomic_thread_fence, by the linker's --wrap. order: 0 relaxed ... 5 seq_cst, as in std::memory_order.
extern "C" void ordeal_real_fence(int order) asm("__real___tsan_atomic_thread_fence");
extern "C" void ordeal_wrapped_fence(int order) asm("__wrap___tsan_atomic_thread_fence");
extern "C" void ordeal_wrapped_fence(int order) {
    // order: relaxed: only whether a fence ran before the report counts, and the code on trial must not be
    //        ordered by this.
    fence_seen.store(true, std::memory_order_relaxed);
    ordeal_real_fence(order);
}

extern "C" [[gnu::visibility("default")]] void __tsan_on_report(void* /*report*/) {  // NOLINT: the runtime's name
    // order: relaxed: as above.
    if (!fence_seen.load(std::memory_order_relaxed)) return;
    constexpr std::string_view words =
        "\nordeal: this report is no verdict: the code has executed std::atomic_thread_fence, of which ThreadSanitizer "
        "takes no notice, so that what fences order is reported too. The model knows fences: its test decides.\n";
    (void)!write(STDERR_FILENO, words.data(), words.size());
    _exit(exit_not_judged);
}

// TSAN_OPTIONS of the user take precedence over these. Lock orders that could deadlock, but do so in no execution of
// the scenario, are no violations.
extern "C" [[gnu::visibility("default")]] const char* __tsan_default_options() {  // NOLINT: the runtime's name
    return "halt_on_error=1:history_size=4:detect_deadlocks=0:exitcode=66"
#ifdef ORDEAL_SYMBOLIZER
           ":external_symbolizer_path=" ORDEAL_SYMBOLIZER
#endif
        ;
}
