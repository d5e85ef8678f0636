# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include_guard()

# find_package that says what to do when it finds nothing. A macro: imported targets and version variables must reach
# the directory of the caller.
macro(ordeal_require package)
    find_package(${package} QUIET ${ARGN})
    if(NOT ${package}_FOUND)
        message(FATAL_ERROR "ordeal: the package ${package} was not found. ci/deps.sh installs what is missing.")
    endif()
endmacro()

if(ORDEAL_HARNESS OR ORDEAL_DEVELOPER)
    ordeal_require(Threads)
endif()

if(ORDEAL_HARNESS)
    ordeal_require(Relacy MODULE)
    ordeal_require(Boost COMPONENTS context)
    ordeal_require(Libdw MODULE)
    ordeal_require(fmt)
    ordeal_require(CLI11)
endif()

if(ORDEAL_TRIALS)
    ordeal_require(nlohmann_json)
    ordeal_require(Xxhash MODULE)
endif()

if(ORDEAL_DEVELOPER)
    ordeal_require(Catch2)
endif()

if(ORDEAL_BENCH)
    ordeal_require(benchmark)
endif()
