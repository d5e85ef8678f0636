// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// The version of these headers, of which the build says that it is the version of the project. docs/reference/api.md
/// says what a number promises.
#define ORDEAL_VERSION_MAJOR 0
#define ORDEAL_VERSION_MINOR 1
#define ORDEAL_VERSION_PATCH 0

/// As one number, to be compared: 1.2.3 is 10203.
#define ORDEAL_VERSION (ORDEAL_VERSION_MAJOR * 10000 + ORDEAL_VERSION_MINOR * 100 + ORDEAL_VERSION_PATCH)

/// "1.2.3"
#define ORDEAL_VERSION_STRING \
    ORDEAL_VERSION_TEXT(ORDEAL_VERSION_MAJOR) \
    "." ORDEAL_VERSION_TEXT(ORDEAL_VERSION_MINOR) "." ORDEAL_VERSION_TEXT(ORDEAL_VERSION_PATCH)

/// Counts up with each change of what scenarios and trials hand to the program that they are in, between two versions
/// too.
#define ORDEAL_ABI 1

/// A namespace for functions that differ between versions.
#define ORDEAL_VERSION_NAMESPACE \
    ORDEAL_JOINED(ORDEAL_JOINED(v, ORDEAL_VERSION_MAJOR), \
                  ORDEAL_JOINED(ORDEAL_JOINED(_, ORDEAL_VERSION_MINOR), \
                                ORDEAL_JOINED(ORDEAL_JOINED(_, ORDEAL_VERSION_PATCH), ORDEAL_JOINED(_, ORDEAL_ABI))))

// Steps on the way.
#define ORDEAL_JOINED(left, right) ORDEAL_JOINED_NOW(left, right)
#define ORDEAL_JOINED_NOW(left, right) left##right
#define ORDEAL_VERSION_TEXT(number) ORDEAL_VERSION_TEXT_OF(number)
#define ORDEAL_VERSION_TEXT_OF(number) #number
