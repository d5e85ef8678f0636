# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: cmake -D root=FOLDER -D clang=COMPILER -P instruction_targets.cmake: what the build says of each target by that clang.
include("${root}/cmake/instruction_targets.cmake")
foreach(name IN LISTS ORDEAL_TARGETS)
    ordeal_why_no_target(why "${clang}" "clang 1.0" "${name}")
    if(why)
        message(STATUS "${name}: ${why}")
    else()
        message(STATUS "${name}: present")
    endif()
endforeach()
