# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -D database=compile_commands.json -D flag=-fsanitize=thread -D targets=a,b -P instrumented.cmake
#
# Every source of every target is compiled with the flag, and each of the targets named has sources. The sources that
# check headers are never linked and do not count.
cmake_minimum_required(VERSION 3.25)

file(READ "${database}" entries)
string(REPLACE "," ";" targets "${targets}")
string(JSON count LENGTH "${entries}")
math(EXPR last "${count} - 1")
set(checked 0)
foreach(i RANGE ${last})
    string(JSON entry GET "${entries}" ${i})
    string(JSON file GET "${entry}" file)
    string(JSON command GET "${entry}" command)
    string(REGEX MATCH " -o ([^ ]+)" found "${command}")
    set(output "${CMAKE_MATCH_1}")
    if(output MATCHES "_header_checks\\.dir/")
        continue()
    endif()
    foreach(target IN LISTS targets)
        if(output MATCHES "(^|/)${target}\\.dir/")
            set(seen_${target} ON)
        endif()
    endforeach()
    string(FIND "${command} " " ${flag} " position)
    if(position EQUAL -1)
        message(SEND_ERROR "compiled without ${flag}: ${file}")
    endif()
    math(EXPR checked "${checked} + 1")
endforeach()
foreach(target IN LISTS targets)
    if(NOT seen_${target})
        message(SEND_ERROR "no source of the target ${target} in ${database}")
    endif()
endforeach()
message(STATUS "${checked} sources are compiled with ${flag}")
