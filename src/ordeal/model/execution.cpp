// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/model/execution.hpp"

#include "ordeal/model/frames.hpp"
#include "ordeal/model/heap.hpp"

#include <cstdio>
#include <cstdlib>

namespace ordeal {

namespace {

memory* active = nullptr;
bool trial = false;

}  // namespace

memory& port() noexcept {
    if (active == nullptr) {
        std::fputs("ordeal: a type of model_policy was used outside a scenario\n", stderr);
        std::abort();
    }
    return *active;
}

bool on_trial() noexcept { return trial; }

void begin_execution(memory& engine) {
    (void)sites();  // begins before the code on trial does: it allocates
    heap::reset();
    reset_frames();
    active = &engine;
    trial = true;
}

void end_execution() noexcept {
    trial = false;
    active = nullptr;
}

harness_scope::harness_scope() noexcept : outer_(trial) { trial = false; }
harness_scope::~harness_scope() { trial = outer_; }

}  // namespace ordeal
