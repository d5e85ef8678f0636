// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which programs of a class's operations are its clients.
#pragma once

#include "ordeal/scenario/client_family.hpp"
#include "ordeal/scenario/sequential_behaviours.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// A client, and what the specification allows of it: nothing without one.
struct enumerated_client {
    std::string name;
    std::vector<client_call> start;
    client_threads threads;
    std::optional<sequential_behaviours> allowed;
};

/// The clients of a family. A client has as many threads as its size, in an order that no exchange makes another client
/// of, each with one call at least; and no thread could make one more call at its end.
class client_enumeration {
public:
    using add_client = std::function<void(enumerated_client)>;

    explicit client_enumeration(const client_family& family) : family_(family) {}

    /// Calls `add` for all clients of a size, by start. Returns how many were left out because they may wait for ever.
    std::size_t all_of(client_size size, const add_client& add) const;
    /// Calls `add` for clients of a size that are drawn at random, `count` or fewer: none comes twice, and draws are
    /// given up when they bring nothing new. Returns how many may wait for ever, and were left out.
    std::size_t draw(client_size size, std::size_t count, std::uint64_t seed, const add_client& add) const;
    /// The client of that name, if it keeps the rules of use and does not wait for ever. Longer ones may exist.
    [[nodiscard]] std::optional<enumerated_client> named(std::string_view name) const;

private:
    struct start_of_clients {
        const client_start* declared = nullptr;  ///< null: a new object
        std::vector<client_call> calls;
    };

    class choice;

    [[nodiscard]] std::vector<start_of_clients> starts() const;
    [[nodiscard]] client_threads numbered(const start_of_clients& from, client_threads threads) const;
    [[nodiscard]] bool follows_rules(const start_of_clients& from, const client_threads& threads) const;
    [[nodiscard]] bool ends(const start_of_clients& from, const client_threads& threads) const;
    [[nodiscard]] std::optional<enumerated_client> made(const start_of_clients& from, client_size size,
                                                        const client_threads& threads) const;
    [[nodiscard]] std::string name_of(const start_of_clients& from, client_size size,
                                      const client_threads& threads) const;
    [[nodiscard]] std::vector<client_call> single_calls() const;
    [[nodiscard]] bool tells_threads() const;
    [[nodiscard]] std::optional<client_call> call_named(std::string_view text) const;

    const client_family& family_;
};

/// Ends the program with a message and exit code 2, if the family makes no sense.
void require_sensible(const client_family& family);
/// Why no client is of this size, if so.
[[nodiscard]] std::optional<std::string> why_no_size(const client_family& family, client_size size);

}  // namespace ordeal::detail
