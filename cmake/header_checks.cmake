# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every header compiles on its own. A public one does because a test compiles it with nothing else (tests/package/headers.sh); one
# with a source of its name beside it because that source includes it before anything else, which another test looks at
# (tests/configure/own_header.cmake). Each of the others is compiled alone by the target header_checks, which ci/tidy.sh builds.
include_guard()

# ordeal_check_headers(<library>): checks its internal headers.
function(ordeal_check_headers library)
    if(NOT ORDEAL_DEVELOPER)
        return()
    endif()
    if(NOT TARGET header_checks)
        add_custom_target(header_checks)
    endif()
    get_property(headers TARGET ${library} PROPERTY HEADER_SET_internal)
    set(sources "")
    foreach(header IN LISTS headers)
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
    add_dependencies(header_checks ${library}_header_checks)
endfunction()
