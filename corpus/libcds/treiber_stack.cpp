// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cds/container/treiber_stack.h>
#include <cds/gc/hp.h>
#include <cds/init.h>
#include <cds/threading/model.h>
#include <cassert>
#include <thread>

void trial() {
    cds::Initialize();
    {
        cds::gc::HP pointers(1, 3, 4);
        cds::threading::Manager::attachThread();
        {
            cds::container::TreiberStack<cds::gc::HP, int> stack;
            stack.push(1);
            int taken = 0;
            std::thread other([&] {
                cds::threading::Manager::attachThread();
                int value = 0;
                if (stack.pop(value)) taken += value;
                cds::threading::Manager::detachThread();
            });
            int value = 0;
            const bool got = stack.pop(value);
            other.join();
            assert(taken + (got ? value : 0) == 1);
        }
        cds::threading::Manager::detachThread();
    }
    cds::Terminate();
}
