# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Run by ctest: asks a program for its scenarios, and adds a test for each.
#
#   PROGRAM     the program; EMULATOR what runs it, if it is for another processor
#   KIND        what a test runs: check, stress
#   NAME        what the names of tests begin with
#   FOLDER      where they run
#   ENGINES, ARGUMENTS, LABELS, ENVIRONMENT, TIMEOUT   as ordeal_discover_tests() was given them
#
# In functions, since ctest includes this once for each program and has one scope for all.

function(ordeal_describe_test name)
    set_tests_properties("${name}" PROPERTIES
        LABELS "${LABELS};${ARGN}" TIMEOUT "${TIMEOUT}" WORKING_DIRECTORY "${FOLDER}" ENVIRONMENT "${ENVIRONMENT}")
endfunction()

function(ordeal_add_found_tests)
    if(NOT EXISTS "${PROGRAM}")
        # Not run, and so not passed.
        add_test("${NAME}/not built" "${PROGRAM}")
        set_tests_properties("${NAME}/not built" PROPERTIES LABELS "${LABELS}")
        return()
    endif()
    execute_process(COMMAND ${EMULATOR} "${PROGRAM}" list --json -
        WORKING_DIRECTORY "${FOLDER}" OUTPUT_VARIABLE listed ERROR_QUIET RESULT_VARIABLE result)
    string(JSON count ERROR_VARIABLE error LENGTH "${listed}" scenarios)
    if(NOT result EQUAL 0 OR error)
        # Fails in the same way, and ctest shows how.
        add_test("${NAME}/list" ${EMULATOR} "${PROGRAM}" list --json -)
        ordeal_describe_test("${NAME}/list")
        return()
    endif()
    set(found 0)
    set(index 0)
    while(index LESS count)
        string(JSON scenario GET "${listed}" scenarios ${index} name)
        string(JSON engines GET "${listed}" scenarios ${index} engines)
        foreach(engine IN LISTS ENGINES)
            if(NOT engines MATCHES "\"${engine}\"")
                continue()
            endif()
            set(test "${NAME}/${scenario}")
            if(NOT engine STREQUAL "graph")
                string(APPEND test " [${engine}]")
            endif()
            # A scenario's name may hold any characters: it is never in a list, and behind `--` no option.
            add_test("${test}" ${EMULATOR} "${PROGRAM}" ${KIND} --engine ${engine} --require-complete ${ARGUMENTS}
                -- "=${scenario}")
            ordeal_describe_test("${test}" ${engine})
            set(found 1)
        endforeach()
        math(EXPR index "${index} + 1")
    endwhile()
    if(NOT found)
        # A program that checks nothing is no success: this one ends with an error, and says which.
        list(GET ENGINES 0 engine)
        add_test("${NAME}/nothing to check" ${EMULATOR} "${PROGRAM}" ${KIND} --engine ${engine} --require-complete)
        ordeal_describe_test("${NAME}/nothing to check" ${engine})
    endif()
endfunction()

ordeal_add_found_tests()
