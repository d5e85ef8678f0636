# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Run by ctest: asks a program for its scenarios, and adds a test for each.
#
#   PROGRAM     the program; EMULATOR what runs it, if it is for another processor
#   KIND        the command of a test: `check` by engines, `stress` or `run` on real threads; or the framework: catch2, googletest
#   NAME        what the names of tests begin with
#   FOLDER      where they run
#   MAY_BE_INCOMPLETE   whether a search that its budget cut short passes
#   ENGINES, ARGUMENTS, LABELS, ENVIRONMENT, TIMEOUT   as ordeal_tests_at_test_time() was given them
#
# In functions, since ctest includes this once for each program and has one scope for all.

function(ordeal_describe_test name)
    set_tests_properties("${name}" PROPERTIES
        LABELS "${LABELS};${ARGN}" TIMEOUT "${TIMEOUT}" WORKING_DIRECTORY "${FOLDER}" ENVIRONMENT "${ENVIRONMENT}")
    if(NOT KIND STREQUAL "check")
        # 77: sanitizer_hooks.cpp says why it is none. Threads that run beside others' tests show less.
        set_tests_properties("${name}" PROPERTIES SKIP_RETURN_CODE 77 PROCESSORS 2)
    endif()
endfunction()

# ordeal_add_tests_of(<scenario> <engines that can search it> <expected> <can run on real threads>)
#
# A scenario's name may hold any characters: it is never in a list, and behind `--` no option. `found` becomes true unless
# nothing of it is on trial here.
function(ordeal_add_tests_of scenario engines expected real)
    if(NOT KIND STREQUAL "check")
        if(real AND expected STREQUAL "held")
            add_test("${NAME}/${scenario}" ${EMULATOR} "${PROGRAM}" ${KIND} ${ARGUMENTS} -- "=${scenario}")
            ordeal_describe_test("${NAME}/${scenario}")
        endif()
        # What must be violated need not show it on this machine.
        set(found "${real}" PARENT_SCOPE)
        return()
    endif()
    foreach(engine IN LISTS ENGINES)
        if(NOT engines MATCHES "\"${engine}\"")
            continue()
        endif()
        set(test "${NAME}/${scenario}")
        if(NOT engine STREQUAL "graph")
            string(APPEND test " [${engine}]")
        endif()
        set(complete "")
        if(NOT MAY_BE_INCOMPLETE)
            set(complete --require-complete)
        endif()
        add_test("${test}" ${EMULATOR} "${PROGRAM}" check --engine ${engine} ${complete} ${ARGUMENTS} -- "=${scenario}")
        ordeal_describe_test("${test}" ${engine})
        set(found 1 PARENT_SCOPE)
    endforeach()
endfunction()

# ordeal_add_framework_test(<name> <word that runs this test alone>)
function(ordeal_add_framework_test name word)
    add_test("${NAME}/${name}" ${EMULATOR} "${PROGRAM}" "${word}" ${ARGUMENTS})
    set_tests_properties("${NAME}/${name}" PROPERTIES
        LABELS "${LABELS}" TIMEOUT "${TIMEOUT}" WORKING_DIRECTORY "${FOLDER}" ENVIRONMENT "${ENVIRONMENT}")
endfunction()

# ordeal_next_line(<result> <variable>): takes a line off the text. Not as a list: a name may hold any characters.
macro(ordeal_next_line result text)
    string(FIND "${${text}}" "\n" at)
    string(SUBSTRING "${${text}}" 0 ${at} ${result})
    if(at LESS 0)
        set(${text} "")
    else()
        math(EXPR at "${at} + 1")
        string(SUBSTRING "${${text}}" ${at} -1 ${text})
    endif()
endmacro()

function(ordeal_add_googletest_tests)
    execute_process(COMMAND ${EMULATOR} "${PROGRAM}" --gtest_list_tests
        WORKING_DIRECTORY "${FOLDER}" OUTPUT_VARIABLE listed ERROR_QUIET RESULT_VARIABLE result)
    set(suite "")
    while(result EQUAL 0 AND NOT listed STREQUAL "")
        ordeal_next_line(line listed)
        if(line MATCHES "^([^ ].*\\.)( *# .*)?$")
            string(REGEX REPLACE " *# .*$" "" suite "${line}")
        elseif(suite AND line MATCHES "^  ([^ ]+)")
            ordeal_add_framework_test("${suite}${CMAKE_MATCH_1}" "--gtest_filter=${suite}${CMAKE_MATCH_1}")
            set(any 1 PARENT_SCOPE)
        endif()
    endwhile()
endfunction()

function(ordeal_add_catch2_tests)
    # Version 2 has a listing of names alone, whose exit code is their number.
    execute_process(COMMAND ${EMULATOR} "${PROGRAM}" --list-test-names-only
        WORKING_DIRECTORY "${FOLDER}" OUTPUT_VARIABLE listed ERROR_VARIABLE error RESULT_VARIABLE result)
    if(listed MATCHES "Unrecogni[sz]ed token" OR error MATCHES "Unrecogni[sz]ed token")
        execute_process(COMMAND ${EMULATOR} "${PROGRAM}" --list-tests --verbosity quiet
            WORKING_DIRECTORY "${FOLDER}" OUTPUT_VARIABLE listed ERROR_QUIET RESULT_VARIABLE result)
    endif()
    while(NOT listed STREQUAL "" AND result MATCHES "^[0-9]+$")
        ordeal_next_line(name listed)
        if(name STREQUAL "")
            continue()
        endif()
        # A specification, in which these mean something.
        set(word "${name}")
        string(REPLACE "\\" "\\\\" word "${word}")
        foreach(character IN ITEMS "," "[" "]" "\"")
            string(REPLACE "${character}" "\\${character}" word "${word}")
        endforeach()
        ordeal_add_framework_test("${name}" "${word}")
        set(any 1 PARENT_SCOPE)
    endwhile()
endfunction()

function(ordeal_add_found_tests)
    if(NOT EXISTS "${PROGRAM}")
        # Not run, and so not passed.
        add_test("${NAME}/not built" "${PROGRAM}")
        set_tests_properties("${NAME}/not built" PROPERTIES LABELS "${LABELS}")
        return()
    endif()
    if(KIND MATCHES "^(catch2|googletest)$")
        set(any 0)
        cmake_language(CALL ordeal_add_${KIND}_tests)
        if(NOT any)
            add_test("${NAME}/nothing to check" "${CMAKE_COMMAND}" -E false)
            set_tests_properties("${NAME}/nothing to check" PROPERTIES LABELS "${LABELS}")
        endif()
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
    set(any 0)
    set(index 0)
    while(index LESS count)
        foreach(key IN ITEMS name engines expected real_threads)
            string(JSON ${key} GET "${listed}" scenarios ${index} ${key})
        endforeach()
        set(found 0)
        ordeal_add_tests_of("${name}" "${engines}" "${expected}" "${real_threads}")
        if(found)
            set(any 1)
        endif()
        math(EXPR index "${index} + 1")
    endwhile()
    if(NOT any)
        # A program that checks nothing is no success: this one ends with an error, and says which.
        set(arguments ${ARGUMENTS})
        if(KIND STREQUAL "check")
            list(GET ENGINES 0 engine)
            set(arguments --engine ${engine} --require-complete)
        endif()
        add_test("${NAME}/nothing to check" ${EMULATOR} "${PROGRAM}" ${KIND} ${arguments})
        ordeal_describe_test("${NAME}/nothing to check" ${engine})
    endif()
endfunction()

ordeal_add_found_tests()
