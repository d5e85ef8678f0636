# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The readers of debug information and of object files of elfutils, which come without a CMake package. Defines libdw::libdw.
find_path(Libdw_INCLUDE_DIR elfutils/libdwfl.h)
find_library(Libdw_LIBRARY dw)
find_library(Libdw_ELF_LIBRARY elf)
mark_as_advanced(Libdw_INCLUDE_DIR Libdw_LIBRARY Libdw_ELF_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libdw REQUIRED_VARS Libdw_LIBRARY Libdw_ELF_LIBRARY Libdw_INCLUDE_DIR)

if(Libdw_FOUND AND NOT TARGET libdw::libdw)
    add_library(libdw::libdw UNKNOWN IMPORTED)
    set_target_properties(libdw::libdw PROPERTIES
        IMPORTED_LOCATION "${Libdw_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${Libdw_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES "${Libdw_ELF_LIBRARY}")
endif()
