// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cds/container/treiber_stack.h>
#include <cds/gc/hp.h>
#include <cds/init.h>
#include <cds/threading/model.h>
#include <cassert>
#include <thread>

// One thread retires two nodes, the other one still uses the second of them.
void trial() {
    cds::Initialize();
    {
        cds::gc::HP pointers(1, 2, 4, cds::gc::HP::scan_type::classic);
        cds::threading::Manager::attachThread();
        {
            cds::container::TreiberStack<cds::gc::HP, int> stack;
            stack.push(1);
            stack.push(2);
            std::thread other([&] {
                cds::threading::Manager::attachThread();
                int value = 0;
                stack.pop(value);
                stack.pop(value);
                cds::gc::HP::scan();
                cds::threading::Manager::detachThread();
            });
            int value = 0;
            stack.pop(value);
            other.join();
        }
        cds::threading::Manager::detachThread();
    }
    cds::Terminate();
}
