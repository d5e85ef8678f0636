# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Source lists are explicit; a file in none of them would be built and tested by nobody. Each must be named in the
# CMakeLists.txt nearest above it.
cmake_minimum_required(VERSION 3.25)

foreach(folder src tests model_tests tsan_tests)
    file(GLOB_RECURSE files RELATIVE "${root}" "${root}/${folder}/*.cpp" "${root}/${folder}/*.hpp")
    list(APPEND sources ${files})
endforeach()
if(NOT sources)
    message(FATAL_ERROR "no sources under ${root}")
endif()

foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    while(NOT EXISTS "${root}/${folder}/CMakeLists.txt")
        cmake_path(GET folder PARENT_PATH folder)
    endwhile()
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${folder}" OUTPUT_VARIABLE name)
    file(READ "${root}/${folder}/CMakeLists.txt" lists)
    string(FIND "${lists}" "${name}" position)
    if(position EQUAL -1)
        message(SEND_ERROR "${folder}/CMakeLists.txt does not name ${name}")
    endif()
endforeach()
