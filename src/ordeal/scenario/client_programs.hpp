// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/scenario/client_enumeration.hpp"
#include "ordeal/scenario/client_family.hpp"
#include "ordeal/scenario/client_outcomes.hpp"
#include "ordeal/scenario/registration.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// One client, which is a scenario of the program.
struct client_of_set {
    client_of_set(const client_family& family, enumerated_client made);
    client_of_set(const client_of_set&) = delete;
    client_of_set& operator=(const client_of_set&) = delete;

    enumerated_client what;
    std::vector<std::vector<std::string>> call_words;  ///< "push(1)", by thread and call
    std::vector<std::string> thread_names;
    client_program program;
    const client_family& family;
    call_set returning_fresh_values = 0;  ///< only where threads make the same calls

    mutable std::map<std::vector<client_result>, std::string> outcomes;  ///< some that were asked for

    [[nodiscard]] bool fresh(const client_call& call) const { return family.operations[call.operation].fresh; }

private:
    void group_threads();

    std::vector<const char*> thread_name_pointers_;
    std::vector<int> same_calls_;
};

/// The clients of a class: those of the sizes that it declares, or of others that a user has asked for.
struct client_set {
    std::string name;
    client_family family;
    void (*add)(void* context, const client_program& made) = nullptr;  ///< to the scenarios of the program
    void* context = nullptr;
    std::vector<client_size> sizes;
    std::size_t starts = 0;
    std::vector<const client_of_set*> clients;
    std::set<std::string_view> names;       ///< of these
    bool as_declared = true;                ///< they are those of the declaration
    std::size_t waiting = 0;                ///< left out: some order of their calls ends with calls that wait for ever
    std::optional<std::uint64_t> drawn_by;  ///< the seed, if the clients are some that were drawn at random
    std::map<std::string_view, std::unique_ptr<client_of_set>> made;  ///< by name; may be more

    /// Takes all clients of these sizes. Throws std::runtime_error, with nothing changed but what is made, if there are
    /// too many, or none; and if no client is of one of the sizes.
    void take_all(std::vector<client_size> of_sizes);
    /// Takes some clients of each size. Throws as above.
    void take_drawn(std::vector<client_size> of_sizes, std::size_t of_each, std::uint64_t seed);
    /// Makes the client of this name a scenario, whatever its size, if it is not one yet. False if there is no such
    /// client.
    bool make_named(std::string_view client);

private:
    const client_of_set* make(enumerated_client client);
    void take(std::vector<client_size> of_sizes, std::vector<const client_of_set*> chosen, std::size_t left_out);
};

/// Of this program, in the order in which they were declared. Their addresses do not change.
[[nodiscard]] std::deque<client_set>& client_sets();

/// Which client a scenario is.
struct client_place {
    const client_set* set = nullptr;  ///< null: it is none
    const client_of_set* client = nullptr;
    std::string_view size;  ///< the part of its name that clients of one size share: "ring/2x2"
};
[[nodiscard]] client_place place_of_client(std::string_view scenario);

/// The scenario of this name. If there is none and a client of any size has the name, that client becomes a scenario,
/// so earlier spans of scenarios() are no longer valid. Null: there is no such client either.
[[nodiscard]] const scenario* scenario_named(std::string_view name);

}  // namespace ordeal::detail
