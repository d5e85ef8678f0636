// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/scenario/client_family.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// The calls of each thread.
using client_threads = std::vector<std::vector<client_call>>;

/// A call in an order that the specification allows.
struct specified_call {
    std::uint8_t thread;
    std::uint8_t number;  ///< of the thread's calls
    client_result result;
};
using specified_order = std::vector<specified_call>;

/// One client, and all that the specification allows of it.
struct client_of_set {
    client_of_set(const client_family& family, std::string name, std::vector<client_call> start, client_threads threads,
                  std::vector<specified_order> orders, bool judged);
    client_of_set(const client_of_set&) = delete;
    client_of_set& operator=(const client_of_set&) = delete;

    std::string name;
    std::vector<client_call> start;
    client_threads threads;
    std::vector<specified_order> orders;
    bool is_judged;
    std::vector<std::vector<std::string>> call_words;  ///< "push(1)", by thread and call
    std::vector<std::string> thread_names;
    client_program program;

private:
    std::vector<const char*> thread_name_pointers_;
};

/// The clients of a class.
struct client_set {
    std::string name;
    std::vector<client_size> sizes;
    std::size_t starts = 0;
    std::vector<std::unique_ptr<client_of_set>> clients;
    std::set<std::string_view> names;  ///< of the clients
    std::size_t waiting = 0;           ///< left out: some order of their calls ends with calls that wait for ever
};

/// Of this program, in the order in which they were declared.
[[nodiscard]] std::vector<client_set>& client_sets();

/// Which client a scenario is.
struct client_place {
    const client_set* set = nullptr;  ///< null: it is none
    std::string_view size;            ///< the part of its name that clients of one size share: "ring/2x2"
};
[[nodiscard]] client_place place_of_client(std::string_view scenario);

}  // namespace ordeal::detail
