// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries that tell ThreadSanitizer about themselves declare its functions, which are not in a header of theirs. They are
// the runtime's: no limit of the verdict, and no order.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>

// NOLINTBEGIN(readability-identifier-naming)
extern "C" void AnnotateHappensBefore(const char* file, int line, void* address);
extern "C" void AnnotateHappensAfter(const char* file, int line, void* address);
extern "C" void WTFAnnotateHappensBefore(const char* file, int line, const volatile void* address);
extern "C" int RunningOnValgrind();
extern "C" double ValgrindSlowdown();
// NOLINTEND(readability-identifier-naming)

namespace ordeal::model_tests {

namespace {

template <std::memory_order Release, std::memory_order Acquire>
struct annotated {
    static constexpr auto threads = std::array{"writer", "reader"};
    std::atomic<bool> ready{false};
    int content = 0;

    void run(int thread) {
        if (thread == 0) {
            content = 1;
            AnnotateHappensBefore(__FILE__, __LINE__, &ready);
            WTFAnnotateHappensBefore(__FILE__, __LINE__, &ready);
            ready.store(true, Release);
        } else if (ready.load(Acquire)) {
            AnnotateHappensAfter(__FILE__, __LINE__, &ready);
            require(content == 1 && RunningOnValgrind() == 0 && ValgrindSlowdown() == 1.0);
        }
    }
};

ORDEAL_SCENARIO("programs/annotated", annotated<release, acquire>);
using annotated_alone = annotated<relaxed, relaxed>;
ORDEAL_SCENARIO("programs/annotated_alone", wrong<annotated_alone, violation_kind::data_race>);

}  // namespace

}  // namespace ordeal::model_tests
