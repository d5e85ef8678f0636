# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include_guard()

set(ORDEAL_SANITIZE "" CACHE STRING "Sanitizers for the tests on real threads, as in -fsanitize=; needs ORDEAL_HARNESS=OFF")
option(ORDEAL_HARNESS "Build the model, the engines and the program `ordeal`" ${PROJECT_IS_TOP_LEVEL})
option(ORDEAL_DEVELOPER "Build the tests, treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})
option(ORDEAL_COVERAGE "Count lines and branches, for llvm-cov; needs clang" OFF)
option(ORDEAL_HTML "Build the page of HTML reports into the program; needs node and npm, and the network once" ON)
option(ORDEAL_INSTALL "Have `cmake --install` install ordeal" ${PROJECT_IS_TOP_LEVEL})
option(ORDEAL_PRECOMPILE "Compile headers of the standard library once for each of our larger libraries" OFF)
option(ORDEAL_BATCHES "Compile sources of one part as one, which is faster unless only one of them has changed" OFF)
option(ORDEAL_BENCH "Add the target ordeal_bench, which is not built by default; needs ORDEAL_HARNESS" OFF)

# The scenarios and what runs them on real threads: part of the harness, and of the tests under a sanitizer.
set(ORDEAL_TRIALS OFF)
if(ORDEAL_HARNESS OR (ORDEAL_DEVELOPER AND ORDEAL_SANITIZE))
    set(ORDEAL_TRIALS ON)
endif()

# Relacy switches its fibers with _setjmp and _longjmp and replaces operator new: no sanitizer survives that.
if(ORDEAL_HARNESS)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
    get_directory_property(directory_options COMPILE_OPTIONS)
    string(JOIN " " all_flags ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}} ${directory_options})
    if(ORDEAL_SANITIZE OR all_flags MATCHES "-fsanitize")
        message(FATAL_ERROR "ordeal: Relacy cannot be combined with a sanitizer. "
                            "Configure with ORDEAL_HARNESS=OFF to test coro/ on real threads under a sanitizer.")
    endif()
endif()
