// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specified.hpp"

#include <cds/container/msqueue.h>
#include <cds/gc/hp.h>
#include <cds/init.h>
#include <cds/threading/model.h>

struct library {
    library() { cds::Initialize(); }
    ~library() { cds::Terminate(); }
};

struct main_thread {
    main_thread() { cds::threading::Manager::attachThread(); }
    ~main_thread() { cds::threading::Manager::detachThread(); }
};

struct queue {
    library initialised;
    cds::gc::HP pointers{4, 4, 8};
    main_thread main;
    cds::container::MSQueue<cds::gc::HP, int> values;

    void push(int value) {
        attach();
        values.enqueue(value);
    }
    std::optional<int> pop() {
        attach();
        int value = 0;
        if (values.dequeue(value)) return value;
        return std::nullopt;
    }

private:
    // Threads are detached when they end.
    static void attach() {
        if (!cds::threading::Manager::isThreadAttached()) cds::threading::Manager::attachThread();
    }
};
ORDEAL_CLIENTS(clients, "libcds_michael_scott_queue", queue) { declare_container(clients); }
