// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <memory>
#include <semaphore>
#include <thread>

// Who waited destroys the semaphore, while the release() that it waited for may not have returned yet.
void trial() {
    struct request {
        std::binary_semaphore done{0};
        int answer = 0;
    };
    auto asked = std::make_unique<request>();
    std::jthread server([asked = asked.get()] {
        asked->answer = 42;
        asked->done.release();
    });
    asked->done.acquire();
    assert(asked->answer == 42);
    asked.reset();
}
