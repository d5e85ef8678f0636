# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Relacy is headers only and comes without a CMake package. Defines relacy::relacy.
find_path(Relacy_INCLUDE_DIR relacy/relacy.hpp)
mark_as_advanced(Relacy_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Relacy REQUIRED_VARS Relacy_INCLUDE_DIR)

if(Relacy_FOUND AND NOT TARGET relacy::relacy)
    add_library(relacy::relacy INTERFACE IMPORTED)
    # An imported target's include directories are system directories: its warnings are not ours.
    target_include_directories(relacy::relacy INTERFACE "${Relacy_INCLUDE_DIR}")
endif()
