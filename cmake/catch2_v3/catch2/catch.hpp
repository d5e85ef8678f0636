// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Our tests include version 2's header; with version 3 this file stands in for it.
#include <catch2/catch_all.hpp>
