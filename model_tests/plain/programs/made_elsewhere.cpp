// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/plain/programs/made_elsewhere.hpp"

namespace ordeal::model_tests {

made_elsewhere::made_elsewhere() {
    worker.it = std::thread([this] { used.fetch_add(1); });
}

}  // namespace ordeal::model_tests
