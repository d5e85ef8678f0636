# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Code on trial that was not written for it. Its sources are compiled so that they tell every access they make, and linked
# into a shared library that exports nothing: no copy of a function that the harness compiled can take the place of an
# instrumented one, nor the reverse. The program with the harness defines what the library calls.
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/ordeal_compiler_plugin.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/ordeal_linked_targets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/ordeal_discover_tests.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/ordeal_add_suite.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/ordeal_add_test_program.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/ordeal_add_relacy_tests.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/ordeal_add_tests.cmake")

# Global: the functions below are called in directories that do not have the variables of this one.
cmake_path(SET instrumented NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../src/ordeal/instrumented")
set_property(GLOBAL PROPERTY ORDEAL_INSTRUMENTED_DIR "${instrumented}")
cmake_path(SET compiler_dir NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../src/ordeal/compiler")
set_property(GLOBAL PROPERTY ORDEAL_COMPILER_DIR "${compiler_dir}")
unset(instrumented)
unset(compiler_dir)

# What older compilers make of -fsanitize=thread nobody has looked at, and they do not know all of the options below.
function(ordeal_require_trial_compiler id version)
    set(first_Clang 19)
    set(first_GNU 12)
    if(NOT id MATCHES "^(Clang|GNU)$" OR version VERSION_LESS first_${id})
        message(FATAL_ERROR
            "ordeal: a trial is compiled by clang ${first_Clang} or later, or by g++ ${first_GNU} or later, not by ${id} ${version}")
    endif()
endfunction()

# ordeal_trial_compile_options(<result> <compiler id>): what makes sources visible.
function(ordeal_trial_compile_options result compiler)
    get_property(instrumented GLOBAL PROPERTY ORDEAL_INSTRUMENTED_DIR)
    set(options
        -fsanitize=thread -g -fno-omit-frame-pointer -fno-lto
        # A frame that is larger than the guard of a stack must not step over it.
        -fstack-clash-protection
        # Assertions and requirements are what is checked.
        -UNDEBUG
        -DORDEAL_TRIAL=1
        # Headers before libstdc++'s of the same names. Without them weak compare-exchanges would be strong, atomic waits
        # would spin, and what libstdc++ has ready in its shared library of its templates would not be seen.
        "-isystem${instrumented}/libstdcxx/overlay")
    if(compiler STREQUAL "Clang")
        # Equal operations in two branches stay two: they are two places in the source.
        list(APPEND options -femulated-tls
            # It tells where scopes begin and end, without optimisation too.
            -Xclang=-fsanitize-address-use-after-scope
            # Each class has a destructor of its own, where its members end; and those are known, though their
            # constructor is compiled elsewhere.
            -Xclang=-mno-constructor-aliases
            -fstandalone-debug
            # Each variable has a place of its own, so that one that is used after its scope is not taken for another.
            -mllvm=-no-stack-coloring
            -mllvm=-simplifycfg-hoist-common=false
            -mllvm=-sink-common-insts=false -mllvm=-enable-tail-merge=0
            # Code that cannot be reached is a trap, not whatever optimisation makes of it; for g++ as well, below.
            -fsanitize=return,unreachable,array-bounds -fsanitize-trap=return,unreachable,array-bounds
            # clang drops an operation with an order that it cannot have.
            -Werror=atomic-memory-ordering)
        if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 22)
            # These take a local variable for nobody else's although the address of one of its members got out
            # (LLVM pull request 132756). So every local variable is one that may be shared.
            list(APPEND options -mllvm=-capture-tracking-max-uses-to-explore=0)
        endif()
    else()
        # g++ has no emulated thread-local storage, but calls for the address of each variable. Unique symbols would be
        # shared with the harness even though they are not exported.
        list(APPEND options -ftls-model=global-dynamic -fno-gnu-unique)
        list(APPEND options -fsanitize=return,unreachable,bounds -fsanitize-undefined-trap-on-error)
        # Fences are no matter here, and what the built-in functions do to memory must be calls.
        list(APPEND options -Wno-tsan -fno-builtin
            -mmemcpy-strategy=libcall:-1:noalign -mmemset-strategy=libcall:-1:noalign
            # Its pass comes after these, and does not see what they make: accesses of many elements, under masks.
            -fno-tree-vectorize -fno-tree-slp-vectorize)
    endif()
    set(${result} "${options}" PARENT_SCOPE)
endfunction()

# ordeal_optimise_a_little(<target> <flag>...): where nobody has asked for a level, among those flags of the user's or elsewhere.
# Of two levels the compiler takes the last one, so none is given where the user has.
function(ordeal_optimise_a_little target)
    get_directory_property(directory_options COMPILE_OPTIONS)
    get_target_property(own_options ${target} COMPILE_OPTIONS)
    if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES
       AND NOT ";${CMAKE_CXX_FLAGS};${CMAKE_C_FLAGS};${directory_options};${own_options};${ARGN};" MATCHES "[; ]-O")
        target_compile_options(${target} PRIVATE -O1)
    endif()
endfunction()

# ordeal_compile_users_sources(<target> <flag>...): with these flags, and as C++20 where none of them says another standard. Each
# standard is for its language alone.
function(ordeal_compile_users_sources target)
    get_target_property(in_c ${target} SOURCES)
    list(FILTER in_c INCLUDE REGEX "\\.c$")
    foreach(source IN LISTS in_c)
        get_source_file_property(language "${source}" LANGUAGE)
        if(CMAKE_C_COMPILER_LOADED OR language STREQUAL "CXX")
            continue()
        endif()
        set(in_c "${source}")
        message(FATAL_ERROR "ordeal: ${in_c} is in C, and this project is not: write project(${PROJECT_NAME} LANGUAGES C CXX)")
    endforeach()
    # Of existing tests, with what they link: what compiles as they ask need not as C++20.
    get_target_property(own_standard ${target} ORDEAL_OWN_STANDARD)
    foreach(flag IN LISTS ARGN)
        if(flag MATCHES "^-std=[a-z]+\\+\\+")
            set(own_standard ON)
            set(flag "$<$<COMPILE_LANGUAGE:CXX>:${flag}>")
        elseif(flag MATCHES "^-std=")
            set(flag "$<$<COMPILE_LANGUAGE:C>:${flag}>")
        endif()
        target_compile_options(${target} PRIVATE "${flag}")
    endforeach()
    if(own_standard)
        # Linked, it would ask for C++20, and CMake's flag for that comes last.
        target_include_directories(${target} SYSTEM PRIVATE "$<TARGET_PROPERTY:ordeal::coro,INTERFACE_INCLUDE_DIRECTORIES>")
    else()
        target_compile_features(${target} PRIVATE cxx_std_20)
        target_link_libraries(${target} PRIVATE ordeal::coro)
    endif()
endfunction()

# The compilers are those of the project that the trial is in, which need not be the one that ordeal was built with.
function(ordeal_compile_as_trial target)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
    get_directory_property(directory_options COMPILE_OPTIONS)
    set(flags "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}} ${directory_options} ${ARGN}")
    if(flags MATCHES "-fsanitize")
        message(FATAL_ERROR "ordeal: a trial cannot be combined with a sanitizer")
    endif()
    if(flags MATCHES "--coverage|-fprofile-|-ftest-coverage|-fcoverage-mapping")
        message(FATAL_ERROR
            "ordeal: a trial cannot count what is covered; --coverage of `check` tells the states of atomics")
    endif()
    ordeal_compile_users_sources(${target} ${ARGN})
    # Loops of code that was not optimised at all have so much on their stacks that they are seldom seen to come back.
    ordeal_optimise_a_little(${target} ${ARGN})
    foreach(language CXX C)
        ordeal_trial_compile_options(options "${CMAKE_${language}_COMPILER_ID}")
        if(language STREQUAL "C")
            list(REMOVE_ITEM options -fno-gnu-unique)
        endif()
        list(TRANSFORM options REPLACE "^(.+)$" "$<$<COMPILE_LANGUAGE:${language}>:\\1>")
        target_compile_options(${target} PRIVATE ${options})
    endforeach()
    ordeal_load_plugin(${target})
    # Where a requirement failed is named alike on every machine.
    target_compile_options(${target} PRIVATE "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
endfunction()

# ordeal_require_word_sources(<function> <name> <sources> <other arguments>): what most functions of CMake take without that word.
function(ordeal_require_word_sources function name sources others)
    if(NOT sources AND others MATCHES "\\.")
        list(JOIN others " " words)
        message(FATAL_ERROR
            "ordeal: ${function}(${name} ${words}) has no SOURCES; write ${function}(${name} SOURCES ${words})")
    endif()
endfunction()

# ordeal_quoted(<result> <text>): as one word in a file of options.
function(ordeal_quoted result text)
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    set(${result} "\"${text}\"" PARENT_SCOPE)
endfunction()

function(ordeal_link_as_trial target)
    get_property(instrumented GLOBAL PROPERTY ORDEAL_INSTRUMENTED_DIR)
    set(exports "${instrumented}/exports_nothing.map")
    set(wrapped "${instrumented}/wrapped_functions.txt")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${wrapped}")
    # In a file: what the linker says is not to be lost among hundreds of options.
    file(STRINGS "${wrapped}" functions REGEX "^[A-Za-z_]")
    list(TRANSFORM functions PREPEND "--wrap=")
    list(JOIN functions "\n" options)
    set(map "${CMAKE_CURRENT_BINARY_DIR}/${target}.map")
    ordeal_quoted(quoted_map "${map}")
    ordeal_quoted(quoted_exports "${exports}")
    string(APPEND options "\n-Map=${quoted_map}\n--version-script=${quoted_exports}")
    set(options_file "${CMAKE_CURRENT_BINARY_DIR}/${target}.wrapped")
    file(CONFIGURE OUTPUT "${options_file}" CONTENT "@options@\n" @ONLY)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${exports}" "${options_file}")
    # Relative to where the linker runs: of what a whole path may have in it CMake makes something else in an option.
    set(linker_runs_in "${CMAKE_CURRENT_BINARY_DIR}")
    if(CMAKE_GENERATOR MATCHES "Ninja")
        set(linker_runs_in "${CMAKE_BINARY_DIR}")
    endif()
    cmake_path(RELATIVE_PATH options_file BASE_DIRECTORY "${linker_runs_in}")
    target_link_options(${target} PRIVATE LINKER:-Bsymbolic LINKER:-z,now LINKER:-z,relro "-Wl,@${options_file}")

    # What nobody sees of it is listed beside it.
    set(options "")
    if(CMAKE_OBJDUMP AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|aarch64)$")
        list(APPEND options --objdump "${CMAKE_OBJDUMP}")
    endif()
    set(emulator "")
    if(CMAKE_CROSSCOMPILING)
        set(emulator ${CMAKE_CROSSCOMPILING_EMULATOR})
    endif()
    add_custom_command(TARGET ${target} POST_BUILD
        COMMAND ${emulator} "$<TARGET_FILE:ordeal::list_unseen>" "$<TARGET_FILE:${target}>" "${map}"
            --root "${CMAKE_BINARY_DIR}" --root "${CMAKE_CURRENT_BINARY_DIR}" ${options}
            --targets "${CMAKE_CURRENT_BINARY_DIR}/${target}.targets"
            --allow "$<TARGET_PROPERTY:${target},ORDEAL_ALLOW_UNSEEN>"
            --apart "$<TARGET_PROPERTY:${target},ORDEAL_APART>"
        VERBATIM)
    add_dependencies(${target} ordeal::list_unseen)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "$<TARGET_FILE:ordeal::list_unseen>")
    ordeal_finish_later(${target})

    # The program defines what the library calls, whatever this project asks of its other libraries.
    string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
    get_directory_property(link_options LINK_OPTIONS)
    if("${CMAKE_SHARED_LINKER_FLAGS} ${CMAKE_SHARED_LINKER_FLAGS_${build_type}} ${link_options}"
       MATCHES "no-undefined|-z[, ]?defs")
        target_link_options(${target} PRIVATE LINKER:-z,undefs)
    endif()
endfunction()

# ordeal_internals_dir(<result>): what ordeal's own sources, compiled in projects of users, have internal headers from.
function(ordeal_internals_dir result)
    get_property(instrumented GLOBAL PROPERTY ORDEAL_INSTRUMENTED_DIR)
    cmake_path(SET src NORMALIZE "${instrumented}/../..")
    string(REGEX REPLACE "/$" "" src "${src}")
    set(${result} "${src}" PARENT_SCOPE)
endfunction()

# ordeal_compile_own(<source> <flag>...): compiles a source of ordeal's in this directory with these flags, as C++20 whatever the
# others of its target are, and with internal headers, which these do not see. What this project warns of is not for those headers.
function(ordeal_compile_own source)
    ordeal_internals_dir(internals)
    set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS "${ARGN};-std=gnu++20;-isystem${internals}")
endfunction()

# ordeal_add_trial_library(<name> SOURCES <file>... [LIBRARIES <target>...] [INSTRUMENT <target>...] [ALLOW_UNSEEN <name>...]
#     [OPTIONS <flag>...])
#
# The shared library <name>_trial, with the scenarios registered in these sources; with the scenario <name> too, if they
# define `void trial()`. The options are for these sources alone. The libraries are linked into it: what is not compiled
# with it, a header's functions excepted, is run but not seen. INSTRUMENT compiles libraries of this project, and those of it that
# they link, for the trial. What nobody sees makes no verdict as expected, unless ALLOW_UNSEEN names it.
function(ordeal_add_trial_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES;INSTRUMENT;ALLOW_UNSEEN;OPTIONS")
    ordeal_require_word_sources(ordeal_add_trial ${name} "${arg_SOURCES}" "${arg_UNPARSED_ARGUMENTS}")
    if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
        message(FATAL_ERROR "ordeal: a trial is NAME SOURCES file... [LIBRARIES target...] [INSTRUMENT target...] "
            "[ALLOW_UNSEEN name...] [OPTIONS flag...]")
    endif()
    ordeal_require_trial_compiler("${CMAKE_CXX_COMPILER_ID}" "${CMAKE_CXX_COMPILER_VERSION}")
    # Last: of functions that several objects have, the linker keeps the first.
    get_property(instrumented GLOBAL PROPERTY ORDEAL_INSTRUMENTED_DIR)
    set(module "${instrumented}/trial_module.cpp")
    add_library(${name}_trial SHARED ${arg_SOURCES} "${module}")
    ordeal_compile_own("${module}" -fno-sanitize=thread)
    set_source_files_properties("${module}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
    target_compile_definitions(${name}_trial PRIVATE
        ORDEAL_TRIAL_NAME="${name}"
        ORDEAL_TRIAL_ROOT="${PROJECT_SOURCE_DIR}")
    ordeal_compile_as_trial(${name}_trial ${arg_OPTIONS})
    set_target_properties(${name}_trial PROPERTIES ORDEAL_INSTRUMENT "${arg_INSTRUMENT}" ORDEAL_ALLOW_UNSEEN "${arg_ALLOW_UNSEEN}")
    if(arg_INSTRUMENT)
        set_target_properties(${name}_trial PROPERTIES ORDEAL_LIBRARIES "${arg_LIBRARIES}")
    else()
        target_link_libraries(${name}_trial PRIVATE ${arg_LIBRARIES})
    endif()
    ordeal_link_as_trial(${name}_trial)
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

# ordeal_add_trial(<name> SOURCES <file>... [LIBRARIES <target>...] [INSTRUMENT <target>...] [ALLOW_UNSEEN <name>...]
#     [OPTIONS <flag>...])
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
