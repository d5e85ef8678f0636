// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/trial_registration.hpp"
#include "ordeal/symbols/debug_types.hpp"
#include "ordeal/symbols/names/known_objects.hpp"
#include "ordeal/symbols/names/source_lexer.hpp"
#include "ordeal/symbols/stack_walk.hpp"

#include <dlfcn.h>
#include <catch2/catch.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ordeal;
using namespace ordeal::detail;

namespace {

void* find_in_fixture(const char* name) {
    static void* const handle = [] {
        void* const got = dlopen(ORDEAL_NAMES_FIXTURE, RTLD_NOW | RTLD_LOCAL);
        if (got == nullptr) throw std::runtime_error(dlerror());
        register_source_root(ORDEAL_SOURCE_ROOT);
        return got;
    }();
    void* const found = dlsym(handle, name);
    INFO(name);
    REQUIRE(found != nullptr);
    return found;
}

struct named_part {
    std::string name;
    std::string type;
    debug_types::die value;
    std::vector<std::string> beginning;
};

// What lies where the function of the fixture says.
named_part part_at(const char* function, std::size_t size) {
    const auto address = reinterpret_cast<std::uintptr_t>(reinterpret_cast<void* (*)()>(find_in_fixture(function))());
    const auto variable = global_variable_at(address);
    REQUIRE(variable);
    REQUIRE(variable->type);
    named_part result;
    const std::uint64_t offset = address - variable->address;
    for (const auto& each : debug_types::parts_at(*variable->type, offset, size)) {
        result.name = variable->name + each.path;
        result.type = debug_types::full_name(each.type);
        result.value = debug_types::value_type(each.type);
        if (each.begin == offset) result.beginning.push_back(result.name);
    }
    return result;
}

block_contents seen;

std::vector<std::uintptr_t> calls_here() {
    std::vector<std::uintptr_t> result;
    calling_function function = caller_at(code_location_here(""));
    while (function.address != 0 && result.size() < 32) {
        result.push_back(function.address);
        function = caller_of(function, rule_for(function.address));
    }
    return result;
}

void observe(void* block, std::size_t size) {
    source_text sources;
    const std::vector<std::uintptr_t> calls = calls_here();
    auto& observer = *static_cast<void (**)(void*, std::size_t)>(find_in_fixture("observe"));
    observer = nullptr;
    seen = contents_of({reinterpret_cast<std::uintptr_t>(block), size}, calls, sources);
}

const block_contents& allocated_by(const char* function) {
    auto& observer = *static_cast<void (**)(void*, std::size_t)>(find_in_fixture("observe"));
    observer = &observe;
    seen = {};
    reinterpret_cast<void (*)()>(find_in_fixture(function))();
    observer = nullptr;
    return seen;
}

}  // namespace

TEST_CASE("A member is named by its path, through arrays, bases and unions without a name", "[names]") {
    CHECK(part_at("whole_nodes_1_phase", 1).name == "fixture::whole.nodes[1].phase_");
    CHECK(part_at("whole_nodes_2_count", 8).name == "fixture::whole.nodes[2].count_");
    CHECK(part_at("whole_nodes_3_next", 8).name == "fixture::whole.nodes[3].next_");
    CHECK(part_at("whole_nodes_0_grid_1_2", 2).name == "fixture::whole.nodes[0].grid[1][2]");
    CHECK(part_at("whole_nodes_0_as_number", 4).name == "fixture::whole.nodes[0].as_number");
    CHECK(part_at("of_unnamed", 4).name == "fixture::unnamed.of_unnamed");
    CHECK(part_at("hits_itself", 4).name == "fixture::hits");
}

TEST_CASE("What a library has inside its types has no name of its own", "[names]") {
    CHECK(part_at("whole_pairs_1_second", 8).name == "fixture::whole.pairs[1].second");
    CHECK(part_at("whole_maybe_count", 8).name == "fixture::whole.maybe.count_");
    CHECK(part_at("whole_owned", 8).name == "fixture::whole.owned");
    CHECK(part_at("whole_many", 8).name == "fixture::whole.many");
    CHECK(part_at("whole_lock", 4).name == "fixture::whole.lock_");
}

TEST_CASE("Types are told with their namespaces, but for those that are inline", "[names]") {
    CHECK(part_at("hits_itself", 4).type == "std::atomic<int>");
    CHECK(part_at("whole_lock", 4).type == "std::mutex");
    CHECK(part_at("whole_nodes_3_next", 8).type == "fixture::link *");
    const auto peer = debug_types::pointee(part_at("whole_nodes_0_peer", 8).value);
    REQUIRE(peer);
    CHECK(debug_types::full_name(*peer).starts_with("fixture::chain<short"));
    CHECK(debug_types::short_name(*peer) == "chain<...>::node");
}

TEST_CASE("All that begins at an address is known, the outermost first", "[names]") {
    const auto first = part_at("whole_nodes_2_count", 8).beginning;
    REQUIRE(first.size() == 2);
    CHECK(first[0] == "fixture::whole.nodes[2]");
    CHECK(first[1] == "fixture::whole.nodes[2].count_");
}

TEST_CASE("A value is named by its enumerator, or true and false", "[names]") {
    const auto phase = part_at("whole_nodes_1_phase", 1).value;
    CHECK(debug_types::value_name(phase, 0) == "idle");
    CHECK(debug_types::value_name(phase, 200) == "busy");
    CHECK(debug_types::value_name(phase, 201) == "done");
    CHECK(debug_types::value_name(phase, 3).empty());
    const auto ready = part_at("whole_nodes_0_ready", 1).value;
    CHECK(debug_types::value_name(ready, 1) == "true");
    CHECK(debug_types::value_name(ready, 0) == "false");
    CHECK(debug_types::value_name(part_at("hits_itself", 4).value, 1).empty());
}

TEST_CASE("A block is known by what its allocation was called for", "[names]") {
    using kind = block_contents::kind;
    for (const char* const each : {"by_new", "by_make_unique"}) {
        INFO(each);
        const block_contents& found = allocated_by(each);
        CHECK(found.is == kind::object);
        CHECK(found.word == (each == std::string("by_new") ? "lone" : "item"));
        CHECK(found.place.starts_with("tests/units/names_fixture.cpp:"));
    }
    CHECK(allocated_by("by_vector").is == kind::array);
    CHECK(seen.word == "item");
    CHECK(allocated_by("by_list").word == "item");
    CHECK(allocated_by("by_make_shared").word == "item");
}

TEST_CASE("A block whose type could be one of two is left without a type", "[names]") {
    const block_contents& found = allocated_by("by_name_that_is_ambiguous");
    CHECK(found.is == block_contents::kind::unknown);
    CHECK(found.place.starts_with("tests/units/names_fixture.cpp:"));
}

TEST_CASE("The types that a line of the source allocates are found", "[names]") {
    using words = std::vector<std::string>;
    CHECK(types_allocated("auto* a = new queue::node{1};") == words{"queue::node"});
    CHECK(types_allocated("f(new (std::nothrow) left, new right[3]);") == words{"left", "right"});
    CHECK(types_allocated("f(new ring<pair<int, char>>(2), new less < 3);") == words{"ring<pair<int, char>>", "less"});
    CHECK(types_allocated("auto* a = (int*)calloc(4, sizeof(int));") == words{"int"});
    CHECK(types_allocated("renew(old); // new thing").empty());
    CHECK(types_allocated("new").empty());
}

TEST_CASE("What an operation is called on is found in a line of the source", "[names]") {
    CHECK(object_of_call("  waiter->next_.write() = head;", 3) == "next_");
    CHECK(object_of_call("state_.exchange(this);", 1) == "state_");
    CHECK(object_of_call("nodes[i + 1].peer.load();", 1) == "peer");
    CHECK(object_of_call("load();", 1).empty());
    CHECK(object_of_call("a + b;", 1).empty());
    CHECK(object_of_call("short", 9).empty());
}
