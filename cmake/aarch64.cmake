# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A toolchain for AArch64 on another processor, whose programs run under qemu-user: ci/platforms.sh uses it.
#
#   ORDEAL_SYSROOT    folder with Debian's packages for arm64; empty: those of the cross compiler, which are the C++ library alone
#   ORDEAL_CROSS      gcc or clang
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ORDEAL_SYSROOT ORDEAL_CROSS)

set(triple aarch64-linux-gnu)
if(ORDEAL_CROSS STREQUAL "gcc")
    set(CMAKE_CXX_COMPILER ${triple}-g++)
else()
    set(CMAKE_CXX_COMPILER clang++-19)
    set(CMAKE_CXX_COMPILER_TARGET ${triple})
endif()
set(CMAKE_OBJDUMP ${triple}-objdump CACHE FILEPATH "")
set(CMAKE_NM ${triple}-nm CACHE FILEPATH "")
set(CMAKE_AR ${triple}-ar CACHE FILEPATH "")
set(CMAKE_RANLIB ${triple}-ranlib CACHE FILEPATH "")

if(ORDEAL_SYSROOT)
    set(CMAKE_SYSROOT "${ORDEAL_SYSROOT}")
    set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L "${ORDEAL_SYSROOT}")
    set(CMAKE_LIBRARY_ARCHITECTURE ${triple})
else()
    set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/${triple})
endif()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
