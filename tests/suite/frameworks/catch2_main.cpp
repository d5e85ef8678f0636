// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Version 2 is a header, compiled here.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
