// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/process/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

namespace fs = std::filesystem;

TEST_CASE("a temporary folder that was left is removed by the next process, and one in use or of another user is not") {
    const ordeal::detail::temporary_folder parent(fs::temp_directory_path().string(), "ordeal_test_own.");
    const fs::path in = parent.path();
    fs::create_directory(in / "kind.left");
    std::ofstream(in / "kind.left" / "file") << "left";
    fs::create_directory(in / "other.left");
    fs::create_directory(in / "aim");
    fs::create_symlink(in / "aim", in / "kind.link");
    std::ofstream(in / "kind.file") << "no folder";
    const bool is_root = geteuid() == 0;
    if (is_root) {
        fs::create_directory(in / "kind.theirs");
        REQUIRE(chown((in / "kind.theirs").c_str(), 1, 1) == 0);
    }
    std::optional<ordeal::detail::temporary_folder> first(std::in_place, in.string(), "kind.");
    CHECK_FALSE(fs::exists(in / "kind.left"));
    CHECK(fs::exists(in / "other.left"));
    CHECK(fs::is_symlink(in / "kind.link"));
    CHECK(fs::exists(in / "aim"));
    CHECK(fs::exists(in / "kind.file"));
    CHECK(fs::exists(in / "kind.theirs") == is_root);
    std::ofstream(fs::path(first->path()) / "file") << "in use";
    const ordeal::detail::temporary_folder second(in.string(), "kind.");
    CHECK(fs::exists(fs::path(first->path()) / "file"));
    const std::string path = first->path();
    first.reset();
    CHECK_FALSE(fs::exists(path));
    CHECK(fs::is_directory(second.path()));
}
