# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A source with a header of its name beside it includes that before anything else: so the header compiles on its own.
#
#   root         the tree
#   file, copy   where given: looks at a copy of src/ in the folder `copy`, in which that source begins with <vector>
cmake_minimum_required(VERSION 3.25)

set(src "${root}/src")
if(DEFINED file)
    file(REMOVE_RECURSE "${copy}")
    file(COPY "${src}" DESTINATION "${copy}")
    set(src "${copy}/src")
    file(READ "${src}/${file}" text)
    file(WRITE "${src}/${file}" "#include <vector>\n${text}")
endif()

file(GLOB_RECURSE sources RELATIVE "${src}" "${src}/*.cpp")
set(seen 0)
foreach(source IN LISTS sources)
    cmake_path(REPLACE_EXTENSION source hpp OUTPUT_VARIABLE header)
    if(NOT EXISTS "${src}/${header}")
        continue()
    endif()
    math(EXPR seen "${seen} + 1")
    file(STRINGS "${src}/${source}" includes REGEX "^[ \t]*#[ \t]*include" LIMIT_COUNT 1)
    cmake_path(GET header FILENAME name)
    if(NOT includes MATCHES "^#include \"(${header}|${name})\"$")
        message(SEND_ERROR "${source} does not include ${header} first")
    endif()
endforeach()
if(seen LESS 200)
    message(FATAL_ERROR "${seen} sources have a header of their name, which cannot be all")
endif()
