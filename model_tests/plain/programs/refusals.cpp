// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the model does not have, and says so.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace ordeal::model_tests {

namespace {

// The C library allocates the copy itself, at another address in each execution.
struct atomic_in_memory_of_a_library {
    static constexpr std::array threads{"first", "second"};

    char* copy = ::strdup("1234567");

    void run(int /*thread*/) { std::atomic_ref(*copy).fetch_add(1); }
    void finish() { std::free(copy); }
};

ORDEAL_SCENARIO("refused/atomic_in_memory_of_a_library", atomic_in_memory_of_a_library);

}  // namespace

}  // namespace ordeal::model_tests
