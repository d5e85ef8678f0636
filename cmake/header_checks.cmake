# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every header compiles on its own. One with a source of its name beside it does because that source includes it before
# anything else, which a test looks at (tests/configure/own_header.cmake). Each of the others is compiled alone, by the target
# all_header_checks.
include_guard()

# ordeal_check_headers(<library>): checks its headers, public and internal.
function(ordeal_check_headers library)
    if(NOT ORDEAL_DEVELOPER)
        return()
    endif()
    if(NOT TARGET all_header_checks)
        add_custom_target(all_header_checks)
    endif()
    # What a header includes does not depend on it, and another preset has looked.
    if(ORDEAL_SANITIZE)
        return()
    endif()
    get_property(public TARGET ${library} PROPERTY HEADER_SET)
    get_property(internal TARGET ${library} PROPERTY HEADER_SET_internal)
    set(sources "")
    foreach(header IN LISTS public internal)
        cmake_path(ABSOLUTE_PATH header BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
        cmake_path(REPLACE_EXTENSION header cpp OUTPUT_VARIABLE own_source)
        if(NOT EXISTS "${own_source}")
            cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/src" OUTPUT_VARIABLE name)
            set(source "${CMAKE_CURRENT_BINARY_DIR}/header_checks/${name}.cpp")
            file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${name}\"\n" @ONLY)
            list(APPEND sources "${source}")
        endif()
    endforeach()
    if(NOT sources)
        return()
    endif()
    add_library(${library}_header_checks OBJECT EXCLUDE_FROM_ALL ${sources})
    target_link_libraries(${library}_header_checks PRIVATE ordeal_compile_options ${library})
    target_compile_options(${library}_header_checks PRIVATE -O0)  # there is nothing to make faster
    list(LENGTH sources number)
    if(number GREATER 10)
        # That would hide what a header does not include of the standard library, but another test looks for that
        # (tests/configure/precompiled_names.py).
        ordeal_precompile(${library}_header_checks)
    endif()
    add_dependencies(all_header_checks ${library}_header_checks)
endfunction()
