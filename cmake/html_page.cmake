# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The page of HTML reports: web/ bundled by node at build time, as one C++ source. Its packages are fetched once for each
# web/package-lock.json, when the project is configured, into web/node_modules, which every build folder shares. Where that
# cannot be done the program is built without, and says so when it is asked for HTML.
include_guard()

set(ORDEAL_WEB "${PROJECT_SOURCE_DIR}/web")

# ordeal_why_no_html(<result>): why there is no page in this build, as a clause; empty where there is one. Fetches the packages.
function(ordeal_why_no_html result)
    set(${result} "" PARENT_SCOPE)
    if(NOT ORDEAL_HTML)
        set(${result} "ORDEAL_HTML is off" PARENT_SCOPE)
        return()
    endif()
    find_program(ORDEAL_NODE NAMES node nodejs)
    find_program(ORDEAL_NPM npm)
    mark_as_advanced(ORDEAL_NODE ORDEAL_NPM)
    if(NOT ORDEAL_NODE OR NOT ORDEAL_NPM)
        set(${result} "node and npm were not found" PARENT_SCOPE)
        return()
    endif()
    # The tests need a few more packages than the page. What has those serves a build without tests, too.
    set(omit --omit=dev)
    set(parts page)
    if(ORDEAL_DEVELOPER)
        set(omit "")
        set(parts everything)
    endif()
    set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${ORDEAL_WEB}/package-lock.json")
    file(SHA256 "${ORDEAL_WEB}/package-lock.json" lock)
    set(stamp "${ORDEAL_WEB}/node_modules/.ordeal-installed")
    # Two build folders that are configured at the same time do not both install.
    file(LOCK "${ORDEAL_WEB}/.install.lock" GUARD FUNCTION RESULT_VARIABLE locked TIMEOUT 300)
    if(EXISTS "${stamp}")
        file(READ "${stamp}" installed)
        if(installed STREQUAL "${lock} ${parts}" OR installed STREQUAL "${lock} everything")
            return()
        endif()
    endif()
    message(STATUS "ordeal: npm ci in web/")
    file(REMOVE "${stamp}")
    execute_process(COMMAND "${ORDEAL_NPM}" ci --prefer-offline --ignore-scripts --no-audit --no-fund ${omit}
        WORKING_DIRECTORY "${ORDEAL_WEB}" RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 300)
    if(NOT status EQUAL 0)
        message(STATUS "${output}")
        set(${result} "`npm ci` failed in web/; is there a network?" PARENT_SCOPE)
        return()
    endif()
    file(WRITE "${stamp}" "${lock} ${parts}")
endfunction()

# ordeal_embed_html_page(<target> MISSING <file>): adds the page to the sources of a library, or that file. Sets
# ORDEAL_HAS_HTML for the whole project.
function(ordeal_embed_html_page target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "MISSING" "")
    ordeal_why_no_html(why)
    if(why)
        if(ORDEAL_HTML)
            message(WARNING "ordeal: without HTML reports: ${why}")
        endif()
        set(ORDEAL_HAS_HTML OFF CACHE INTERNAL "")
        target_sources(${target} PRIVATE "${arg_MISSING}")
        return()
    endif()
    set(ORDEAL_HAS_HTML ON CACHE INTERNAL "")
    set(page "${CMAKE_CURRENT_BINARY_DIR}/html_page.cpp")
    add_custom_command(OUTPUT "${page}"
        COMMAND "${ORDEAL_NODE}" "${ORDEAL_WEB}/build.mjs" "${page}"
        DEPENDS "${ORDEAL_WEB}/build.mjs" "${ORDEAL_WEB}/package-lock.json"
        DEPFILE "${page}.d"
        COMMENT "Bundling the page of HTML reports"
        VERBATIM)
    target_sources(${target} PRIVATE "${page}")
endfunction()
