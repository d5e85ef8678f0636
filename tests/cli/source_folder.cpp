// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source_folder.hpp"

#include <filesystem>
#include <fstream>

namespace ordeal::test {

namespace fs = std::filesystem;

void source_folder::write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(folder_.file(name)).parent_path());
    std::ofstream(folder_.file(name)) << text;
}

finished source_folder::in_shell(const std::string& line) const {
    return run(
        "/bin/sh",
        {"-c", "cd \"$0\" && XDG_CACHE_HOME=\"$0/cache\" PATH=\"$1:$PATH\" && export PATH XDG_CACHE_HOME && " + line,
         folder_.file("."), fs::path(ORDEAL_BINARY).parent_path()});
}

}  // namespace ordeal::test
