// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cds/container/msqueue.h>
#include <cds/gc/hp.h>
#include <cds/init.h>
#include <cds/threading/model.h>
#include <cassert>
#include <thread>

void trial() {
    cds::Initialize();
    {
        cds::gc::HP pointers(4, 3, 8);
        cds::threading::Manager::attachThread();
        {
            cds::container::MSQueue<cds::gc::HP, int> queue;
            std::thread other([&] {
                cds::threading::Manager::attachThread();
                queue.enqueue(1);
                cds::threading::Manager::detachThread();
            });
            int value = 1;
            queue.dequeue(value);
            assert(value == 1);
            other.join();
        }
        cds::threading::Manager::detachThread();
    }
    cds::Terminate();
}
