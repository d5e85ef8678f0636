# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The headers say which version they are; the project is of the same one.
#
#   ordeal_require_header_version(<version> <file>)
function(ordeal_require_header_version version header)
    set(found "")
    foreach(part IN ITEMS MAJOR MINOR PATCH)
        file(STRINGS "${header}" line REGEX "^#define ORDEAL_VERSION_${part} [0-9]+$")
        string(REGEX REPLACE "^.* " "" number "${line}")
        list(APPEND found "${number}")
    endforeach()
    list(JOIN found "." found)
    if(NOT found STREQUAL version)
        message(FATAL_ERROR "ordeal: the project is version ${version}, and ${header} says ${found}")
    endif()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
    ordeal_require_header_version("${version}" "${header}")
else()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/ordeal/version.hpp")
    ordeal_require_header_version("${PROJECT_VERSION}" "${PROJECT_SOURCE_DIR}/src/ordeal/version.hpp")
endif()
