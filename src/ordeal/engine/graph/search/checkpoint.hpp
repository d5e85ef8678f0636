// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/explorer/tally.hpp"
#include "ordeal/engine/persistence/environment.hpp"

#include <optional>
#include <string>

namespace ordeal::graph {

/// The file that a search writes from time to time, and when it is cut short, and from which it goes on to the same counts.
/// Four lines: the version of the format; the search and the build of the program that made it; counts and graphs; a
/// checksum of the three. Whoever uses one keeps other processes from it (cli/files/file_lock.hpp).
class checkpoint {
public:
    /// An empty path: none is kept.
    checkpoint(const scenario& what, const search_options& how) : what_(what), how_(how) {}

    [[nodiscard]] bool wanted() const noexcept { return !how_.checkpoint.file.empty(); }

    /// What the file has; nothing when there is no file. Throws std::runtime_error when it cannot be read, is damaged, or
    /// belongs to another search, another build of the program, or one that was given another environment.
    [[nodiscard]] std::optional<part_of_search> load();
    /// Writes the file whole or not at all; throws std::runtime_error when it cannot.
    void save(const part_of_search& part) const;
    /// The search is over.
    void remove() const;

private:
    const scenario& what_;
    const search_options& how_;
    environment_values read_before_;  ///< what the file has of the environment
};

}  // namespace ordeal::graph
