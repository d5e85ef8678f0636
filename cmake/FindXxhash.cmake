# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# xxHash, of which the headers are used alone. Defines xxhash::xxhash.
find_path(Xxhash_INCLUDE_DIR xxhash.h)
mark_as_advanced(Xxhash_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Xxhash REQUIRED_VARS Xxhash_INCLUDE_DIR)

if(Xxhash_FOUND AND NOT TARGET xxhash::xxhash)
    add_library(xxhash::xxhash INTERFACE IMPORTED)
    target_include_directories(xxhash::xxhash INTERFACE "${Xxhash_INCLUDE_DIR}")
endif()
