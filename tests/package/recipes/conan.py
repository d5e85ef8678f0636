# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the recipe with stand-ins for Conan's classes, as far as they matter to it: what it configures is built and installed.

usage: conan.py RECIPE FOLDER COMPILER True|False   (the option `harness`)
"""

import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import types


class ConanFile:
    def __init__(self, folder, harness):
        self.options = types.SimpleNamespace(harness=harness)
        self.settings = types.SimpleNamespace(os="Linux")
        self.export_sources_folder = os.path.join(folder, "source")
        self.source_folder = self.export_sources_folder
        self.build_folder = os.path.join(folder, "build")
        self.package_folder = os.path.join(folder, "package")
        self.cpp_info = types.SimpleNamespace(set_property=lambda name, value: None)
        self.required = []

    def requires(self, reference):
        assert re.fullmatch(r"[a-z0-9_]+/\[>=[0-9.]+ <[0-9]+\]", reference), reference
        self.required.append(reference)


class CMakeToolchain:
    def __init__(self, conanfile):
        self.conanfile = conanfile
        self.cache_variables = {}

    def generate(self):
        self.conanfile.given = [f"-D{name}={'ON' if value else 'OFF'}" for name, value in self.cache_variables.items()]


class CMakeDeps:
    def __init__(self, conanfile):
        pass

    def generate(self):
        pass


class CMake:
    def __init__(self, conanfile):
        self.of = conanfile

    def configure(self):
        run("cmake", "-S", self.of.source_folder, "-B", self.of.build_folder, "-DCMAKE_BUILD_TYPE=Release",
            f"-DCMAKE_CXX_COMPILER={compiler}", *self.of.given)

    def build(self):
        run("cmake", "--build", self.of.build_folder)

    def install(self):
        run("cmake", "--install", self.of.build_folder, "--prefix", self.of.package_folder)


def run(*command):
    subprocess.run(command, check=True)


def copy(_, pattern, src, dst):
    for path in glob.glob(os.path.join(src, pattern)):
        target = os.path.join(dst, os.path.relpath(path, src))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.isdir(path):
            shutil.copytree(path, target)
        else:
            shutil.copy2(path, target)


def load(_, path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def module(name, **members):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(members)


recipe, folder, compiler, harness = sys.argv[1:]
module("conan", ConanFile=ConanFile)
module("conan.errors", ConanInvalidConfiguration=RuntimeError)
module("conan.tools")
module("conan.tools.build", check_min_cppstd=lambda conanfile, standard: None)
module("conan.tools.cmake", CMake=CMake, CMakeDeps=CMakeDeps, CMakeToolchain=CMakeToolchain, cmake_layout=lambda conanfile: None)
module("conan.tools.files", copy=copy, load=load)
sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("recipe", recipe)
loaded = importlib.util.module_from_spec(spec)
spec.loader.exec_module(loaded)

ordeal = loaded.OrdealRecipe(folder, harness == "True")
ordeal.set_version()
assert re.fullmatch(r"[0-9]+\.[0-9]+\.[0-9]+", ordeal.version), ordeal.version
ordeal.export_sources()
ordeal.requirements()
assert bool(ordeal.required) == (harness == "True")
for step in ("validate", "layout", "generate", "build", "package", "package_info"):
    getattr(ordeal, step)()
for name in ordeal.cpp_info.builddirs:
    assert os.path.exists(os.path.join(ordeal.package_folder, name, "ordealConfig.cmake")), name
