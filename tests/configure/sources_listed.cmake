# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Source lists are explicit; a file in none of them would be built and tested by nobody. Each must be named in a
# CMakeLists.txt of a folder above it, relative to that folder.
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE sources RELATIVE "${root}" "${root}/*.cpp" "${root}/*.hpp")
list(FILTER sources INCLUDE REGEX "^(src|tests|model_tests|tsan_tests|stress|bench)/")
# Only projects of users compile these (tests/suite/relacy_tests).
list(FILTER sources EXCLUDE REGEX "^src/ordeal/relacy_suites/")
if(NOT sources)
    message(FATAL_ERROR "no sources under ${root}")
endif()

function(is_listed source result)
    set(folder "${source}")
    if(source MATCHES "^src/ordeal/compiler/(.*)$")
        # Built by the projects of users, too, which do not come by a CMakeLists.txt of ours.
        set(name "${CMAKE_MATCH_1}")
        string(REPLACE "." "\\." name "${name}")
        file(READ "${root}/cmake/ordeal_compiler_plugin.cmake" lists)
        if(lists MATCHES "[ \n\";]${name}[ \n\";)]")
            set(${result} TRUE PARENT_SCOPE)
        endif()
        return()
    endif()
    while(folder)
        cmake_path(GET folder PARENT_PATH folder)
        if(EXISTS "${root}/${folder}/CMakeLists.txt")
            file(READ "${root}/${folder}/CMakeLists.txt" lists)
            cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${folder}" OUTPUT_VARIABLE name)
            string(REPLACE "." "\\." name "${name}")
            if(lists MATCHES "[ \n\";]${name}[ \n\";)]")
                set(${result} TRUE PARENT_SCOPE)
                return()
            endif()
        endif()
    endwhile()
    set(${result} FALSE PARENT_SCOPE)
endfunction()

foreach(source IN LISTS sources)
    is_listed("${source}" listed)
    if(NOT listed)
        message(SEND_ERROR "no CMakeLists.txt names ${source}")
    endif()
endforeach()
