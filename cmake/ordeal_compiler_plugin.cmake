# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What compilers leave out of -fsanitize=thread, a plugin of ours adds. It is built for the compiler that a project's trials
# are compiled with: ordeal's own, where that is the same, else once in the project.
include_guard()

option(ORDEAL_COMPILER_PLUGIN "Compile trials with a plugin that tells of what the compiler leaves out" ON)
mark_as_advanced(ORDEAL_COMPILER_PLUGIN)

# What commands there are is part of what a plugin is made of.
set_property(GLOBAL PROPERTY ORDEAL_PLUGIN_COMMANDS "${CMAKE_CURRENT_LIST_FILE}")

# ordeal_plugin_sources(<result> <id>): what the plugin is made of.
function(ordeal_plugin_sources result id)
    if(id STREQUAL "Clang")
        set(sources clang_accesses.cpp clang_accesses.hpp clang_back_off.cpp clang_back_off.hpp
            clang_copies.cpp clang_copies.hpp clang_coroutines.cpp clang_coroutines.hpp
            clang_counted_loops.cpp clang_counted_loops.hpp
            clang_fences.cpp clang_fences.hpp clang_lifetimes.cpp clang_lifetimes.hpp clang_live_instructions.cpp
            clang_live_instructions.hpp clang_loop_headers.cpp clang_loop_headers.hpp clang_padding.cpp
            clang_padding.hpp clang_plugin.cpp clang_short_circuits.cpp clang_short_circuits.hpp)
    else()
        set(sources gxx_plugin.cpp)
    endif()
    get_property(folder GLOBAL PROPERTY ORDEAL_COMPILER_DIR)
    list(TRANSFORM sources PREPEND "${folder}/")
    set(${result} "${sources}" PARENT_SCOPE)
endfunction()

# ordeal_plugin_command(<result> <compiler> <id> <version>): the command that compiles the plugin for a compiler, but for
# `-o FILE`; empty where the headers for that are not installed.
function(ordeal_plugin_command result compiler id version)
    set(${result} "" PARENT_SCOPE)
    ordeal_plugin_sources(sources "${id}")
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    if(id STREQUAL "Clang")
        string(REGEX MATCH "^[0-9]+" major "${version}")
        file(REAL_PATH "${compiler}" real)
        cmake_path(GET real PARENT_PATH folder)
        find_program(ORDEAL_LLVM_CONFIG_${major} NAMES llvm-config-${major} llvm-config HINTS "${folder}")
        mark_as_advanced(ORDEAL_LLVM_CONFIG_${major})
        if(NOT ORDEAL_LLVM_CONFIG_${major})
            return()
        endif()
        execute_process(COMMAND "${ORDEAL_LLVM_CONFIG_${major}}" --version
            OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE)
        execute_process(COMMAND "${ORDEAL_LLVM_CONFIG_${major}}" --includedir
            OUTPUT_VARIABLE include OUTPUT_STRIP_TRAILING_WHITESPACE)
        # From LLVM 22 on the header is in another folder.
        if(NOT found MATCHES "^${major}\\."
           OR NOT (EXISTS "${include}/llvm/Passes/PassPlugin.h" OR EXISTS "${include}/llvm/Plugins/PassPlugin.h"))
            return()
        endif()
        set(command "${compiler}" -std=c++20 -O1 -fno-rtti -fno-exceptions -shared -fPIC -isystem "${include}"
            -D_GNU_SOURCE -D__STDC_CONSTANT_MACROS -D__STDC_FORMAT_MACROS -D__STDC_LIMIT_MACROS)
        # All in one translation unit: most of the time would go into the headers of LLVM, once for each.
        list(POP_BACK sources last)
        foreach(source IN LISTS sources)
            list(APPEND command -include "${source}")
        endforeach()
        list(APPEND command "${last}")
    else()
        execute_process(COMMAND "${compiler}" -print-file-name=plugin
            OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE)
        if(NOT EXISTS "${folder}/include/gcc-plugin.h")
            return()
        endif()
        set(command "${compiler}" -std=c++20 -O1 -fno-rtti -shared -fPIC -isystem "${folder}/include"
            ${sources})
    endif()
    set(${result} "${command}" PARENT_SCOPE)
endfunction()

# ordeal_plugin_name(<result> <id> <version>): the plugin's file. Its name tells what it was made of: where that changes, so do
# the options that objects are compiled with, for the build and for compiler caches. It does not tell where that was.
function(ordeal_plugin_name result id version)
    ordeal_plugin_sources(inputs "${id}")
    set(made_of "")
    get_property(commands GLOBAL PROPERTY ORDEAL_PLUGIN_COMMANDS)
    foreach(input IN LISTS commands inputs)
        file(MD5 "${input}" hash)
        string(APPEND made_of "${hash}")
    endforeach()
    string(MD5 hash "${made_of}")
    string(SUBSTRING "${hash}" 0 12 hash)
    set(${result} "ordeal_plugin_${id}_${version}_${hash}.so" PARENT_SCOPE)
endfunction()

# ordeal_add_plugin(<target> <compiler> <id> <version>): the target that builds the plugin for a compiler. Its property
# ORDEAL_OPTION is the option that loads it; empty where there is none. One that came with ordeal needs no headers of the compiler.
function(ordeal_add_plugin target compiler id version)
    add_custom_target(${target})
    set_target_properties(${target} PROPERTIES ORDEAL_OPTION "")
    if(NOT ORDEAL_COMPILER_PLUGIN)
        return()
    endif()
    ordeal_plugin_sources(inputs "${id}")
    set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs})
    ordeal_plugin_name(name "${id}" "${version}")
    set(load "-fplugin=")
    if(id STREQUAL "Clang")
        set(load "-fpass-plugin=")
    endif()
    # Ordeal's own build has built it already, if it was built with the same compiler. Others of the same version may not load it.
    get_property(built_dir GLOBAL PROPERTY ORDEAL_BUILT_PLUGIN_DIR)
    set(loaded 1)
    if(built_dir AND EXISTS "${built_dir}/${name}")
        execute_process(COMMAND "${compiler}" "${load}${built_dir}/${name}" -x c++ -S -o /dev/null /dev/null
            RESULT_VARIABLE loaded OUTPUT_QUIET ERROR_QUIET)
    endif()
    get_property(other GLOBAL PROPERTY "ORDEAL_BUILDS_${name}")
    set(plugin "${CMAKE_BINARY_DIR}/${name}")
    if(loaded EQUAL 0)
        set(plugin "${built_dir}/${name}")
    elseif(other)
        add_dependencies(${target} ${other})
    else()
        ordeal_plugin_command(command "${compiler}" "${id}" "${version}")
        if(NOT command)
            return()
        endif()
        add_custom_command(OUTPUT "${plugin}"
            COMMAND ${command} -o "${plugin}"
            DEPENDS ${inputs}
            COMMENT "Building the plugin for ${id} ${version}" VERBATIM)
        add_custom_target(${target}_file ALL DEPENDS "${plugin}")
        add_dependencies(${target} ${target}_file)
        set_property(GLOBAL PROPERTY "ORDEAL_BUILDS_${name}" ${target}_file)
        set_property(GLOBAL APPEND PROPERTY ORDEAL_PLUGINS "${plugin}")
    endif()
    set_target_properties(${target} PROPERTIES ORDEAL_OPTION "${load}${plugin}")
endfunction()

# ordeal_load_plugin(<target>): compiles it with the plugin for this project's compiler, if there is one.
function(ordeal_load_plugin target)
    if(NOT TARGET ordeal_compiler_plugin)
        ordeal_add_plugin(ordeal_compiler_plugin
            "${CMAKE_CXX_COMPILER}" "${CMAKE_CXX_COMPILER_ID}" "${CMAKE_CXX_COMPILER_VERSION}")
    endif()
    get_target_property(option ordeal_compiler_plugin ORDEAL_OPTION)
    set(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
    set(why "whose headers for that (llvm-N-dev, gcc-N-plugin-dev) are not installed")
    set(c_compiler "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}")
    if(CMAKE_C_COMPILER_ID AND NOT compiler STREQUAL c_compiler)
        get_target_property(sources ${target} SOURCES)
        list(FILTER sources INCLUDE REGEX "\\.c$")
        if(sources)
            set(option "")  # they are compiled by another one, which could not load it
            set(why "for ${target} has C sources, which ${c_compiler} compiles: set CMAKE_C_COMPILER to the same compiler")
        endif()
    endif()
    if(option)
        add_dependencies(${target} ordeal_compiler_plugin)
        target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${option}>")
        if(compiler STREQUAL c_compiler)
            target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:C>:${option}>")
        endif()
    elseif(NOT ORDEAL_SAID_NO_PLUGIN)
        message(STATUS "ordeal: no plugin for ${compiler}, ${why}: each verdict on its trials has a limit that says what is not seen")
        set(ORDEAL_SAID_NO_PLUGIN ON CACHE INTERNAL "")
    endif()
    target_compile_definitions(${target} PRIVATE "ORDEAL_HAS_PLUGIN=$<BOOL:${option}>")
endfunction()
