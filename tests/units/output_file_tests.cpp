// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/persistence/output_file.hpp"

#include <catch2/catch.hpp>

#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;
using ordeal::detail::output_file;

namespace {

class folder {
public:
    folder() {
        std::string name = (fs::temp_directory_path() / "ordeal_output_file.XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~folder() { fs::remove_all(path_); }
    folder(const folder&) = delete;
    folder& operator=(const folder&) = delete;

    [[nodiscard]] fs::path path(const char* name) const { return path_ / name; }
    [[nodiscard]] std::ptrdiff_t files() const {
        return std::distance(fs::directory_iterator(path_), fs::directory_iterator());
    }

private:
    fs::path path_;
};

std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("a file is written, then replaced, and nothing else is left") {
    const folder here;
    const output_file file(here.path("a.json"));
    CHECK_FALSE(file.obstacle());
    CHECK(here.files() == 0);
    CHECK_FALSE(file.write("first, the longer one"));
    CHECK_FALSE(file.obstacle());
    CHECK_FALSE(file.write("second"));
    CHECK(content(here.path("a.json")) == "second");
    CHECK(here.files() == 1);
}

TEST_CASE("a symbolic link stays one") {
    const folder here;
    fs::create_symlink("real.json", here.path("link.json"));
    CHECK_FALSE(output_file(here.path("link.json")).write("text"));
    CHECK(fs::is_symlink(here.path("link.json")));
    CHECK(content(here.path("real.json")) == "text");
}

TEST_CASE("what cannot be written is said before and after") {
    const folder here;
    for (const char* name : {"missing/a.json", ""}) {
        const output_file file(here.path(name));
        CAPTURE(name);
        CHECK(file.obstacle());
        CHECK(file.write("text"));
    }
    CHECK(output_file("").obstacle());
    CHECK(here.files() == 0);
}

TEST_CASE("a device is written to and not replaced") {
    CHECK_FALSE(output_file("/dev/null").obstacle());
    CHECK_FALSE(output_file("/dev/null").write("text"));
    CHECK(fs::is_character_file("/dev/null"));
    CHECK(output_file("/dev/full").write("text"));
}

TEST_CASE("a pipe without a reader is not waited for") {
    const folder here;
    REQUIRE(mkfifo(here.path("pipe").c_str(), 0600) == 0);
    CHECK(output_file(here.path("pipe")).write("text") == "nobody reads from it");
    CHECK(fs::is_fifo(here.path("pipe")));
}
