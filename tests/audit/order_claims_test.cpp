// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/order_claims.hpp"

#include "latch.hpp"

#include "ordeal/audit/phases.hpp"

#include <string>
#include <vector>

using namespace audit_test;
using ordeal::order;
using ordeal::role;
using ordeal::detail::order_verdict;
using namespace ordeal::detail;
using direction = order_claim::direction;

namespace {

// The claims in short: "release to is_set push".
std::vector<std::string> in_short(const std::string& comment) {
    std::vector<std::string> result;
    for (const order_claim& each : claims_of(comment)) {
        std::string text(to_string(each.said));
        if (each.outside_model) text += " outside";
        if (each.goes == direction::to) text += " to";
        if (each.goes == direction::from) text += " from";
        if (each.goes == direction::both) text += " with";
        for (const std::string& partner : each.partners) text += " " + partner;
        result.push_back(std::move(text));
    }
    return result;
}

using claims = std::vector<std::string>;

// A subject whose sites are in functions of their own, of which some are read by others.
ordeal::detail::audited_site site_in(const char* function, const ordeal::site& where, const std::string& comment) {
    ordeal::detail::audited_site result;
    result.where = where;
    result.where.function = function;
    result.reason = comment;
    result.met_in = {"latch/wait"};
    return result;
}

}  // namespace

TEST_CASE("the claims of an order comment are its orders, directions and partners") {
    CHECK(in_short("release -> is_set, push (load, failure): what was written. acquire <- push (success): next_") ==
          claims{"release to is_set push", "acquire from push"});
    CHECK(in_short("acquire <- register_awaiter: the frame, about to be resumed; and <- abandon: the last use") ==
          claims{"acquire from register_awaiter", "acquire from abandon"});
    CHECK(in_short("acq_rel <-> complete: one of the two takes the waiter") == claims{"acq_rel with complete"});
    CHECK(in_short("relaxed: nothing is handed over; the lock orders it") == claims{"relaxed"});
    CHECK(in_short("acquire, by default: the value seen is not used.") == claims{"acquire"});
    CHECK(in_short("acquire fence <- the decrements of all the others.") == claims{"acquire from"});
    CHECK(in_short("seq_cst (outside the model): the library looks first") == claims{"seq_cst outside"});
}

TEST_CASE("prose is no claim") {
    CHECK(in_short("").empty());
    CHECK(in_short("what was written before set(). It acquires nothing: the setter does.").empty());
    CHECK(in_short("to acquire. A release sequence carries them").empty());
    CHECK(in_short("release -> set: the waiter, relaxed or not.") == claims{"release to set"});
}

TEST_CASE("claims amount to one order") {
    CHECK_FALSE(order_of({}));
    CHECK(order_of(claims_of("release -> a: x. acquire <- b: y")) == order::acq_rel);
    CHECK(order_of(claims_of("acquire <- a: x; and <- b: y")) == order::acquire);
    CHECK(order_of(claims_of("seq_cst: x. acquire <- b: y")) == order::seq_cst);
}

TEST_CASE("a comment is doubted where the evidence contradicts it") {
    ordeal::detail::audited_subject subject;
    subject.verdict = ordeal::detail::verdict::held;
    subject.sites = {
        site_in("wait", load, "acquire <- open: what was written"),
        site_in("open", swap, "acq_rel <-> wait: what was written"),
        site_in("close", make_site("src/latch.hpp", 30, role::store, order::release), "release -> wait: x")};
    subject.sites[0].reads_from = {subject.sites[1].where};
    subject.sites[1].read_by = {subject.sites[0].where};
    const auto doubts_of = [&](std::size_t which) { return doubts(subject.sites[which], subject); };

    CHECK(doubts_of(0).empty());
    CHECK(doubts_of(1).empty());
    SECTION("another order") {
        subject.sites[0].reason = "relaxed: nothing is handed over";
        CHECK(doubts_of(0) == claims{"the comment says relaxed, the code acquire"});
    }
    SECTION("a partner that it does not meet, where it meets others") {
        subject.sites[2].read_by = {subject.sites[1].where};
        CHECK(doubts_of(2).empty());  // what is read there comes to wait() by the exchange
        subject.sites[1].where.key.what = role::load;
        subject.sites[2].read_by = {subject.sites[1].where};
        CHECK(doubts_of(2) == claims{"the comment names wait as partner, but in no execution did wait read what is "
                                     "written here"});
        subject.sites[0].reason = "acquire <- close: x";
        CHECK(doubts_of(0) ==
              claims{"the comment names close as partner, but in no execution was read here what close wrote"});
    }
    SECTION("nothing is said of partners where threads were not seen to meet, or the search ended at a violation") {
        subject.sites[0].reason = "acquire <- close: x";
        subject.verdict = ordeal::detail::verdict::violated;
        CHECK(doubts_of(0).empty());
        subject.verdict = ordeal::detail::verdict::held;
        subject.sites[0].reads_from.clear();
        CHECK(doubts_of(0).empty());
    }
    SECTION("a partner that has no site is not judged") {
        subject.sites[0].reason = "acquire <- nobody: x";
        CHECK(doubts_of(0).empty());
    }
    SECTION("a hand-over that no scenario needs") {
        subject.sites[0].weaker.emplace_back().verdict = order_verdict::not_required;
        CHECK(doubts_of(0) == claims{"the comment gives a reason for acquire, but by itself no scenario needs it"});
        subject.sites[0].reason = "acquire (outside the model): the library looks first";
        CHECK(doubts_of(0).empty());
    }
}

TEST_CASE("a site is said to meet other threads, to run without, or not to run") {
    suite tests;
    const auto lonely = make_site("src/latch.hpp", 40, role::load, order::acquire);
    tests.add("latch/wait", {{load, true, {swap}}, {swap, true}, {lonely, false}},
              [](const orders&) { return all_held(); });
    tests.add("latch/poll", {{load, false}}, [](const orders&) { return all_held(); });
    const auto report = tests.audit();
    const auto& sites = report.subjects.at(0).sites;
    REQUIRE(sites.size() == 3);
    CHECK(sites[0].met_in == std::vector<std::string>{"latch/wait"});
    CHECK(sites[0].run_in == std::vector<std::string>{"latch/poll"});
    REQUIRE(sites[0].reads_from.size() == 1);
    CHECK(sites[0].reads_from[0].key == swap.key);
    REQUIRE(sites[1].read_by.size() == 1);
    CHECK(sites[1].read_by[0].key == load.key);
    CHECK(sites[2].met_in.empty());
    CHECK(sites[2].run_in == std::vector<std::string>{"latch/wait"});
}

TEST_CASE("a partner that does not exist is doubted, and one that has no atomic operation is not") {
    ordeal::detail::audited_site value;
    value.reason = "release -> gone, used: the data";
    value.where.declared = order::release;
    ordeal::detail::audited_subject subject;
    std::set<std::string, std::less<>> called;
    CHECK(doubts(value, subject, called).empty());  // no source is known
    ordeal::detail::add_called(std::vector<std::string>{"void used(int) {", "// gone(", "if (x) other(1);"}, called);
    CHECK(called.contains("other"));
    const auto said = doubts(value, subject, called);
    REQUIRE(said.size() == 1);
    CHECK(said[0] == "the comment names gone as partner, and the sources have no function of that name");
}
