# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# `cpack -G DEB` in a build folder: one Debian package, `ordeal`. One, for the program, the libraries and the CMake functions work
# with each other in the same version alone, and nobody has use for one without the others; who needs the headers of coro/ without
# the rest has them by `cmake --install --component coro`.
#
# It is built for the Debian that it is built on: its libraries are needed by the names that `ordeal` was linked with.
if(NOT ORDEAL_HARNESS)
    return()
endif()

set(CPACK_PACKAGE_NAME ordeal)
set(CPACK_PACKAGE_VENDOR ordeal)
if(NOT CPACK_PACKAGE_CONTACT)
    set(CPACK_PACKAGE_CONTACT "The maintainers of ordeal <maintainers@ordeal.invalid>")
endif()
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "model checker for C++ synchronisation code and its memory orders")
set(CPACK_PACKAGE_DESCRIPTION [[
ordeal runs small concurrent programs under the C++ memory model, execution
by execution: it finds the one that fails and shows it, or says that none
does. Its audit weakens each memory order in turn and says which are needed.
Code on trial need not be written for it.
.
This package has the program, the libraries and headers that trials are
built with, CMake functions for that, and coroutine primitives that were
checked by it.]])
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
# Names in traces come from debug information.
set(CPACK_STRIP_FILES OFF)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# Libraries by what the program was linked with; the rest is what building a trial takes.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "$<TARGET_FILE_DIR:plain_trial>")
# ThreadSanitizer comes with g++; clang has it in a package of its own, and its reports name lines by a program of llvm-19.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "clang-19 | g++ (>= 4:12), libclang-rt-19-dev | g++ (>= 4:12), cmake (>= 3.25), make | ninja-build, binutils")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "llvm-19, pkg-config")
# The plugins of the compilers that it was built with come with it. For others of their versions it is built where it is used.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gdb, llvm-19-dev, gcc-12-plugin-dev")

set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/debian/stage.cmake")
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
