// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call that is noticed must hand on all of its arguments.
#include "model_tests/plain/programs/programs.hpp"
#include "model_tests/plain/refused/vector_library.hpp"

namespace ordeal::model_tests {

namespace {

struct vector_arguments {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        if (__builtin_cpu_supports("avx") != 0) call();
    }

private:
    [[gnu::target("avx")]] static void call() {
        constexpr eight_numbers count{1, 2, 3, 4, 5, 6, 7, 8};
        constexpr eight_numbers weigh{1, 1, 1, 1, 10, 10, 10, 10};
        require(sum_of(count, weigh) == 10 + 260);
        require(sum_of(weigh, count) == 10 + 260);
    }
};

ORDEAL_SCENARIO("limits/vector_arguments", vector_arguments);

}  // namespace

}  // namespace ordeal::model_tests
