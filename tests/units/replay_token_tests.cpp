// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/persistence/replay_token.hpp"

#include <catch2/catch.hpp>

using Catch::Matchers::Contains;
using ordeal::order;
using ordeal::role;
using ordeal::detail::default_memory_model;
using ordeal::detail::memory_model;
using ordeal::detail::parse_token;
using ordeal::detail::replay_token;
using ordeal::detail::to_text;

namespace {

replay_token example() {
    return {"graph",
            "task/abandon_against_complete",
            {{{"src/ordeal/coro/task.hpp", 87, 30, role::exchange}, order::acquire},
             {{"src/ordeal/coro/task.hpp", 54, 9, role::failure}, order::relaxed}},
            {"f3.0.12"},
            memory_model::tso};
}

}  // namespace

TEST_CASE("a token comes back as it went") {
    const auto text = to_text(example());
    REQUIRE(text);
    const auto parsed = parse_token(*text);
    CHECK(parsed.error.empty());
    REQUIRE(parsed.token);
    CHECK(*parsed.token == example());
}

TEST_CASE("a token without overrides and without choices comes back as it went") {
    const replay_token plain{"relacy", "event/x", {}, {}, default_memory_model};
    const auto text = to_text(plain);
    REQUIRE(text);
    CHECK_THAT(*text, Catch::Matchers::StartsWith("o1:relacy:event/x:-:-:"));
    CHECK(parse_token(*text).token == plain);
}

TEST_CASE("where a place has several orders a token says which one is replaced, and elsewhere it does not") {
    replay_token token = example();
    CHECK_THAT(to_text(token).value(), Contains(":src/ordeal/coro/task.hpp@87.30.exchange=acquire,"));
    token.overrides[0].declared = order::acq_rel;
    const std::string text = to_text(token).value();
    CHECK_THAT(text, Contains(":src/ordeal/coro/task.hpp@87.30.exchange.acq_rel=acquire,"));
    CHECK(parse_token(text).token == token);
}

TEST_CASE("a token says of a fence that it is added, of which order, and on which side of its site") {
    using enum ordeal::override_position;
    replay_token token = example();
    token.overrides[0].position = before;
    token.overrides[1].position = after;
    token.overrides[1].declared = order::acquire;
    token.overrides[1].replacement = order::seq_cst;
    const std::string text = to_text(token).value();
    CHECK_THAT(text, Contains(":src/ordeal/coro/task.hpp@87.30.exchange+acquire-before,"
                              "src/ordeal/coro/task.hpp@54.9.failure.acquire+seq_cst-after:"));
    CHECK(parse_token(text).token == token);
}

TEST_CASE("an override comes back as it went, also of a file whose name has the characters of the grammar") {
    using enum ordeal::override_position;
    for (const char* const file : {"a.hpp", "c++/a=b.hpp", "a@1.2.load=acquire/c+d-before.hpp"}) {
        for (const auto position : {instead, before, after}) {
            for (const auto declared : {std::optional<order>(), std::optional(order::release)}) {
                const ordeal::order_override value{{file, 4, 16, role::store}, order::seq_cst, declared, position};
                CAPTURE(to_string(value));
                CHECK(ordeal::parse_order_override(to_string(value)) == value);
            }
        }
    }
}

TEST_CASE("what is no override is not read as one") {
    for (const char* const text :
         {"", "=", "+", "a.hpp@4.16.load", "a.hpp@4.16.load+", "a.hpp@4.16.load+seq_cst", "a.hpp@4.16.load+-before",
          "a.hpp@4.16.load+seq_cst-", "a.hpp@4.16.load+seq_cst-instead", "a.hpp@4.16.load+before-seq_cst",
          "a.hpp@4.16.load=seq_cst-before", "a.hpp@4.16.load+seq_cst-before-after", "a.hpp@4.16.load-before+seq_cst",
          "a.hpp@4.16.load=acquire+seq_cst-before", "a.hpp@4.16+seq_cst-before"}) {
        CAPTURE(text);
        CHECK_FALSE(ordeal::parse_order_override(text).has_value());
    }
}

TEST_CASE("a token names the memory model where it is not that of C++") {
    replay_token token = example();
    CHECK_THAT(to_text(token).value(), Catch::Matchers::StartsWith("o1:graph+tso:task/"));
    token.model = memory_model::sc;
    CHECK_THAT(to_text(token).value(), Catch::Matchers::StartsWith("o1:graph+sc:task/"));
    CHECK(parse_token(to_text(token).value()).token == token);
    token.engine = "graph+x";
    CHECK_FALSE(to_text(token).has_value());
    CHECK_THAT(parse_token("o1:graph+x86:a:-:-:f4c7d343").error, Contains("memory model"));
}

TEST_CASE("choices may hold the character that separates parts") {
    const replay_token token{"graph", "event/x", {}, {"1:2:3"}, default_memory_model};
    CHECK(parse_token(to_text(token).value()).token == token);
}

TEST_CASE("a name may hold the characters that separate parts, and quotes") {
    const std::string name = GENERATE("ring/2x2/full:push+pop", "It's::a/100% test", "%3A", "a:%", "%2");
    replay_token token = example();
    token.scenario = name;
    const auto text = to_text(token);
    REQUIRE(text);
    INFO(*text);
    CHECK(text->find('\'') == std::string::npos);
    CHECK(parse_token(*text).token == token);
}

TEST_CASE("what cannot be told apart in a token is not made into one") {
    const auto with = [](auto change) {
        replay_token token = example();
        change(token);
        return to_text(token);
    };
    CHECK_FALSE(with([](replay_token& t) { t.engine = "a:b"; }));
    CHECK_FALSE(with([](replay_token& t) { t.overrides[0].site.file = "c:/task.hpp"; }));
    CHECK_FALSE(with([](replay_token& t) { t.overrides[0].site.file = "a,b.hpp"; }));
    CHECK_FALSE(with([](replay_token& t) { t.path.text = "it's"; }));
    CHECK_FALSE(with([](replay_token& t) { t.path.text = "-"; }));
    CHECK_FALSE(with([](replay_token& t) { t.scenario = "a/\033[1m"; }));
}

TEST_CASE("a change of any one character of a token is noticed") {
    const std::string text = to_text(example()).value();
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string changed = text;
        changed[i] = changed[i] == 'x' ? 'y' : 'x';
        CAPTURE(changed);
        const auto parsed = parse_token(changed);
        CHECK_FALSE(parsed.token);
        CHECK_FALSE(parsed.error.empty());
    }
    for (std::size_t length = 0; length < text.size(); ++length) {
        CHECK_FALSE(parse_token(std::string_view(text).substr(0, length)).token);
    }
}

TEST_CASE("each way to be wrong has its own sentence") {
    CHECK_THAT(parse_token("nonsense").error, Contains("not a replay token"));
    CHECK_THAT(parse_token("o7:relacy:a:-:-:00000000").error, Contains("version o7"));
    CHECK_THAT(parse_token("o1:relacy:a:-:-:00000000").error, Contains("damaged"));
    CHECK_THAT(parse_token("o1:f6d0f5a0").error, Contains("damaged"));
}
