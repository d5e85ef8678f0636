// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/caller/code_sites.hpp"

#include "ordeal/runtime/site.hpp"
#include "ordeal/scenario/trial_registration.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/single_threaded.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace ordeal;
using namespace ordeal::detail;

namespace {

// The library with the code on trial, compiled like one.
class fixture_library {
public:
    static fixture_library& instance() {
        static fixture_library it;
        return it;
    }
    template <class Type>
    Type* find(const char* name) {
        void* const found = dlsym(handle_, name);
        INFO(name);
        REQUIRE(found != nullptr);
        return reinterpret_cast<Type*>(found);
    }

private:
    fixture_library() {
        handle_ = dlopen(ORDEAL_CODE_FIXTURE, RTLD_NOW | RTLD_LOCAL);
        if (handle_ == nullptr) throw std::runtime_error(dlerror());
        register_source_root(ORDEAL_SOURCE_ROOT);
        register_trial_module(dlsym(handle_, "expected_line"), true);
        __libc_single_threaded = 0;  // else libstdc++ leaves out its atomics
    }
    void* handle_ = nullptr;
};

using observer = void(std::uintptr_t address, std::uintptr_t frame, char what, const char* operation, int order);

struct observed {
    site_id id = no_site;
    std::optional<site_id> failure;
    site where;
    std::vector<source_frame> calls;
};
std::vector<observed> seen;

role role_of(char letter) {
    switch (letter) {
        case 'l': return role::load;
        case 's': return role::store;
        case 'e': return role::exchange;
        case 'm': return role::fetch;
        case 'c': return role::success;
        default: return role::fence;
    }
}

void observe(std::uintptr_t address, std::uintptr_t frame, char what, const char* operation, int order) {
    const code_location at{address, frame, operation};
    const auto declared = from_std(static_cast<std::memory_order>(order));
    observed result;
    result.id = what == 'p' ? plain_code_site(at) : atomic_code_site(at, role_of(what), declared);
    if (what == 'c') result.failure = atomic_code_site(at, role::failure, order::relaxed);
    result.where = sites().at(result.id);
    result.calls = call_stack(at);
    seen.push_back(result);
}

// What a function of the fixture did, in this order; the writes of the line number are left out.
template <class Type = void(), class... Arguments>
std::vector<observed> run(const char* name, Arguments... arguments) {
    auto& library = fixture_library::instance();
    auto* const function = library.find<Type>(name);
    auto*& slot = *library.find<observer*>("observe");
    seen.clear();
    slot = &observe;
    (void)function(arguments...);
    slot = nullptr;
    return std::move(seen);
}

std::vector<observed> atomics_of(std::vector<observed> all) {
    std::erase_if(all, [](const observed& each) { return each.where.operation == "write"; });
    return all;
}

std::uint32_t expected_line() {
    return static_cast<std::uint32_t>(*fixture_library::instance().find<int>("expected_line"));
}

observed only(const std::vector<observed>& all) {
    REQUIRE(all.size() == 1);
    return all.front();
}

constexpr std::string_view fixture_file = "tests/units/code_sites_fixture.cpp";

}  // namespace

TEST_CASE("the site of an atomic operation is where the user wrote it") {
    const observed store = only(atomics_of(run("one_store")));
    CHECK(store.where.key.file == fixture_file);
    CHECK(store.where.key.line == expected_line());
    CHECK(store.where.key.column > 0);
    CHECK(store.where.key.what == role::store);
    CHECK(store.where.atomic);
    CHECK(store.where.function == "one_store");
    CHECK(store.where.operation == "store");
    CHECK(store.where.declared == order::release);
    CHECK(only(atomics_of(run("one_store"))).id == store.id);
}

TEST_CASE("two operations on a line are two sites") {
    const auto loads = atomics_of(run<int()>("two_loads_on_a_line"));
    REQUIRE(loads.size() == 2);
    CHECK(loads[0].where.key.line == expected_line());
    CHECK(loads[1].where.key.line == expected_line());
    CHECK(loads[0].where.key.column != loads[1].where.key.column);
    CHECK(loads[0].where.declared != loads[1].where.declared);
}

TEST_CASE("one function of the library, called from two places, is two sites") {
    const auto loads = atomics_of(run<int()>("same_operation_elsewhere"));
    REQUIRE(loads.size() == 2);
    CHECK(loads[0].where.key.line + 1 == loads[1].where.key.line);
    CHECK(loads[0].id != loads[1].id);
    const auto again = atomics_of(run<int()>("same_operation_elsewhere"));
    REQUIRE(again.size() == 2);
    CHECK(again[0].id == loads[0].id);
    CHECK(again[1].id == loads[1].id);
}

TEST_CASE("equal operations in two branches are two sites") {
    const auto first = atomics_of(run<void(int)>("same_operations_in_two_branches", 0));
    const auto second = atomics_of(run<void(int)>("same_operations_in_two_branches", 1));
    REQUIRE(first.size() == 2);
    REQUIRE(second.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(first[i].where.key.line + 4 == second[i].where.key.line);
        CHECK(first[i].id != second[i].id);
    }
}

TEST_CASE("a call stack goes through inlined functions") {
    const observed exchange = only(atomics_of(run<int()>("through_a_helper")));
    CHECK(exchange.where.function == "helper");
    CHECK(exchange.where.key.line == expected_line());
    REQUIRE(exchange.calls.size() >= 2);
    CHECK(exchange.calls[0].function == "helper");
    CHECK(exchange.calls[1].function == "through_a_helper");
    CHECK(exchange.calls[1].line > exchange.calls[0].line);
    CHECK(exchange.calls[1].file == fixture_file);
}

TEST_CASE("a place that is given its order is a site for each order, under one key") {
    const auto loads = atomics_of(run<int()>("wrapped_twice"));
    REQUIRE(loads.size() == 2);
    CHECK(loads[0].where.key == loads[1].where.key);
    CHECK(loads[0].where.declared == order::acquire);
    CHECK(loads[1].where.declared == order::relaxed);
    CHECK(sites().effective(loads[0].id) == order::acquire);
    CHECK(sites().effective(loads[1].id) == order::relaxed);

    sites().set_overrides({{loads[0].where.key, order::seq_cst}});
    CHECK(sites().effective(loads[0].id) == order::seq_cst);
    CHECK(sites().effective(loads[1].id) == order::seq_cst);
    sites().set_overrides({});
}

TEST_CASE("a compare-exchange is two sites at one place") {
    const char* const function = GENERATE("compare_and_exchange", "weak_compare_and_exchange");
    const observed exchange = only(atomics_of(run<bool()>(function)));
    CHECK(exchange.where.atomic);
    CHECK(exchange.where.function == function);
    REQUIRE(exchange.failure);
    CHECK(exchange.where.key.line == expected_line());
    CHECK(exchange.where.operation.starts_with("compare_exchange"));
    const site& failure = sites().at(*exchange.failure);
    CHECK(failure.key.what == role::failure);
    CHECK(failure.key.line == exchange.where.key.line);
    CHECK(failure.key.column == exchange.where.key.column);
}

TEST_CASE("a fence has a site of its own") {
    const observed fence = only(atomics_of(run("only_a_fence")));
    CHECK(fence.where.atomic);
    CHECK(fence.where.key.what == role::fence);
    CHECK(fence.where.key.line == expected_line());
}

TEST_CASE("an operator of an atomic in a lambda is found") {
    const observed increment = only(atomics_of(run("in_a_lambda")));
    CHECK(increment.where.atomic);
    CHECK(increment.where.key.line == expected_line());
    CHECK(increment.where.function == "operator()");
    REQUIRE(increment.calls.size() >= 2);
    CHECK(increment.calls[1].function == "in_a_lambda");
}

TEST_CASE("a call stack goes through a library that has neither debug information nor frame pointers") {
    const auto all = atomics_of(run("through_the_c_library"));
    REQUIRE_FALSE(all.empty());
    REQUIRE(all[0].calls.size() >= 2);
    CHECK(all[0].calls[0].function == "compare");
    CHECK(all[0].calls[1].function == "through_the_c_library");
}

TEST_CASE("what the library does for itself is no atomic site, and says where it is") {
    const auto all = atomics_of(run("copy_a_shared_pointer"));
    REQUIRE_FALSE(all.empty());
    for (const observed& each : all) {
        CAPTURE(each.where.operation, each.where.key.file);
        CHECK_FALSE(each.where.atomic);
        CHECK(each.where.operation.ends_with(" in std::shared_ptr"));
        CHECK(each.where.key.file == fixture_file);
        CHECK(each.where.function == "copy_a_shared_pointer");
    }
    CHECK(all.front().where.key.line == expected_line());
}

TEST_CASE("the user is found through frames of the shared library of C++") {
    const auto all = atomics_of(run("library_alone_under_call_once"));
    const auto found =
        std::ranges::find_if(all, [](const observed& each) { return each.where.operation.starts_with("fetch_sub"); });
    REQUIRE(found != all.end());
    CHECK_FALSE(found->where.atomic);
    CHECK(found->where.key.line == expected_line());
    CHECK(found->where.function == "library_alone_under_call_once");
}

TEST_CASE("a plain access has a site too, and a global its name") {
    auto all = run<void(int)>("plain_write", 3);
    REQUIRE(all.size() == 2);  // the line number, and the write itself
    CHECK_FALSE(all[1].where.atomic);
    CHECK(all[1].where.key.line == expected_line());
    CHECK(all[1].where.function == "plain_write");
    CHECK(all[1].where.operation == "write");

    auto* const address_of = fixture_library::instance().find<void*(std::size_t)>("address_of_a_global");
    const auto global = global_at(reinterpret_cast<std::uintptr_t>(address_of(2)));
    REQUIRE(global);
    CHECK(global->name == "named::hits");
    CHECK(global->offset == 2 * sizeof(int));
    int local = 0;
    CHECK_FALSE(global_at(reinterpret_cast<std::uintptr_t>(&local)));
}

TEST_CASE("a place is found on the small stack of a thread of the model") {
    fixture_library::instance();
    pthread_attr_t attributes;
    REQUIRE(pthread_attr_init(&attributes) == 0);
    REQUIRE(pthread_attr_setstacksize(&attributes, std::size_t{32} << 10) == 0);
    static std::vector<observed> result;
    const auto body = [](void*) -> void* {
        result = atomics_of(run("one_store"));
        return nullptr;
    };
    pthread_t thread{};
    REQUIRE(pthread_create(&thread, &attributes, body, nullptr) == 0);
    REQUIRE(pthread_join(thread, nullptr) == 0);
    pthread_attr_destroy(&attributes);
    CHECK(only(result).where.key.line == expected_line());
}
