# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Code on trial that was not written for it. Its sources are compiled so that they tell every access they make, and linked
# into a shared library that exports nothing: no copy of a function that the harness compiled can take the place of an
# instrumented one, nor the reverse. The program with the harness defines what the library calls.
include_guard()

# Global: the functions below are called in directories that do not have the variables of this one.
cmake_path(SET instrumented NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../src/ordeal/instrumented")
set_property(GLOBAL PROPERTY ORDEAL_INSTRUMENTED_DIR "${instrumented}")
unset(instrumented)

# ordeal_trial_compile_options(<result> <compiler id>): what makes sources visible.
function(ordeal_trial_compile_options result compiler)
    get_property(instrumented GLOBAL PROPERTY ORDEAL_INSTRUMENTED_DIR)
    set(options
        -fsanitize=thread -g -fno-omit-frame-pointer
        # Assertions and requirements are what is checked.
        -UNDEBUG
        -DORDEAL_TRIAL=1
        # Headers before libstdc++'s of the same names. Without them weak compare-exchanges would be strong, atomic waits
        # would spin, and what libstdc++ has ready in its shared library of its templates would not be seen.
        "-isystem${instrumented}/std")
    if(compiler STREQUAL "Clang")
        # In `++count` the read is told, too: of what was never written, perhaps.
        list(APPEND options -femulated-tls -mllvm=-tsan-compound-read-before-write=1)
    else()
        # g++ has no emulated thread-local storage, but calls for the address of each variable. Unique symbols would be
        # shared with the harness even though they are not exported.
        list(APPEND options -ftls-model=global-dynamic -fno-gnu-unique)
    endif()
    set(${result} "${options}" PARENT_SCOPE)
endfunction()

# ordeal_add_trial_library(<name> SOURCES <file>... [LIBRARIES <target>...] [OPTIONS <flag>...])
#
# The shared library <name>_trial, with the scenarios registered in these sources; with the scenario <name> too, if they
# define `void trial()`. The options are for these sources alone. The libraries are linked into it: what is not compiled
# with it, a header's functions excepted, is run but not seen.
function(ordeal_add_trial_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES;OPTIONS")
    if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
        message(FATAL_ERROR "ordeal: a trial is NAME SOURCES file... [LIBRARIES target...] [OPTIONS flag...]")
    endif()
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES "^(Clang|GNU)$")
        message(FATAL_ERROR "ordeal: a trial is compiled by clang or g++, not by ${CMAKE_CXX_COMPILER_ID}")
    endif()
    string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
    get_directory_property(link_options LINK_OPTIONS)
    string(REGEX MATCH "no-undefined|-z[, ]?defs" no_undefined
        "${CMAKE_SHARED_LINKER_FLAGS} ${CMAKE_SHARED_LINKER_FLAGS_${build_type}} ${link_options}")
    get_directory_property(directory_options COMPILE_OPTIONS)
    if("${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}} ${directory_options} ${arg_OPTIONS}" MATCHES "-fsanitize")
        message(FATAL_ERROR "ordeal: a trial cannot be combined with a sanitizer")
    endif()
    get_property(instrumented GLOBAL PROPERTY ORDEAL_INSTRUMENTED_DIR)

    # Last: of functions that several objects have, the linker keeps the first.
    set(module "${instrumented}/trial_module.cpp")
    add_library(${name}_trial SHARED ${arg_SOURCES} "${module}")
    set_source_files_properties("${module}" PROPERTIES
        COMPILE_OPTIONS "-fno-sanitize=thread" SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
    set_target_properties(${name}_trial PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
    target_compile_features(${name}_trial PRIVATE cxx_std_20)
    # The compilers of this project, which need not be the one that ordeal was built with.
    foreach(language CXX C)
        ordeal_trial_compile_options(options "${CMAKE_${language}_COMPILER_ID}")
        list(TRANSFORM options REPLACE "^(.*)$" "$<$<COMPILE_LANGUAGE:${language}>:\\1>")
        target_compile_options(${name}_trial PRIVATE ${options})
    endforeach()
    target_compile_options(${name}_trial PRIVATE
        # Where a requirement failed is named alike on every machine.
        "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
    target_compile_options(${name}_trial PRIVATE ${arg_OPTIONS})
    target_compile_definitions(${name}_trial PRIVATE
        ORDEAL_TRIAL_NAME="${name}"
        ORDEAL_TRIAL_ROOT="${PROJECT_SOURCE_DIR}")
    target_link_libraries(${name}_trial PRIVATE ordeal::coro ${arg_LIBRARIES})

    set(exports "${instrumented}/exports_nothing.map")
    set(wrapped "${instrumented}/wrapped_functions.txt")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${wrapped}")
    set_property(TARGET ${name}_trial APPEND PROPERTY LINK_DEPENDS "${exports}")
    file(STRINGS "${wrapped}" functions REGEX "^[A-Za-z_]")
    list(TRANSFORM functions PREPEND "LINKER:--wrap=")
    target_link_options(${name}_trial PRIVATE
        "LINKER:--version-script=${exports}" LINKER:-Bsymbolic LINKER:-z,now LINKER:-z,relro ${functions}
        # The program defines what the library calls, whatever this project asks of its other libraries.
        $<$<BOOL:${no_undefined}>:LINKER:-z,undefs>)
endfunction()

# ordeal_use_trials(<executable> <name>...): links trial libraries, and what they call, into a program with a harness.
function(ordeal_use_trials executable)
    list(TRANSFORM ARGN APPEND _trial OUTPUT_VARIABLE trials)
    # Nothing in the program refers to a trial, which registers itself; much of the runtime is called by libraries alone.
    target_link_options(${executable} PRIVATE LINKER:--no-as-needed)
    target_link_libraries(${executable} PRIVATE
        ${trials} "$<LINK_LIBRARY:WHOLE_ARCHIVE,ordeal::instrumented>" ordeal::harness)
    set_target_properties(${executable} PROPERTIES BUILD_RPATH_USE_ORIGIN ON)
endfunction()

# ordeal_add_trial(<name> SOURCES <file>... [LIBRARIES <target>...] [OPTIONS <flag>...])
#
# The program <name>: the command line of ordeal over the scenarios of these sources.
function(ordeal_add_trial name)
    if(NOT TARGET ordeal::harness)
        message(FATAL_ERROR "ordeal: a trial needs the harness; set ORDEAL_HARNESS to ON before ordeal is added")
    endif()
    ordeal_add_trial_library(${name} ${ARGN})
    get_property(instrumented GLOBAL PROPERTY ORDEAL_INSTRUMENTED_DIR)
    add_executable(${name} "${instrumented}/../main.cpp")
    ordeal_use_trials(${name} ${name})
endfunction()
