# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What other projects find of this one by find_package(ordeal), in the folder that it is built in or where it is installed, and
# what `cmake --install` installs:
#
#   include/ordeal/        the public headers: those of docs/reference/api.md, and what they include. No others.
#   lib/                   the libraries, all static
#   lib/cmake/ordeal/      ordealConfig.cmake with its version and its components
#   lib/pkgconfig/         the same for pkg-config, without trials
#   lib/ordeal/            what the program loads, and the plugins of the compilers that ordeal was built with
#   share/ordeal/          laid out as the project is: the CMake functions, what they compile in projects of users with the
#                          internal headers of that, and the sources that the program shows lines of
#   bin/ordeal, its manual page, and completions for shells
#
# No file has the path of the project, of the build folder or of where it was installed.
include_guard()

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# By component: those that need no others first.
set(ordeal_targets_coro ordeal_coro)
set(ordeal_targets_harness ordeal_compile_options ordeal_trials ordeal_cost ordeal_harness)
set(ordeal_targets_trials ordeal_instrumented ordeal_list_unseen)
set(ordeal_components coro)
if(ORDEAL_HARNESS)
    list(APPEND ordeal_components harness trials)
endif()
if(TARGET ordeal_write_counters)
    list(APPEND ordeal_targets_harness ordeal_write_counters)
endif()

# What stands for each target of another project when ordeal's libraries are linked: the file by the name that programs load it
# by, or for headers alone nothing.
set(ordeal_linked "")
set(ordeal_library_files "")
set(ordeal_library_hints "")

# ordeal_loaded_name(<result> <file>): what the linker writes into programs for a shared library; else the file's name.
function(ordeal_loaded_name result file)
    cmake_path(GET file FILENAME name)
    if(name MATCHES "\\.so(\\.|$)" AND CMAKE_OBJDUMP)
        execute_process(COMMAND "${CMAKE_OBJDUMP}" -p "${file}" OUTPUT_VARIABLE headers ERROR_QUIET)
        if(headers MATCHES "SONAME +([^ \n]+)")
            set(name "${CMAKE_MATCH_1}")
        endif()
    endif()
    set(${result} "${name}" PARENT_SCOPE)
endfunction()

if(ORDEAL_HARNESS)
    set(location LOCATION)
    if(CMAKE_BUILD_TYPE)
        string(TOUPPER "LOCATION_${CMAKE_BUILD_TYPE}" location)
    endif()
    foreach(target IN ITEMS relacy::relacy Boost::context libdw::libdw fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11 xxhash::xxhash)
        get_target_property(type ${target} TYPE)
        set(names "")
        if(NOT type STREQUAL "INTERFACE_LIBRARY")
            get_target_property(files ${target} ${location})
            if(target STREQUAL "libdw::libdw")
                list(APPEND files "${Libdw_ELF_LIBRARY}")
            endif()
            foreach(file IN LISTS files)
                ordeal_loaded_name(name "${file}")
                cmake_path(GET file PARENT_PATH folder)
                list(APPEND names "${name}")
                list(APPEND ordeal_library_hints "${folder}")
            endforeach()
        endif()
        list(APPEND ordeal_library_files ${names})
        list(JOIN names "," names)
        list(APPEND ordeal_linked "\"${target}=${names}\"")
    endforeach()
    list(REMOVE_DUPLICATES ordeal_library_hints)
    list(JOIN ordeal_linked " " ordeal_linked)
endif()

# ordeal_write_config(<folder> INSTALLED_IN <folder> PREFIX <folder>): from the variables with the folders.
macro(ordeal_write_config folder)
    cmake_parse_arguments(arg "" "INSTALLED_IN;PREFIX" "" ${ARGN})
    configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/ordealConfig.cmake.in" "${folder}/ordealConfig.cmake"
        INSTALL_DESTINATION "${arg_INSTALLED_IN}" INSTALL_PREFIX "${arg_PREFIX}"
        PATH_VARS ordeal_library_dir ordeal_sources_dir ordeal_plugin_dir
        NO_CHECK_REQUIRED_COMPONENTS_MACRO)
    set(independent "")
    if(NOT ORDEAL_HARNESS)
        set(independent ARCH_INDEPENDENT)
    endif()
    # Until 1.0 a change of the second number may change what users rely on.
    write_basic_package_version_file("${folder}/ordealConfigVersion.cmake" COMPATIBILITY SameMinorVersion ${independent})
endmacro()

# The folder that this is built in: find_package(ordeal PATHS build/release). Programs in it find the sources where installed
# ones do.
if(NOT ORDEAL_HARNESS)
    file(REMOVE "${PROJECT_BINARY_DIR}/ordealTargets-harness.cmake" "${PROJECT_BINARY_DIR}/ordealTargets-trials.cmake")
endif()
foreach(component IN LISTS ordeal_components)
    foreach(target IN LISTS ordeal_targets_${component})
        string(REPLACE ordeal_ "" name ${target})
        set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    endforeach()
    export(TARGETS ${ordeal_targets_${component}} NAMESPACE ordeal::
        FILE "${PROJECT_BINARY_DIR}/ordealTargets-${component}.cmake")
endforeach()
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/share")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/share/ordeal" SYMBOLIC)
set(ordeal_library_dir "${PROJECT_BINARY_DIR}")
set(ordeal_sources_dir "${PROJECT_SOURCE_DIR}")
set(ordeal_plugin_dir "${PROJECT_BINARY_DIR}")
ordeal_write_config("${PROJECT_BINARY_DIR}" INSTALLED_IN "." PREFIX "${PROJECT_BINARY_DIR}")

if(NOT ORDEAL_INSTALL)
    # Inside another project that is what one expects; alone, an install that installs nothing is not.
    if(PROJECT_IS_TOP_LEVEL)
        install(CODE "message(FATAL_ERROR \"ordeal: nothing is installed: this was configured with ORDEAL_INSTALL=OFF\")"
            ALL_COMPONENTS)
    endif()
    return()
endif()
if(ORDEAL_COVERAGE)
    install(CODE "message(FATAL_ERROR \"ordeal: what counts its lines is not installed; configure with ORDEAL_COVERAGE=OFF\")"
        ALL_COMPONENTS)
    return()
endif()

# First: what would install nothing says so.
string(JOIN ", " ordeal_components_text ${ordeal_components})
install(CODE "
    if(CMAKE_INSTALL_COMPONENT AND NOT \";${ordeal_components};\" MATCHES \";\${CMAKE_INSTALL_COMPONENT};\")
        message(FATAL_ERROR \"ordeal: no component \${CMAKE_INSTALL_COMPONENT} was built here. It has: ${ordeal_components_text}\")
    endif()" ALL_COMPONENTS)

set(ordeal_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/ordeal")
set(ordeal_library_dir "${CMAKE_INSTALL_LIBDIR}")
set(ordeal_sources_dir "${CMAKE_INSTALL_DATADIR}/ordeal")
set(ordeal_plugin_dir "${CMAKE_INSTALL_LIBDIR}/ordeal")
# Where the compiler looks, anyway.
list(REMOVE_ITEM ordeal_library_hints ${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES})
ordeal_write_config("${PROJECT_BINARY_DIR}/installed" INSTALLED_IN "${ordeal_cmake_dir}" PREFIX "${CMAKE_INSTALL_PREFIX}")

foreach(component IN LISTS ordeal_components)
    install(TARGETS ${ordeal_targets_${component}} EXPORT ordeal_${component}
        FILE_SET HEADERS COMPONENT ${component}
        ARCHIVE COMPONENT ${component}
        RUNTIME DESTINATION "${ordeal_plugin_dir}" COMPONENT ${component})
    install(EXPORT ordeal_${component} NAMESPACE ordeal:: FILE ordealTargets-${component}.cmake
        DESTINATION "${ordeal_cmake_dir}" COMPONENT ${component})
endforeach()

# ordeal_install_pc(<name> <component> <description> <cflags and libs>...): a pkg-config file, which finds the rest from where it is itself.
function(ordeal_install_pc name component description)
    cmake_path(SET prefix NORMALIZE "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
    file(RELATIVE_PATH prefix "/${prefix}" "/")
    string(REGEX REPLACE "/$" "" prefix "${prefix}")
    list(JOIN ARGN "\n" rest)
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/installed/${name}.pc" @ONLY CONTENT [[
prefix=${pcfiledir}/@prefix@
includedir=${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
libdir=${prefix}/@CMAKE_INSTALL_LIBDIR@

Name: @name@
Description: @description@
Version: @PROJECT_VERSION@
Cflags: -I${includedir}
@rest@
]])
    install(FILES "${PROJECT_BINARY_DIR}/installed/${name}.pc"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT ${component})
endfunction()

install(FILES "${PROJECT_BINARY_DIR}/installed/ordealConfig.cmake" "${PROJECT_BINARY_DIR}/installed/ordealConfigVersion.cmake"
    DESTINATION "${ordeal_cmake_dir}" COMPONENT coro)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT coro)
ordeal_install_pc(ordeal-coro coro "Coroutine primitives of ordeal, headers only")

if(NOT ORDEAL_HARNESS)
    return()
endif()

set(loaded "")
foreach(file IN LISTS ordeal_library_files)
    string(APPEND loaded " -l:${file}")
endforeach()
ordeal_install_pc(ordeal-harness harness "Engines and command line of ordeal, for scenarios that are written with a policy"
    "Requires: ordeal-coro" "Libs: -L\${libdir} -lordeal_harness -lordeal_cost -lordeal_trials${loaded} -ldl -pthread")

# The program, with the scenarios of our own primitives. It is linked as it is installed, and built where it finds its library so:
# CMake fills a path that it is to replace up with empty entries, which are the folder that a program is started in.
file(RELATIVE_PATH beside "/${CMAKE_INSTALL_BINDIR}" "/${ordeal_plugin_dir}")
set_target_properties(ordeal PROPERTIES INSTALL_RPATH "$ORIGIN/${beside}" BUILD_WITH_INSTALL_RPATH ON)
cmake_path(SET built_beside NORMALIZE "${PROJECT_BINARY_DIR}/bin/${beside}")
set_target_properties(plain_trial PROPERTIES INSTALL_RPATH "" BUILD_WITH_INSTALL_RPATH ON
    LIBRARY_OUTPUT_DIRECTORY "${built_beside}")
install(TARGETS ordeal RUNTIME COMPONENT harness)
install(TARGETS plain_trial LIBRARY DESTINATION "${ordeal_plugin_dir}" COMPONENT harness)
install(FILES "$<TARGET_FILE:plain_trial>.unseen" DESTINATION "${ordeal_plugin_dir}" COMPONENT harness)

# The sources that it shows lines of, and those that the CMake functions compile or read.
set(sources_of_harness src/ordeal/coro src/ordeal/policy)
file(STRINGS "${PROJECT_SOURCE_DIR}/src/compiled_by_users.txt" sources_of_trials REGEX "^[a-z]")
list(TRANSFORM sources_of_trials PREPEND src/)
list(APPEND sources_of_trials src/ordeal/compiler)
foreach(component IN ITEMS harness trials)
    foreach(folder IN LISTS sources_of_${component})
        cmake_path(GET folder PARENT_PATH parent)
        install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}" DESTINATION "${ordeal_sources_dir}/${parent}"
            COMPONENT ${component} PATTERN CMakeLists.txt EXCLUDE)
    endforeach()
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/src/ordeal/main.cpp"
    DESTINATION "${ordeal_sources_dir}/src/ordeal" COMPONENT trials)
install(FILES
        "${PROJECT_SOURCE_DIR}/src/ordeal/instrumented/exports_nothing.map"
        "${PROJECT_SOURCE_DIR}/src/ordeal/instrumented/trial_module.cpp"
        "${PROJECT_SOURCE_DIR}/src/ordeal/instrumented/wrapped_functions.txt"
    DESTINATION "${ordeal_sources_dir}/src/ordeal/instrumented" COMPONENT trials)
# What else projects of users compile, which the CMake functions name, and the internal headers that this and
# trial_module.cpp include (tests/package/headers.sh). Only these are compiled with their folder: ordeal_compile_own().
get_property(suite_sources GLOBAL PROPERTY ORDEAL_SUITE_SOURCES)
get_property(test_program_sources GLOBAL PROPERTY ORDEAL_TEST_PROGRAM_SOURCES)
get_property(tests_sources GLOBAL PROPERTY ORDEAL_TESTS_SOURCES)
set(internal_headers
    ordeal/engine/threads/batch.hpp
    ordeal/engine/threads/violations.hpp
    ordeal/runtime/memory/allocation.hpp
    ordeal/scenario/client_enumeration.hpp
    ordeal/scenario/client_outcomes.hpp
    ordeal/scenario/client_programs.hpp
    ordeal/scenario/function_on_trial.hpp
    ordeal/scenario/sequential_behaviours.hpp
    ordeal/scenario/trial_registration.hpp
    ordeal/suite/existing_tests.hpp
    ordeal/suite/test_cases.hpp
    ordeal/suite/test_framework.hpp)
foreach(source IN LISTS suite_sources test_program_sources tests_sources internal_headers)
    cmake_path(GET source PARENT_PATH parent)
    install(FILES "${PROJECT_SOURCE_DIR}/src/${source}" DESTINATION "${ordeal_sources_dir}/src/${parent}" COMPONENT trials)
endforeach()
# What is called ordeal_* there is for users.
file(GLOB functions "${PROJECT_SOURCE_DIR}/cmake/ordeal_*.cmake")
install(FILES ${functions} DESTINATION "${ordeal_sources_dir}/cmake" COMPONENT trials)

# The plugin of ordeal's own compiler, of g++ where that is another one, and of others that tests have it built for.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND PROJECT_IS_TOP_LEVEL)
    find_program(ORDEAL_GXX g++)
    mark_as_advanced(ORDEAL_GXX)
    if(ORDEAL_GXX)
        execute_process(COMMAND "${ORDEAL_GXX}" -dumpfullversion -dumpversion
            OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
        ordeal_add_plugin(ordeal_gxx_plugin "${ORDEAL_GXX}" GNU "${version}")
    endif()
endif()
get_property(plugins GLOBAL PROPERTY ORDEAL_PLUGINS)
get_target_property(own ordeal_compiler_plugin ORDEAL_OPTION)
foreach(plugin IN LISTS plugins)
    set(optional OPTIONAL)
    if(own MATCHES "=(.*)$" AND CMAKE_MATCH_1 STREQUAL plugin)
        set(optional "")
    endif()
    install(FILES "${plugin}" DESTINATION "${ordeal_plugin_dir}" COMPONENT trials ${optional})
endforeach()

# What the program says of itself.
set(written "${PROJECT_BINARY_DIR}/installed")
# ordeal_install_said(<file> <folder> <argument>...): what the program prints.
function(ordeal_install_said file folder)
    add_custom_command(OUTPUT "${written}/${file}"
        COMMAND ordeal ${ARGN} > "${written}/${file}"
        DEPENDS ordeal
        COMMENT "Writing ${file}" VERBATIM)
    install(FILES "${written}/${file}" DESTINATION "${folder}" COMPONENT harness)
endfunction()
ordeal_install_said(ordeal.1 "${CMAKE_INSTALL_MANDIR}/man1" man)
ordeal_install_said(ordeal "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" completion bash)
ordeal_install_said(_ordeal "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" completion zsh)
ordeal_install_said(ordeal.fish "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" completion fish)
add_custom_target(ordeal_said ALL
    DEPENDS "${written}/ordeal.1" "${written}/ordeal" "${written}/_ordeal" "${written}/ordeal.fish")
