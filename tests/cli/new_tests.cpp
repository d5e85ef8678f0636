// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `ordeal new`: what it writes, where it refuses to, and that it leaves nothing behind when it fails.
#include "program.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <unistd.h>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

namespace fs = std::filesystem;

// Relative paths of what is below a folder.
std::set<std::string> tree(const fs::path& folder) {
    std::set<std::string> result;
    for (const auto& each : fs::recursive_directory_iterator(folder)) {
        result.insert(each.path().lexically_relative(folder).string());
    }
    return result;
}

std::set<std::string> files(const fs::path& folder) {
    std::set<std::string> result;
    for (const std::string& each : tree(folder)) {
        if (!fs::is_directory(folder / each)) result.insert(each);
    }
    return result;
}

std::string with_name(std::string text, const std::string& name) {
    constexpr std::string_view placeholder = "my_project";
    for (std::size_t at = 0; (at = text.find(placeholder, at)) != std::string::npos; at += name.size()) {
        text.replace(at, placeholder.size(), name);
    }
    return text;
}

const fs::path template_folder = fs::path(ORDEAL_SOURCE_ROOT) / "template";

void write_file(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

}  // namespace

TEST_CASE("new writes every file of the folder template, with the name of the project") {
    const temporary_folder folder;
    const std::string project = folder.file("lock_free");
    const finished result = run_fixture({"new", project});
    CAPTURE(result.err);
    REQUIRE(result.code == 0);
    const std::set<std::string> written = files(project);
    CHECK(written == files(template_folder));
    CHECK(written.contains("README.md"));
    for (const std::string& each : written) {
        CAPTURE(each);
        CHECK(content(project + "/" + each) == with_name(content((template_folder / each).string()), "lock_free"));
    }
    CHECK_THAT(content(project + "/CMakeLists.txt"), Contains("project(lock_free "));
}

TEST_CASE("new says what to do next, in three commands that can be pasted") {
    const temporary_folder folder;
    const std::string project = folder.file("it's new");
    const finished result = run_fixture({"new", project, "--name", "fresh"});
    REQUIRE(result.code == 0);
    CHECK(result.err.empty());
    const std::string commands = result.out.substr(result.out.find("\n\n") + 2);
    CHECK_THAT(commands, StartsWith("  cd '" + folder.file("it'\\''s new") +
                                    "' && cmake --preset default\n"
                                    "  cmake --build build\n"
                                    "  ctest --test-dir build --output-on-failure\n"));
}

TEST_CASE("new writes into an empty folder, named as it is or by a dot") {
    const temporary_folder folder;
    fs::create_directories(folder.file("here/.git"));  // of `git init`
    const finished result = run_fixture_in_shell("cd '" + folder.file("here") + "' && \"$0\" new .");
    CAPTURE(result.err);
    REQUIRE(result.code == 0);
    CHECK_THAT(result.out, Contains("\n  cmake --preset default\n") && !Contains("cd "));
    CHECK_THAT(content(folder.file("here/CMakeLists.txt")), Contains("project(here "));

    REQUIRE(run_fixture({"new", folder.file("a/b/deep/")}).code == 0);
    CHECK_THAT(content(folder.file("a/b/deep/CMakeLists.txt")), Contains("project(deep "));
}

TEST_CASE("new refuses a folder that has something in it, and what is no folder") {
    const temporary_folder folder;
    fs::create_directory(folder.file("full"));
    write_file(folder.file("full/.hidden"), "mine");
    write_file(folder.file("file"), "mine");
    const finished full = run_fixture({"new", folder.file("full")});
    CHECK(full.code == 2);
    CHECK(full.out.empty());
    CHECK_THAT(full.err, Contains("not empty") && Contains(".hidden"));
    CHECK(tree(folder.file("full")) == std::set<std::string>{".hidden"});
    const finished file = run_fixture({"new", folder.file("file")});
    CHECK(file.code == 2);
    CHECK_THAT(file.err, Contains("not a folder"));
    CHECK(content(folder.file("file")) == "mine");
}

TEST_CASE("new takes as a name what CMake takes for one, and says so otherwise") {
    const temporary_folder folder;
    for (const char* name : {"1st", "two words", "a;b", "", "$(id)", "\xc3\xa4"}) {
        CAPTURE(name);
        const finished result = run_fixture({"new", folder.file("x"), "--name", name});
        CHECK(result.code == 2);
        CHECK_THAT(result.err, Contains("no name of a project"));
    }
    const finished by_folder = run_fixture({"new", folder.file("two words")});
    CHECK(by_folder.code == 2);
    CHECK_THAT(by_folder.err, Contains("--name gives it one"));
    CHECK(run_fixture({"new"}).code == 2);
    CHECK(run_fixture({"new", ""}).code == 2);
    CHECK(tree(folder.file("")).empty());
}

TEST_CASE("new leaves nothing behind when it fails in the middle") {
    const temporary_folder folder;
    // No file may be larger than a kilobyte or two: some files of the project fit, and some do not.
    const std::string project = folder.file("a/project");
    const finished cut = run_fixture_in_shell("ulimit -f 2; \"$0\" new '" + project + "'");
    CHECK(cut.code == 4);
    CHECK_THAT(cut.err, Contains("cannot write a project to"));
    CHECK(tree(folder.file("")).empty());
    // Nobody learns of it.
    const finished unsaid = run_fixture_in_shell("\"$0\" new '" + project + "' >/dev/full");
    CHECK(unsaid.code == 4);
    CHECK_THAT(unsaid.err, Contains("cannot write standard output"));
    CHECK(tree(folder.file("")).empty());
    // The folder that was there stays.
    fs::create_directory(folder.file("mine"));
    CHECK(run_fixture_in_shell("ulimit -f 2; \"$0\" new '" + folder.file("mine") + "'").code == 4);
    CHECK(tree(folder.file("")) == std::set<std::string>{"mine"});
}
