# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the sources are held to, whatever they are compiled with.
include_guard()

add_test(NAME "configure/every source and header is in a list"
    COMMAND "${CMAKE_COMMAND}" -D "root=${PROJECT_SOURCE_DIR}" -P "${CMAKE_CURRENT_SOURCE_DIR}/sources_listed.cmake")

add_test(NAME "configure/one command puts sources that were moved, added or removed in their lists"
    COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/mend.sh" "${CMAKE_COMMAND}" "${PROJECT_SOURCE_DIR}")

set(layers "${CMAKE_COMMAND}" -D "root=${PROJECT_SOURCE_DIR}")
add_test(NAME "configure/includes point one way"
    COMMAND ${layers} -P "${CMAKE_CURRENT_SOURCE_DIR}/layers.cmake")

# wrong_include(<name> <file> <includes> <says>): of a copy in which a file includes what it may not.
function(wrong_include name file includes says)
    string(MAKE_C_IDENTIFIER "${name}" directory)
    add_test(NAME "configure/${name}"
        COMMAND ${layers} -D "copy=${CMAKE_CURRENT_BINARY_DIR}/${directory}" -D "file=${file}" -D "includes=${includes}"
            -P "${CMAKE_CURRENT_SOURCE_DIR}/layers.cmake")
    string(REPLACE " " "[ \n]+" says "${says}")  # CMake breaks lines where it likes
    set_tests_properties("configure/${name}" PROPERTIES PASS_REGULAR_EXPRESSION "${says}")
endfunction()
wrong_include("an include of what stands higher is refused"
    ordeal/runtime/memory/heap.hpp ordeal/scenario/scenario.hpp "not let ordeal/runtime include ordeal/scenario")
wrong_include("an include of another engine is refused"
    ordeal/engine/graph/graph_engine.hpp ordeal/engine/relacy/limits.hpp
    "not let ordeal/engine/graph include ordeal/engine/relacy")
wrong_include("an include of a higher part of the graph engine is refused"
    ordeal/engine/graph/core/run/scheduling_points.hpp ordeal/engine/graph/core/explorer/work_stack.hpp
    "not let ordeal/engine/graph/core/run include ordeal/engine/graph/core/explorer")
wrong_include("an include of a file beside it that is of another part is refused"
    ordeal/engine/engine.cpp engines.hpp "not let ordeal/engine include ordeal/engine/engines.hpp")
wrong_include("a scenario that includes an exhibit is refused"
    ordeal/coro/scenarios/support.hpp ordeal/coro/exhibits/parked.hpp "not let ordeal/coro/scenarios include ordeal/coro/exhibits")

set(namespaces "${CMAKE_COMMAND}" -D "root=${PROJECT_SOURCE_DIR}")
add_test(NAME "configure/only what is installed is in the namespace ordeal itself"
    COMMAND ${namespaces} -P "${CMAKE_CURRENT_SOURCE_DIR}/namespaces.cmake")
add_test(NAME "configure/an internal header in the namespace ordeal itself is refused"
    COMMAND ${namespaces} -D file=check.hpp -P "${CMAKE_CURRENT_SOURCE_DIR}/namespaces.cmake")
set_tests_properties("configure/an internal header in the namespace ordeal itself is refused"
    PROPERTIES PASS_REGULAR_EXPRESSION "check.hpp is not installed, and declares in the")

set(own_header "${CMAKE_COMMAND}" -D "root=${PROJECT_SOURCE_DIR}")
add_test(NAME "configure/every source includes its own header first"
    COMMAND ${own_header} -P "${CMAKE_CURRENT_SOURCE_DIR}/own_header.cmake")
add_test(NAME "configure/a source that includes another header first is refused"
    COMMAND ${own_header} -D "copy=${CMAKE_CURRENT_BINARY_DIR}/own_header" -D file=ordeal/runtime/memory/heap.cpp
        -P "${CMAKE_CURRENT_SOURCE_DIR}/own_header.cmake")
set_tests_properties("configure/a source that includes another header first is refused" PROPERTIES
    PASS_REGULAR_EXPRESSION "ordeal/runtime/memory/heap.cpp[ \n]+does[ \n]+not[ \n]+include[ \n]+ordeal/runtime/memory/heap.hpp[ \n]+first")

# Headers that are compiled in advance would hide that another one does not include them.
find_program(ORDEAL_PYTHON python3)
mark_as_advanced(ORDEAL_PYTHON)
set(names "${ORDEAL_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/precompiled_names.py" "${PROJECT_SOURCE_DIR}/src")
add_test(NAME "configure/every header includes what declares the names of std that it uses" COMMAND ${names})
add_test(NAME "configure/a header that forgets an include is refused" COMMAND ${names} utility ordeal/mpi/worker_host.hpp)
set_tests_properties("configure/a header that forgets an include is refused" PROPERTIES
    PASS_REGULAR_EXPRESSION "^ordeal/mpi/worker_host.hpp: std::move without <utility>\n$")

add_test(NAME "configure/headers that say another version than the project are refused"
    COMMAND "${CMAKE_COMMAND}" -D version=98.0.0 -D "header=${PROJECT_SOURCE_DIR}/src/ordeal/version.hpp"
        -P "${PROJECT_SOURCE_DIR}/cmake/version.cmake")
set_tests_properties("configure/headers that say another version than the project are refused" PROPERTIES
    PASS_REGULAR_EXPRESSION "is version 98\\.0\\.0,[ \n]+and[ \n]+.*version\\.hpp[ \n]+says[ \n]+${PROJECT_VERSION}")
