# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include_guard()

set(CMAKE_CXX_EXTENSIONS OFF)

# Every target of ours links this one privately, before anything is compiled. Users of our libraries do not get it.
set(ORDEAL_WARNINGS
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align
    -Wimplicit-fallthrough -Wunused)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # For g++ the names in an `enum class` hide those around it, though nobody can mean them.
    list(TRANSFORM ORDEAL_WARNINGS REPLACE "^-Wshadow$" "-Wshadow=local")
endif()
if(ORDEAL_DEVELOPER)
    list(APPEND ORDEAL_WARNINGS -Werror)
endif()
add_library(ordeal_compile_options INTERFACE)
target_compile_features(ordeal_compile_options INTERFACE cxx_std_20)
target_compile_options(ordeal_compile_options INTERFACE
    ${ORDEAL_WARNINGS}
    # Assertions are part of what is checked, in every build type.
    -UNDEBUG
    # std::source_location::file_name() is relative to the project: sites are named alike on every machine.
    "$<BUILD_INTERFACE:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>")

# For what is installed with debug information, from which the program has its names: that, too, names files relative to the
# project, and has no path of this machine.
set(ORDEAL_INSTALLED_DEBUG_INFO -g "-fdebug-prefix-map=${PROJECT_SOURCE_DIR}/=")

if(ORDEAL_SANITIZE)
    target_compile_options(ordeal_compile_options INTERFACE
        "-fsanitize=${ORDEAL_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
    target_link_options(ordeal_compile_options INTERFACE "-fsanitize=${ORDEAL_SANITIZE}")
endif()

if(ORDEAL_COVERAGE)
    # The child processes of a search end with _exit, which writes no counters; linked programs get one that does.
    add_library(ordeal_write_counters STATIC "${CMAKE_CURRENT_LIST_DIR}/write_counters.cpp")
    target_compile_options(ordeal_compile_options INTERFACE -fprofile-instr-generate -fcoverage-mapping)
    target_link_options(ordeal_compile_options INTERFACE -fprofile-instr-generate -Wl,--wrap=_exit)
    target_link_libraries(ordeal_compile_options INTERFACE ordeal_write_counters)
endif()

# ordeal_precompile(<target> [<header>...]): what most of its sources include; besides, those headers. Without it, in other
# presets, a source that forgets one of them does not compile; of headers a test says so (tests/configure/precompiled_names.py).
function(ordeal_precompile target)
    if(NOT ORDEAL_PRECOMPILE)
        return()
    endif()
    target_precompile_headers(${target} PRIVATE
        <algorithm> <array> <chrono> <cstddef> <cstdint> <functional> <iterator> <map> <memory> <optional> <set> <span>
        <stdexcept> <string> <string_view> <system_error> <tuple> <utility> <vector> ${ARGN})
    # With the time in it, a compiler cache would never meet it again.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
endfunction()

# ordeal_compile_in_batches(<target> <prefix>... [ALONE <source>...]): for each prefix, a regular expression, the sources whose path
# begins with it, and with no earlier one, are compiled as one: what they all include is parsed once. ALONE: those that have a
# name of their own in common with others. Presets without ORDEAL_BATCHES compile each source alone.
function(ordeal_compile_in_batches target)
    if(NOT ORDEAL_BATCHES)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ALONE")
    get_target_property(sources ${target} SOURCES)
    list(REMOVE_ITEM sources ${arg_ALONE})
    foreach(prefix IN LISTS arg_UNPARSED_ARGUMENTS)
        set(batch ${sources})
        list(FILTER batch INCLUDE REGEX "^${prefix}.*\\.cpp$")
        list(REMOVE_ITEM sources ${batch})
        string(MAKE_C_IDENTIFIER "${prefix}" name)
        set_source_files_properties(${batch} PROPERTIES UNITY_GROUP "${name}")
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

find_program(ORDEAL_CCACHE ccache)
mark_as_advanced(ORDEAL_CCACHE)
if(ORDEAL_CCACHE AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Without this it keeps nothing that is compiled with headers that were compiled in advance.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${ORDEAL_CCACHE}")
endif()
