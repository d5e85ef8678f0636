# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# No header under src/ is longer than a reader can hold in mind: one that is longer is most often two things.
#
#   root   the tree
#   most   where given: so many lines, for a control
cmake_minimum_required(VERSION 3.25)

if(NOT DEFINED most)
    set(most 250)
endif()
file(GLOB_RECURSE headers RELATIVE "${root}/src" "${root}/src/*.hpp" "${root}/src/*.h")
list(LENGTH headers count)
if(count LESS 200)
    message(FATAL_ERROR "${count} headers were found, which cannot be all")
endif()
foreach(header IN LISTS headers)
    file(READ "${root}/src/${header}" text)
    string(REGEX MATCHALL "\n" ends "${text}")
    list(LENGTH ends lines)
    if(lines GREATER most)
        message(SEND_ERROR "${header} has ${lines} lines, more than ${most}")
    endif()
endforeach()
