# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The same sources three times: for the model, on real threads under ThreadSanitizer, and on real threads for tables of
# outcomes.
include_guard()

option(ORDEAL_SUITE_TSAN "ordeal_add_suite() makes NAME_tsan, which needs the compiler's ThreadSanitizer" ON)
option(ORDEAL_SUITE_STRESS "ordeal_add_suite() makes NAME_stress" ON)
mark_as_advanced(ORDEAL_SUITE_TSAN ORDEAL_SUITE_STRESS)

# What projects of users compile, beside trial_module.cpp and main.cpp: these files are part of the package.
set(ordeal_native_module ordeal/suite/native_module.cpp)
set(ordeal_sanitized_sources
    ordeal/engine/threads/batch.cpp
    ordeal/engine/threads/violations.cpp
    ordeal/runtime/order.cpp
    ordeal/runtime/violation.cpp
    ordeal/real/jitter.cpp
    ordeal/scenario/client_enumeration.cpp
    ordeal/scenario/client_family.cpp
    ordeal/scenario/client_outcomes.cpp
    ordeal/scenario/faults.cpp
    ordeal/scenario/history.cpp
    ordeal/scenario/require.cpp
    ordeal/scenario/scenario.cpp
    ordeal/scenario/sequential_behaviours.cpp
    ordeal/suite/sanitized_allocation.cpp
    ordeal/suite/sanitized_main.cpp
    ordeal/suite/sanitizer_hooks.cpp)
set_property(GLOBAL PROPERTY ORDEAL_SUITE_SOURCES ${ordeal_native_module} ${ordeal_sanitized_sources})
set_property(GLOBAL PROPERTY ORDEAL_SANITIZED_SOURCES ${ordeal_sanitized_sources})
unset(ordeal_native_module)
unset(ordeal_sanitized_sources)

# ordeal_sources_below(<result> <file below src>...)
function(ordeal_sources_below result)
    ordeal_internals_dir(src)
    list(TRANSFORM ARGN PREPEND "${src}/")
    set(${result} "${ARGN}" PARENT_SCOPE)
endfunction()

# ordeal_compile_natively(<target> <flag>...): as the user's project compiles, with assertions and debug information.
function(ordeal_compile_natively target)
    ordeal_compile_users_sources(${target} ${ARGN})
    target_compile_options(${target} PRIVATE -g -UNDEBUG "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
    target_compile_definitions(${target} PRIVATE ORDEAL_TRIAL=1 ORDEAL_NATIVE=1)
endfunction()

function(ordeal_compile_with_thread_sanitizer target)
    ordeal_optimise_a_little(${target} ${ARGN})
    # g++ says that fences are not seen, which our program says when it matters.
    target_compile_options(${target} PRIVATE -fsanitize=thread -fno-omit-frame-pointer
        "$<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>")
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
endfunction()

function(ordeal_require_thread_sanitizer)
    if("${CMAKE_EXE_LINKER_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-static($|[ -])")
        message(FATAL_ERROR "ordeal: a program under ThreadSanitizer cannot be linked statically; "
            "leave -static out, or NAME_tsan with -D ORDEAL_SUITE_TSAN=OFF")
    endif()
    if(NOT DEFINED ORDEAL_HAS_TSAN)
        file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/CMakeFiles/ordeal_tsan.cpp" CONTENT "int main() {}\n")
        try_compile(has_tsan "${CMAKE_BINARY_DIR}/CMakeFiles/ordeal_tsan"
            SOURCES "${CMAKE_BINARY_DIR}/CMakeFiles/ordeal_tsan.cpp"
            COMPILE_DEFINITIONS -fsanitize=thread LINK_OPTIONS -fsanitize=thread)
        set(ORDEAL_HAS_TSAN "${has_tsan}" CACHE INTERNAL "")
    endif()
    if(NOT ORDEAL_HAS_TSAN)
        message(FATAL_ERROR "ordeal: ${CMAKE_CXX_COMPILER} links no program with -fsanitize=thread: install its ThreadSanitizer "
            "(libtsan2 or later for g++, libclang-rt-N-dev for clang), or leave NAME_tsan out with -D ORDEAL_SUITE_TSAN=OFF")
    endif()
endfunction()

# What runs scenarios under ThreadSanitizer: once in a project, for all suites.
function(ordeal_add_sanitized_runner)
    if(TARGET ordeal_sanitized_runner)
        return()
    endif()
    get_property(sources GLOBAL PROPERTY ORDEAL_SANITIZED_SOURCES)
    ordeal_sources_below(sources ${sources})
    add_library(ordeal_sanitized_runner OBJECT EXCLUDE_FROM_ALL ${sources})
    ordeal_internals_dir(internals)
    target_include_directories(ordeal_sanitized_runner SYSTEM PRIVATE "${internals}")
    target_link_libraries(ordeal_sanitized_runner PRIVATE Threads::Threads)
    # Ours, whatever this project asks of its own sources.
    ordeal_compile_natively(ordeal_sanitized_runner -w -fexceptions -frtti)
    ordeal_compile_with_thread_sanitizer(ordeal_sanitized_runner)
    # Reports need its lines and no more, and it takes a fifth less time to compile so.
    target_compile_options(ordeal_sanitized_runner PRIVATE -g1)
    # As one source: most of what takes time is in headers that they all include.
    set_target_properties(ordeal_sanitized_runner PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE BATCH UNITY_BUILD_BATCH_SIZE 0)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        # Without it reports have addresses in place of lines.
        string(REGEX MATCH "^[0-9]+" major "${CMAKE_CXX_COMPILER_VERSION}")
        file(REAL_PATH "${CMAKE_CXX_COMPILER}" real)
        cmake_path(GET real PARENT_PATH folder)
        find_program(ORDEAL_SYMBOLIZER NAMES llvm-symbolizer llvm-symbolizer-${major} HINTS "${folder}")
        mark_as_advanced(ORDEAL_SYMBOLIZER)
        if(ORDEAL_SYMBOLIZER)
            target_compile_definitions(ordeal_sanitized_runner PRIVATE ORDEAL_SYMBOLIZER="${ORDEAL_SYMBOLIZER}")
        endif()
    endif()
endfunction()

function(ordeal_add_sanitized_program program name sources libraries options)
    ordeal_require_thread_sanitizer()
    ordeal_add_sanitized_runner()
    ordeal_sources_below(module ordeal/suite/native_module.cpp)
    ordeal_compile_own("${module}")
    add_executable(${program} ${sources} "${module}" $<TARGET_OBJECTS:ordeal_sanitized_runner>)
    ordeal_compile_natively(${program} ${options})
    ordeal_compile_with_thread_sanitizer(${program} ${options})
    target_compile_definitions(${program} PRIVATE ORDEAL_TRIAL_NAME="${name}")
    target_link_libraries(${program} PRIVATE ${libraries} Threads::Threads)
    target_link_options(${program} PRIVATE -fsanitize=thread LINKER:--wrap=__tsan_atomic_thread_fence)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        # The C++ driver would link ThreadSanitizer's operator new and delete whole; ours must be the only ones.
        target_link_options(${program} PRIVATE --driver-mode=gcc)
        target_link_libraries(${program} PRIVATE stdc++ m)
    endif()
endfunction()

function(ordeal_add_stress_program program name sources libraries options)
    # Apart from what is linked with them: that asks for C++20, and these sources may be of an earlier standard.
    ordeal_sources_below(module ordeal/suite/native_module.cpp)
    ordeal_compile_own("${module}")
    add_library(${program}_sources OBJECT ${sources} "${module}")
    ordeal_compile_natively(${program}_sources ${options})
    target_compile_definitions(${program}_sources PRIVATE ORDEAL_TRIAL_NAME="${name}")
    target_link_libraries(${program}_sources PRIVATE ${libraries})
    ordeal_sources_below(main ordeal/main.cpp)
    add_executable(${program} "${main}" $<TARGET_OBJECTS:${program}_sources>)
    target_link_libraries(${program} PRIVATE ${libraries})
    # The model is asked which outcomes are possible: of the sources as code on trial, in the same program.
    ordeal_use_trials(${program} ${name})
endfunction()

# ordeal_add_suite(<name> SOURCES <file>... [LIBRARIES <target>...] [OPTIONS <flag>...] [LABELS <label>...]
#     [INSTRUMENT <target>...] [ALLOW_UNSEEN <name>...] [TIMEOUT <seconds>] [SECONDS <seconds>])
#
# Three programs of the same sources, each with a ctest entry for each scenario:
#   <name>          for the model: every execution is checked, as by ordeal_add_trial() and ordeal_discover_tests()
#   <name>_tsan     on real threads under ThreadSanitizer, label `tsan`
#   <name>_stress   on real threads, with a table of the outcomes, label `stress`
# The two on real threads run for SECONDS a scenario, one if nothing is said; what must be violated has no entry there.
function(ordeal_add_suite name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT;SECONDS" "SOURCES;LIBRARIES;INSTRUMENT;ALLOW_UNSEEN;OPTIONS;LABELS")
    ordeal_require_word_sources(ordeal_add_suite ${name} "${arg_SOURCES}" "${arg_UNPARSED_ARGUMENTS}")
    if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
        message(FATAL_ERROR "ordeal: a suite is NAME SOURCES file... [LIBRARIES target...] [INSTRUMENT target...] "
            "[ALLOW_UNSEEN name...] [OPTIONS flag...] [LABELS label...] [TIMEOUT seconds] [SECONDS seconds]")
    endif()
    if(NOT arg_SECONDS)
        set(arg_SECONDS 1)
    endif()
    ordeal_add_trial(${name} SOURCES ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES} INSTRUMENT ${arg_INSTRUMENT}
        ALLOW_UNSEEN ${arg_ALLOW_UNSEEN} OPTIONS ${arg_OPTIONS})
    # On real threads they are what they are.
    list(APPEND arg_LIBRARIES ${arg_INSTRUMENT})
    list(REMOVE_DUPLICATES arg_LIBRARIES)
    ordeal_discover_tests(${name} LABELS ${arg_LABELS} TIMEOUT ${arg_TIMEOUT})
    if(ORDEAL_SUITE_TSAN)
        ordeal_add_sanitized_program(${name}_tsan ${name} "${arg_SOURCES}" "${arg_LIBRARIES}" "${arg_OPTIONS}")
        ordeal_tests_at_test_time(${name}_tsan KIND run NAME ${name}_tsan ARGUMENTS --seconds ${arg_SECONDS}
            LABELS ordeal tsan ${arg_LABELS} TIMEOUT ${arg_TIMEOUT})
    endif()
    if(ORDEAL_SUITE_STRESS)
        ordeal_add_stress_program(${name}_stress ${name} "${arg_SOURCES}" "${arg_LIBRARIES}" "${arg_OPTIONS}")
        ordeal_tests_at_test_time(${name}_stress KIND stress NAME ${name}_stress ARGUMENTS --seconds ${arg_SECONDS}
            LABELS ordeal stress ${arg_LABELS} TIMEOUT ${arg_TIMEOUT})
    endif()
endfunction()
