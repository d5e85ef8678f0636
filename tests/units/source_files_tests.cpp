// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/source_line.hpp"
#include "ordeal/scenario/source_files.hpp"
#include "ordeal/scenario/trial_registration.hpp"

#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace ordeal;
using namespace ordeal::detail;

namespace fs = std::filesystem;

namespace {

class project {
public:
    project() : folder_(fs::temp_directory_path() / ("ordeal_sources_" + std::to_string(getpid()))) {
        fs::create_directories(folder_ / "inner/src");
        std::ofstream(folder_ / "inner/src/only_here.cpp") << "first\n  second line\n";
    }
    ~project() { fs::remove_all(folder_); }
    project(const project&) = delete;
    project& operator=(const project&) = delete;

    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

private:
    fs::path folder_;
};

}  // namespace

TEST_CASE("sources are named relative to the innermost project that is registered, wherever it lies") {
    const project here;
    register_source_root(here.path("").c_str());
    register_source_root(here.path("inner/").c_str());
    register_source_root(here.path("inner").c_str());
    CHECK(source_name(here.path("inner/src/only_here.cpp")) == "src/only_here.cpp");
    CHECK(source_name(here.path("inner/build/../src/./only_here.cpp")) == "src/only_here.cpp");
    CHECK(source_name(here.path("main.cpp")) == "main.cpp");
    CHECK(source_name(here.path("innermost/main.cpp")) == "innermost/main.cpp");
    CHECK(source_name("/usr/include/c++/12/atomic") == "/usr/include/c++/12/atomic");
    CHECK(source_name("/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/atomic") ==
          "/usr/include/c++/12/atomic");
    CHECK(source_name("src/ordeal/coro/task.hpp") == "src/ordeal/coro/task.hpp");

    source_lines lines;
    CHECK(lines.at("src/only_here.cpp", 2) == "second line");
    CHECK(lines.at(here.path("inner/src/only_here.cpp"), 1) == "first");
    CHECK(lines.at("src/not_here.cpp", 1).empty());
}

TEST_CASE("a source that is a pipe, a device, a folder or without end is not read, and the reason is kept") {
    const project here;
    const std::string pipe = here.path("pipe.cpp");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    const std::string endless = here.path("endless.cpp");
    std::ofstream(endless).seekp((std::streamoff{64} << 20) + 1).put('x');
    for (const auto& [path, why] : {std::pair{pipe, "a pipe, not a regular file"},
                                    std::pair{std::string("/dev/zero"), "a device, not a regular file"},
                                    std::pair{here.path("inner"), "a folder, not a regular file"},
                                    std::pair{endless, "too long for a source file"}}) {
        CAPTURE(path);
        CHECK_FALSE(read_source(path));
        CHECK(read_source_lines(path).empty());
        CHECK(std::ranges::count(refused_sources(), '\'' + path + "' is " + why) == 1);
    }
    CHECK(find_source("/dev/zero").empty());
    CHECK(read_source("/dev/not_there") == std::nullopt);
    CHECK(read_source(here.path("inner/src/only_here.cpp")) == "first\n  second line\n");
}

TEST_CASE("a pipe with the name of a source is not read, nor another file of that name") {
    const project here;
    register_source_root(here.path("inner").c_str());
    const fs::path before = fs::current_path();
    fs::create_directories(here.path("elsewhere/src"));
    REQUIRE(mkfifo(here.path("elsewhere/src/only_here.cpp").c_str(), 0600) == 0);
    fs::current_path(here.path("elsewhere"));
    const auto text = read_source("src/only_here.cpp");
    fs::current_path(before);
    CHECK_FALSE(text);
    CHECK(read_source("src/only_here.cpp") == "first\n  second line\n");
}
