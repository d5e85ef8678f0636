# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tests of Catch2 or GoogleTest in which ordeal::check() model-checks a body.
include_guard()

# What projects of users compile: part of the package, as ORDEAL_SUITE_SOURCES is.
set_property(GLOBAL PROPERTY ORDEAL_TEST_PROGRAM_SOURCES
    ordeal/suite/catch2_adapter.cpp ordeal/suite/googletest_adapter.cpp ordeal/suite/test_main.cpp)

# ordeal_add_test_program(<name> SOURCES <file>... LIBRARIES <target>... [INSTRUMENT <target>...] [ALLOW_UNSEEN <name>...]
#     [OPTIONS <flag>...] [FRAMEWORK catch2|googletest] [LABELS <label>...] [TIMEOUT <seconds>])
#
# The program <name>, run as the framework runs its tests, with its options and filters. The sources and the framework are
# compiled and linked as code on trial. Which framework it is, the names of the libraries tell, or FRAMEWORK. One ctest
# entry for each test.
function(ordeal_add_test_program name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "FRAMEWORK;TIMEOUT"
        "SOURCES;LIBRARIES;INSTRUMENT;ALLOW_UNSEEN;OPTIONS;LABELS")
    ordeal_require_word_sources(ordeal_add_test_program ${name} "${arg_SOURCES}" "${arg_UNPARSED_ARGUMENTS}")
    if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
        message(FATAL_ERROR "ordeal: a test program is NAME SOURCES file... LIBRARIES target... [INSTRUMENT target...] "
            "[ALLOW_UNSEEN name...] [OPTIONS flag...] [FRAMEWORK catch2|googletest] [LABELS label...] [TIMEOUT seconds]")
    endif()
    if(NOT arg_FRAMEWORK)
        if("${arg_LIBRARIES}" MATCHES "[Cc]atch2")
            set(arg_FRAMEWORK catch2)
        elseif("${arg_LIBRARIES}" MATCHES "GTest|GMock|gtest|gmock")
            set(arg_FRAMEWORK googletest)
        endif()
    endif()
    if(NOT arg_FRAMEWORK MATCHES "^(catch2|googletest)$")
        message(FATAL_ERROR "ordeal: the LIBRARIES of ${name} name neither Catch2 nor GoogleTest; say FRAMEWORK catch2 or "
            "FRAMEWORK googletest. Others have no part in ordeal::check()")
    endif()
    foreach(library IN LISTS arg_LIBRARIES)
        if(TARGET ${library} AND library MATCHES "[Cc]atch2|GTest|GMock|gtest|gmock")
            get_target_property(type ${library} TYPE)
            if(type STREQUAL "SHARED_LIBRARY")
                message(FATAL_ERROR "ordeal: ${library} is a shared library, whose memory nobody puts back between executions; "
                    "use the static one")
            endif()
        endif()
    endforeach()
    ordeal_sources_below(adapter "ordeal/suite/${arg_FRAMEWORK}_adapter.cpp")
    ordeal_sources_below(main ordeal/suite/test_main.cpp)
    ordeal_compile_own("${adapter}")
    ordeal_compile_own("${main}")
    ordeal_add_trial_library(${name} SOURCES ${arg_SOURCES} "${adapter}" LIBRARIES ${arg_LIBRARIES}
        INSTRUMENT ${arg_INSTRUMENT} ALLOW_UNSEEN ${arg_ALLOW_UNSEEN} OPTIONS ${arg_OPTIONS})
    # The framework is not on trial: the adapter keeps what it does in a body apart from the executions.
    if(arg_FRAMEWORK STREQUAL "catch2")
        set_target_properties(${name}_trial PROPERTIES ORDEAL_APART "Catch::;libCatch2")
    else()
        set_target_properties(${name}_trial PROPERTIES ORDEAL_APART "testing::;libgtest|libgmock")
    endif()
    add_executable(${name} "${main}")
    ordeal_use_trials(${name} ${name})
    ordeal_tests_at_test_time(${name} KIND "${arg_FRAMEWORK}" NAME ${name} LABELS ordeal ${arg_LABELS}
        TIMEOUT ${arg_TIMEOUT})
endfunction()
