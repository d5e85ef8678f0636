// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite.hpp"

ORDEAL_SCENARIO("counts/there", counts);
