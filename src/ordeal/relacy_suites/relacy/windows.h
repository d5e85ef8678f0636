// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#error \
    "ordeal: suites that use Relacy's model of the Windows API cannot be compiled; those of C++ and POSIX threads can"
