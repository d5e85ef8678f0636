# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A ctest entry for each scenario of a program. Beside this file, and installed with it: ordeal_list_tests.cmake, which ctest
# runs.
include_guard()

set_property(GLOBAL PROPERTY ORDEAL_LIST_TESTS "${CMAKE_CURRENT_LIST_DIR}/ordeal_list_tests.cmake")

# ordeal_quoted(<result> <text>): as a bracket argument, in which no character means anything. Text that begins with a line
# break keeps it behind the one that CMake leaves out.
function(ordeal_quoted result text)
    set(level "=")
    while(text MATCHES "\\]${level}(\\]|$)")
        string(APPEND level "=")
    endwhile()
    set(${result} "[${level}[\n${text}]${level}]" PARENT_SCOPE)
endfunction()

# ordeal_tests_at_test_time(<program> KIND check|stress|framework NAME <prefix> [ENGINES <engine>...] [ARGUMENTS <arg>...]
#     [LABELS <label>...] [ENVIRONMENT <NAME=value>...] [TIMEOUT <seconds>] [FOLDER <folder>] [MAY_BE_INCOMPLETE])
#
# Makes ctest ask the program what it has when ctest runs, not when the program is built: a build needs no run of it.
function(ordeal_tests_at_test_time program)
    cmake_parse_arguments(PARSE_ARGV 1 arg "MAY_BE_INCOMPLETE" "KIND;NAME;TIMEOUT;FOLDER" "ENGINES;ARGUMENTS;LABELS;ENVIRONMENT")
    if(NOT arg_FOLDER)
        set(arg_FOLDER "${CMAKE_CURRENT_BINARY_DIR}")
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 300)
    endif()
    get_property(list_tests GLOBAL PROPERTY ORDEAL_LIST_TESTS)
    set(emulator "$<TARGET_PROPERTY:${program},CROSSCOMPILING_EMULATOR>")
    set(lines "")
    foreach(list_of ENGINES ARGUMENTS LABELS ENVIRONMENT)
        set(values "")
        foreach(value IN LISTS arg_${list_of})
            string(REPLACE ";" "\\;" value "${value}")
            ordeal_quoted(value "${value}")
            string(APPEND values " ${value}")
        endforeach()
        string(APPEND lines "set(${list_of}${values})\n")
    endforeach()
    foreach(variable KIND NAME TIMEOUT MAY_BE_INCOMPLETE)
        ordeal_quoted(value "${arg_${variable}}")
        string(APPEND lines "set(${variable} ${value})\n")
    endforeach()
    set(base "${CMAKE_CURRENT_BINARY_DIR}/${program}.tests")
    file(GENERATE OUTPUT "${base}-$<CONFIG>.cmake" CONTENT "${lines}
set(PROGRAM [==[\n$<TARGET_FILE:${program}>]==])
set(EMULATOR [==[\n${emulator}]==])
set(FOLDER [==[\n${arg_FOLDER}]==])
include([==[\n${list_tests}]==])
")
    # Of several configurations ctest is told which one it runs; of one alone it need not be.
    get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    if(several)
        set(configuration "\${CTEST_CONFIGURATION_TYPE}")
    else()
        set(configuration "${CMAKE_BUILD_TYPE}")
    endif()
    file(WRITE "${base}.cmake" "include(\"${base}-${configuration}.cmake\")\n")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${base}.cmake")
endfunction()

# ordeal_discover_tests(<program> [ENGINES graph|relacy...] [ARGUMENTS <arg>...] [LABELS <label>...] [TIMEOUT <seconds>])
#
# One ctest entry for each scenario of the program and each of the engines that can search it; without ENGINES, for the
# engine graph. Its name is <program>/<scenario>, with [<engine>] behind it for others than graph. It runs `check` with
# --require-complete, and the arguments; the exit code decides.
function(ordeal_discover_tests program)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "ENGINES;ARGUMENTS;LABELS")
    if(arg_UNPARSED_ARGUMENTS OR NOT TARGET ${program})
        message(FATAL_ERROR "ordeal: ordeal_discover_tests is PROGRAM [ENGINES graph|relacy...] [ARGUMENTS arg...] "
            "[LABELS label...] [TIMEOUT seconds], and PROGRAM is a target")
    endif()
    if(NOT arg_ENGINES)
        set(arg_ENGINES graph)
    endif()
    foreach(engine IN LISTS arg_ENGINES)
        if(NOT engine MATCHES "^(graph|relacy)$")
            message(FATAL_ERROR "ordeal: the engines are graph and relacy; there is no '${engine}'")
        endif()
    endforeach()
    ordeal_tests_at_test_time(${program} KIND check NAME ${program} ENGINES ${arg_ENGINES} ARGUMENTS ${arg_ARGUMENTS}
        LABELS ordeal ${arg_LABELS} TIMEOUT ${arg_TIMEOUT})
endfunction()
