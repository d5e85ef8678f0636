# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Only what is installed is in the namespace `ordeal` itself: a header that the set HEADERS of src/ordeal/CMakeLists.txt does not have, and
# a source without such a header, declare in a namespace of their own, such as ordeal::detail.
#
#   root    the tree
#   file    where given: taken as if the set did not have it
cmake_minimum_required(VERSION 3.25)

set(src "${root}/src/ordeal")
file(READ "${src}/CMakeLists.txt" lists)
string(REGEX MATCHALL "FILE_SET HEADERS [^)]*" sets "${lists}")
set(public "")
foreach(one IN LISTS sets)
    string(REGEX REPLACE "FILE_SET internal.*" "" one "${one}")
    string(REGEX MATCHALL "[a-z_/]+\\.hpp" headers "${one}")
    list(APPEND public ${headers})
endforeach()
list(LENGTH public count)
if(count LESS 20)
    message(FATAL_ERROR "${count} public headers were found, which cannot be all")
endif()
list(REMOVE_ITEM public "${file}")

file(GLOB_RECURSE files RELATIVE "${src}" "${src}/*.hpp" "${src}/*.cpp")
foreach(each IN LISTS files)
    string(REGEX REPLACE "\\.cpp$" ".hpp" header "${each}")
    if(header IN_LIST public)
        continue()
    endif()
    file(STRINGS "${src}/${each}" found REGEX "^(inline )?namespace ordeal {")
    if(found)
        message(SEND_ERROR "src/ordeal/${each} is not installed, and declares in the namespace ordeal")
    endif()
endforeach()
