# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the port with stand-ins for vcpkg's functions, as far as they matter to it: what it configures is built and installed.
# usage: cmake -D port=FOLDER -D features=FEATURE... -D folder=FOLDER -D compiler=FILE -P vcpkg.cmake
cmake_minimum_required(VERSION 3.25)

set(FEATURES ${features})
set(CURRENT_PACKAGES_DIR "${folder}/packages")

function(vcpkg_check_features)
    cmake_parse_arguments(arg "" "OUT_FEATURE_OPTIONS" "FEATURES" ${ARGN})
    set(result "")
    while(arg_FEATURES)
        list(POP_FRONT arg_FEATURES feature variable)
        set(value OFF)
        if(feature IN_LIST FEATURES)
            set(value ON)
        endif()
        list(APPEND result "-D${variable}=${value}")
        set(${variable} ${value} PARENT_SCOPE)
    endwhile()
    set(${arg_OUT_FEATURE_OPTIONS} "${result}" PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
    cmake_parse_arguments(arg "" "SOURCE_PATH" "OPTIONS" ${ARGN})
    execute_process(COMMAND "${CMAKE_COMMAND}" -S "${arg_SOURCE_PATH}" -B "${folder}/build" ${arg_OPTIONS}
            -DCMAKE_BUILD_TYPE=Release "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" "-DCMAKE_CXX_COMPILER=${compiler}"
        COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_install)
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${folder}/build" --target install COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Moves the package's folder, and has it look for the prefix one folder less up.
function(vcpkg_cmake_config_fixup)
    cmake_parse_arguments(arg "" "PACKAGE_NAME;CONFIG_PATH" "" ${ARGN})
    set(target "${CURRENT_PACKAGES_DIR}/share/${arg_PACKAGE_NAME}")
    file(GLOB files "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/*")
    file(COPY ${files} DESTINATION "${target}")
    file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}")
    file(GLOB files "${target}/*.cmake")
    foreach(file IN LISTS files)
        file(READ "${file}" text)
        string(REPLACE "\${CMAKE_CURRENT_LIST_DIR}/../../../" "\${CMAKE_CURRENT_LIST_DIR}/../../" text "${text}")
        string(REGEX REPLACE [[(get_filename_component\(_IMPORT_PREFIX "\${CMAKE_CURRENT_LIST_FILE}" PATH\)
get_filename_component\(_IMPORT_PREFIX "\${_IMPORT_PREFIX}" PATH\)
get_filename_component\(_IMPORT_PREFIX "\${_IMPORT_PREFIX}" PATH\)
)get_filename_component\(_IMPORT_PREFIX "\${_IMPORT_PREFIX}" PATH\)
]] "\\1" text "${text}")
        file(WRITE "${file}" "${text}")
    endforeach()
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_copy_tools)
    file(COPY "${CURRENT_PACKAGES_DIR}/bin/ordeal" DESTINATION "${CURRENT_PACKAGES_DIR}/tools/ordeal")
    file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/bin")
endfunction()

function(vcpkg_install_copyright)
    cmake_parse_arguments(arg "" "" "FILE_LIST" ${ARGN})
    configure_file("${arg_FILE_LIST}" "${CURRENT_PACKAGES_DIR}/share/ordeal/copyright" COPYONLY)
endfunction()

include("${port}/portfile.cmake")
