# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include_guard()

include(Catch)

set(ORDEAL_TEST_TIMEOUT 300 CACHE STRING "Seconds after which a test is killed; protection only")

# ordeal_precompile_test_headers(<target> [UNOPTIMISED] HEADERS <file>... [LIBRARIES <target>...])
#
# What tests include, compiled once for all that are compiled in the same way.
function(ordeal_precompile_test_headers target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "UNOPTIMISED" "" "HEADERS;LIBRARIES")
    add_library(${target} OBJECT EXCLUDE_FROM_ALL "${ORDEAL_NO_TESTS}")
    target_link_libraries(${target} PRIVATE ordeal_compile_options ordeal_test_main ${arg_LIBRARIES})
    target_precompile_headers(${target} PRIVATE ${arg_HEADERS})
    # With the time in it, a compiler cache would never meet it again.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
    if(arg_UNOPTIMISED)
        target_compile_options(${target} PRIVATE -O0)
    endif()
endfunction()

# ordeal_add_own_tests(<target> LABEL <label> [UNOPTIMISED] [SEARCHES] [HEADERS <target>] [PROCESSORS <number that a test needs for itself>]
#                  SOURCES <file>... [LIBRARIES <target>...])
#
# One executable of Catch2 test cases, each a test of its own for ctest. UNOPTIMISED: the tests themselves have nothing to
# do that takes time, or that depends on how they are compiled; so compiling them takes less. SEARCHES: they call the engines, which
# do take time. HEADERS: of ordeal_precompile_test_headers(), in place of those that all tests have.
function(ordeal_add_own_tests target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "UNOPTIMISED;SEARCHES" "LABEL;HEADERS;PROCESSORS" "SOURCES;LIBRARIES")
    if(NOT arg_PROCESSORS)
        set(arg_PROCESSORS 1)
    endif()
    add_executable(${target} ${arg_SOURCES})
    target_link_libraries(${target} PRIVATE ordeal_compile_options ordeal_test_main ordeal::coro ${arg_LIBRARIES})
    set(kind optimised)
    if(arg_UNOPTIMISED)
        set(kind unoptimised)
        target_compile_options(${target} PRIVATE -O0)
    endif()
    if(arg_SEARCHES)
        # Of a function that several objects have, as of std::vector, the linker keeps the first. So the engines, which it finds
        # by the name of ordeal::detail::find_engine(), come before the tests: else they would call functions that were not
        # optimised, and take half as long again.
        target_link_options(${target} PRIVATE
            LINKER:--require-defined=_ZN6ordeal6detail11find_engineESt17basic_string_viewIcSt11char_traitsIcEE
            "$<TARGET_FILE:ordeal_harness>" "$<TARGET_FILE:ordeal_trials>")
    endif()
    if(NOT arg_HEADERS)
        set(arg_HEADERS ordeal_test_headers_${kind})
    endif()
    target_precompile_headers(${target} REUSE_FROM ${arg_HEADERS})
    target_compile_definitions(${target} PRIVATE ORDEAL_SOURCE_ROOT="${PROJECT_SOURCE_DIR}")
    catch_discover_tests(${target}
        TEST_PREFIX "${arg_LABEL}/"
        DISCOVERY_MODE PRE_TEST
        PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${ORDEAL_TEST_TIMEOUT} PROCESSORS ${arg_PROCESSORS})
endfunction()

# Compilers that users have, as far as they are installed here: what they make of instrumented code differs, and the newest
# clang is the one that changes.
find_program(ORDEAL_GXX g++)
find_program(ORDEAL_CLANG_19 clang++-19)
find_program(ORDEAL_NEWEST_CLANG NAMES
    clang++-28 clang++-27 clang++-26 clang++-25 clang++-24 clang++-23 clang++-22 clang++-21 clang++-20)
mark_as_advanced(ORDEAL_GXX ORDEAL_CLANG_19 ORDEAL_NEWEST_CLANG)
set(ORDEAL_USERS_COMPILERS ${ORDEAL_GXX} ${ORDEAL_CLANG_19} ${ORDEAL_NEWEST_CLANG})
list(FILTER ORDEAL_USERS_COMPILERS EXCLUDE REGEX "NOTFOUND$")
# What was compiled to count lines is linked with clang's counters.
if(ORDEAL_COVERAGE)
    list(REMOVE_ITEM ORDEAL_USERS_COMPILERS "${ORDEAL_GXX}")
endif()
