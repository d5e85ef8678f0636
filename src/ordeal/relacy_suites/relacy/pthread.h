// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For suites of POSIX threads: those are what they are.
#pragma once

#include "relacy/relacy.hpp"

#include <pthread.h>
#include <semaphore.h>
