// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Globals of a library that nobody sees: accesses of the trial to them are those of the trial.
#include "globals.hpp"

#include "ordeal/check.hpp"

#include <thread>

void trial() {
#ifdef UNORDERED
    std::thread other([] { plain = 1; });
    plain = 2;
    other.join();
#else
    // As in each execution, whatever the one before has left.
    ordeal::require(plain == 0 && counter.fetch_add(1) == 0);
    std::thread other([] {
        const std::lock_guard<std::mutex> hold(lock);
        ++plain;
        counter.fetch_add(1);
    });
    {
        const std::lock_guard<std::mutex> hold(lock);
        ++plain;
    }
    other.join();
    ordeal::require(plain == 2 && counter.load() == 2);
#endif
}
