// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/explorer/tally.hpp"
#include "ordeal/engine/persistence/resumable_file.hpp"

#include <optional>

namespace ordeal::detail::graph {

/// The file that a search writes from time to time and when it is cut short, and from which it resumes with the same
/// counts. Four lines: the version of the format; the search and the build of the program; counts and graphs; a
/// checksum of the three. The caller must hold the lock of the file (cli/files/file_lock.cpp).
class checkpoint {
public:
    /// Empty path: there is no checkpoint.
    checkpoint(const scenario& what, const search_options& options) : what_(what), options_(options) {}

    [[nodiscard]] bool wanted() const noexcept { return !options_.checkpoint.file.empty(); }

    /// The contents of the file; nothing if there is none. Throws std::runtime_error if it cannot be read, is damaged,
    /// or belongs to another search, build or environment.
    [[nodiscard]] std::optional<part_of_search> load();
    /// Writes the file whole or not at all; throws std::runtime_error on failure.
    void save(const part_of_search& part) const;
    /// Called when the search is complete.
    void remove() const;

private:
    const scenario& what_;
    const search_options& options_;
    environment_values read_before_;  ///< the environment recorded in the file
};

}  // namespace ordeal::detail::graph
