# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An overlay port: vcpkg install ordeal --overlay-ports=packaging, from a copy of the project. It builds the sources that it is
# part of. A port of a registry would fetch a release with vcpkg_from_github() instead.
#
# vcpkg has neither Relacy nor elfutils: with the feature `harness` the system must have them (Debian: relacy-dev, libdw-dev).
set(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../..")

vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES harness ORDEAL_HARNESS)
# A program that checks others, and headers: a debug build of that is for nobody.
set(VCPKG_BUILD_TYPE release)

vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        ${features}
        -DORDEAL_DEVELOPER=OFF
        -DORDEAL_HTML=OFF # npm would need a network
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME ordeal CONFIG_PATH lib/cmake/ordeal)
vcpkg_fixup_pkgconfig()

if("harness" IN_LIST FEATURES)
    # What the program loads goes with it: vcpkg has programs look beside themselves.
    file(GLOB loaded "${CURRENT_PACKAGES_DIR}/lib/ordeal/libplain_trial.so*")
    file(COPY ${loaded} DESTINATION "${CURRENT_PACKAGES_DIR}/tools/ordeal")
    file(REMOVE ${loaded})
    vcpkg_copy_tools(TOOL_NAMES ordeal AUTO_CLEAN)
endif()
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
