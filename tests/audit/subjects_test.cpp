// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_engine.hpp"

#include "ordeal/audit/subjects.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace audit_test;
using ordeal::order;
using ordeal::role;
using ordeal::detail::is_file_of;

namespace {

std::vector<std::string> files_of(const ordeal::detail::audited_subject& subject) {
    std::vector<std::string> result;
    for (const auto& each : subject.sites) result.push_back(each.where.key.file);
    return result;
}

ordeal::detail::search_result held_always(const orders&) { return all_held(); }

}  // namespace

TEST_CASE("a file belongs to the subject whose name is its stem") {
    CHECK(is_file_of("src/ordeal/coro/task.hpp", "task"));
    CHECK(is_file_of("task.hpp", "task"));
    CHECK_FALSE(is_file_of("src/ordeal/coro/task_result.hpp", "task"));
    CHECK_FALSE(is_file_of("src/task/other.hpp", "task"));
    CHECK_FALSE(is_file_of("", "task"));
}

TEST_CASE("a subject with a file of its own has the sites in it and no others") {
    suite tests;
    tests.add("task/a",
              {{make_site("coro/task.hpp", 1, role::load, order::relaxed), true},
               {make_site("tests/helper.hpp", 2, role::load, order::relaxed), true}},
              held_always);
    CHECK(files_of(tests.audit().subjects.at(0)) == std::vector<std::string>{"coro/task.hpp"});
}

TEST_CASE("a header in a subject's folder that is nobody's is the subject's, what scenarios stand in is not") {
    suite tests;
    tests.add("queue/a",
              {{make_site("lib/queue.hpp", 1, role::load, order::relaxed), true},
               {make_site("lib/detail/list.hpp", 2, role::load, order::relaxed), true},
               {make_site("lib/other.hpp", 3, role::load, order::relaxed), true},
               {make_site("lib/queue_test.cpp", 4, role::load, order::relaxed), true},
               {make_site("tests/helper.hpp", 5, role::load, order::relaxed), true}},
              held_always);
    tests.add("other/a", {{make_site("lib/other.hpp", 3, role::load, order::relaxed), true}}, held_always);
    const auto report = tests.audit();
    REQUIRE(report.subjects.size() == 2);
    CHECK(files_of(report.subjects[0]) == std::vector<std::string>{"lib/other.hpp"});
    CHECK(files_of(report.subjects[1]) == std::vector<std::string>{"lib/detail/list.hpp", "lib/queue.hpp"});
    CHECK(report.subjects[1].scope.empty());
}

TEST_CASE("a subject without a file has the sites it reaches outside other subjects' files") {
    suite tests;
    tests.add("shown/a",
              {{make_site("coro/task.hpp", 1, role::load, order::relaxed), true},
               {make_site("exhibits/all.cpp", 2, role::load, order::relaxed), true}},
              held_always);
    tests.add("task/a", {{make_site("coro/task.hpp", 1, role::load, order::relaxed), true}}, held_always);
    const auto report = tests.audit();
    REQUIRE(report.subjects.size() == 2);
    CHECK(files_of(report.subjects[0]) == std::vector<std::string>{"exhibits/all.cpp"});
    CHECK(report.subjects[0].scope ==
          "no atomic site is in a file that is named shown: the sites are those that its scenarios reach in "
          "exhibits/all.cpp");
    CHECK(files_of(report.subjects[1]) == std::vector<std::string>{"coro/task.hpp"});
}

TEST_CASE("an exhibit's file is its scenario's, its design may stand in another") {
    suite tests;
    tests
        .add("as_printed/a",
             {{make_site("exhibits/as_printed.cpp", 1, role::load, order::relaxed), true},
              {make_site("exhibits/words.hpp", 2, role::load, order::relaxed), true},
              {make_site("coro/task.hpp", 1, role::load, order::relaxed), true}},
             held_always)
        .exhibit = true;
    tests.add("task/a", {{make_site("coro/task.hpp", 1, role::load, order::relaxed), true}}, held_always);
    CHECK(files_of(tests.audit().subjects.at(0)) ==
          std::vector<std::string>{"exhibits/as_printed.cpp", "exhibits/words.hpp"});
}

TEST_CASE("plain accesses are no sites of an audit") {
    auto plain = make_site("coro/task.hpp", 3, role::load, order::relaxed);
    plain.atomic = false;
    suite tests;
    tests.add("task/a", {{plain, true}}, held_always);
    CHECK(tests.audit().subjects.at(0).sites.empty());
}

TEST_CASE("a subject is an exhibit when all its scenarios are") {
    suite tests;
    tests.add("task/a", {}, held_always).exhibit = true;
    tests.add("task/b", {}, held_always);
    tests.add("other/a", {}, held_always).exhibit = true;
    const auto report = tests.audit();
    CHECK(report.subjects.at(0).exhibit);
    CHECK_FALSE(report.subjects.at(1).exhibit);
}

TEST_CASE("a scenario is as expected with its kind of violation and no other") {
    using ordeal::violation_kind;
    using ordeal::detail::is_as_expected;
    CHECK(is_as_expected(ordeal::held, all_held()));
    CHECK(is_as_expected(ordeal::held, bounded("a limit")));
    CHECK_FALSE(is_as_expected(ordeal::held, unclear("why")));
    CHECK(is_as_expected(ordeal::violated(violation_kind::leak), violation(violation_kind::leak)));
    CHECK_FALSE(is_as_expected(ordeal::violated(violation_kind::leak), violation(violation_kind::crash)));
    CHECK_FALSE(is_as_expected(ordeal::violated(violation_kind::leak), all_held()));
}
