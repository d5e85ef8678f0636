# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ordeal for Conan 2: conan create packaging/conan

Conan has neither Relacy nor elfutils' libdw: with the option `harness` the system must have them (Debian: relacy-dev, libdw-dev).
"""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

PROJECT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


class OrdealRecipe(ConanFile):
    name = "ordeal"
    description = "Model checker for C++ synchronisation code and its memory orders"
    license = "Apache-2.0 WITH LLVM-exception"
    topics = ("model-checking", "memory-model", "atomics", "coroutines", "concurrency")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"harness": [True, False]}
    default_options = {"harness": True, "boost/*:without_context": False}

    def set_version(self):
        text = load(self, os.path.join(PROJECT, "CMakeLists.txt"))
        self.version = re.search(r"^project\(ordeal VERSION ([0-9.]+)", text, re.MULTILINE).group(1)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "packaging/*", "src/*"):
            copy(self, pattern, PROJECT, self.export_sources_folder)

    def requirements(self):
        if self.options.harness:
            self.requires("boost/[>=1.74 <2]")
            self.requires("cli11/[>=2.3 <3]")
            self.requires("fmt/[>=9 <12]")
            self.requires("nlohmann_json/[>=3.11 <4]")
            self.requires("xxhash/[>=0.8 <1]")

    def package_id(self):
        if not self.info.options.harness:
            self.info.clear()  # headers alone

    def validate(self):
        check_min_cppstd(self, 20)
        if self.options.harness and self.settings.os != "Linux":
            raise ConanInvalidConfiguration("ordeal's harness is for Linux")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["ORDEAL_HARNESS"] = bool(self.options.harness)
        toolchain.cache_variables["ORDEAL_DEVELOPER"] = False
        toolchain.cache_variables["ORDEAL_HTML"] = False  # npm would need a network
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # Its own ordealConfig.cmake has the components and the CMake functions; no generated one takes its place.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "ordeal")]
        self.cpp_info.libs = []
