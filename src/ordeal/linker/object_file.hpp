// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::linker {

/// An ELF file: its sections and symbol tables.
class object_file {
public:
    struct section {
        std::string name;
        bool code = false;
        std::string_view bytes;
    };
    struct symbol {
        std::string name;
        bool defined = false;
    };

    /// Throws std::runtime_error if it is no ELF file for this kind of machine. The bytes must outlive this object.
    explicit object_file(std::string_view bytes);

    [[nodiscard]] bool has_code(const std::string& section_name) const;
    [[nodiscard]] bool has_symbol(std::string_view name) const;
    [[nodiscard]] const std::vector<section>& sections() const noexcept { return sections_; }
    [[nodiscard]] const std::vector<symbol>& symbols() const noexcept { return symbols_; }

private:
    std::vector<section> sections_;
    std::vector<symbol> symbols_;
};

/// The input files of a linker; each is read once.
class input_files {
public:
    /// An object file, or all members of that name of an archive. Throws std::runtime_error.
    [[nodiscard]] std::vector<object_file> objects(const std::filesystem::path& file, const std::string& member);

private:
    const std::string& content(const std::filesystem::path& file);

    std::map<std::filesystem::path, std::string> read_;
};

}  // namespace ordeal::linker
