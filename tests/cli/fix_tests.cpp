// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using nlohmann::json;

namespace {

const std::string source = "tests/cli/fixtures/fixable.cpp";
const std::string original = content(ORDEAL_SOURCE_ROOT "/" + source);

// With one text in place of another, which is there once.
std::string with(std::string text, const std::string& old, const std::string& fresh) {
    const std::size_t at = text.find(old);
    REQUIRE(at != std::string::npos);
    REQUIRE(text.find(old, at + 1) == std::string::npos);
    return text.replace(at, old.size(), fresh);
}

std::string repaired() {
    const std::string half =
        with(original, "flag.store(1, std::memory_order_relaxed)", "flag.store(1, std::memory_order_release)");
    return with(half, "flag.load(std::memory_order::relaxed)", "flag.load(std::memory_order::acquire)");
}

// A folder with a copy of the source, as old as that, in which the program runs.
class copy {
public:
    copy() {
        std::filesystem::create_directories(std::filesystem::path(path()).parent_path());
        std::filesystem::copy_file(ORDEAL_SOURCE_ROOT "/" + source, path());
        std::filesystem::last_write_time(path(), std::filesystem::last_write_time(ORDEAL_SOURCE_ROOT "/" + source));
    }
    [[nodiscard]] std::string path() const { return folder_.file(source); }
    [[nodiscard]] std::string text() const { return content(path()); }
    [[nodiscard]] finished run(const std::string& options) const {
        return ordeal::test::run("/bin/sh", {"-c", "cd '" + folder_.file("") + "' && \"$0\" audit --quiet " + options,
                                             ORDEAL_FIXABLE_BINARY});
    }

private:
    temporary_folder folder_;
};

}  // namespace

TEST_CASE("a quiet audit has a line for each subject, with the repair of one that is violated") {
    const finished result = run(ORDEAL_BINARY, {"audit", "task", "exhibit/bug_complete_without_release", "--quiet"});
    CHECK(result.code == 0);
    std::istringstream lines(result.out);
    std::string repaired;
    std::string held;
    std::string empty;
    std::getline(lines, repaired);
    std::getline(lines, held);
    std::getline(lines, empty);
    CHECK_THAT(repaired,
               StartsWith("bug_complete_without_release: violated: data race as written; repair: state_words"));
    CHECK_THAT(repaired, EndsWith(" exchange as acq_rel"));
    CHECK_THAT(held, StartsWith("task: held"));
    CHECK_THAT(held, Contains("; 5 sites: 4 minimal, "));
    CHECK(empty.empty());
}

TEST_CASE("audit --fix shows a repair as a patch, and writes nothing") {
    const copy there;
    const finished shown = there.run("too_weak --fix");
    CHECK(shown.code == 0);
    CHECK(shown.err.empty());
    CHECK_THAT(shown.out, Contains("fix of too_weak: repair 1 of 1\n"));
    CHECK_THAT(shown.out, Contains("store: relaxed -> release\n    the author: relaxed, on purpose."));
    CHECK_THAT(shown.out, Contains("Each scenario was searched with just these orders: all held"));
    CHECK_THAT(shown.out, Contains("Nothing is written"));
    CHECK(there.text() == original);
    const finished applied = there.run("too_weak --fix | patch -p1");
    CAPTURE(applied.out, applied.err);
    CHECK(applied.code == 0);
    CHECK(there.text() == repaired());
}

TEST_CASE("a source that is a pipe or a device is neither waited for nor patched") {
    for (const std::string& make : {"rm " + source + " && mkfifo " + source, "ln -sf /dev/zero " + source}) {
        CAPTURE(make);
        const temporary_folder elsewhere;
        const finished result = ordeal::test::run(
            "/bin/sh", {"-c",
                        "cd '" + elsewhere.file("") + "' && mkdir -p tests/cli/fixtures && touch " + source + " && " +
                            make + " && \"$0\" audit --quiet too_weak --fix --write",
                        ORDEAL_FIXABLE_BINARY});
        CAPTURE(result.out);
        CHECK(result.code == 4);
        CHECK_THAT(result.out, Contains(source + ": it cannot be read"));
        CHECK_THAT(result.err,
                   Contains("a source was not read: '" + source + "' is a ") && Contains(", not a regular file\n"));
        CHECK(content(ORDEAL_SOURCE_ROOT "/" + source) == original);
    }
}

TEST_CASE("audit --fix --write changes the source, and says what is left to do") {
    const copy there;
    std::filesystem::permissions(there.path(), std::filesystem::perms::owner_all);
    const finished result = there.run("too_weak --fix --write");
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Contains("written: " + source + "\n"));
    CHECK_THAT(result.out, Contains("The changed lines were read again, and say just these orders."));
    CHECK_THAT(result.out, Contains("build again, then: ") && Contains("audit too_weak\n"));
    CHECK(there.text() == repaired());
    CHECK(std::filesystem::status(there.path()).permissions() == std::filesystem::perms::owner_all);

    // The program does not know the file as it is now, by its time and by what it says.
    const finished again = there.run("too_weak --fix --write");
    CHECK(again.code == 4);
    CHECK_THAT(again.out, Contains(source + ": it was written to after this program was built: build again"));
    CHECK(there.text() == repaired());
    std::filesystem::last_write_time(there.path(), std::filesystem::last_write_time(ORDEAL_SOURCE_ROOT "/" + source));
    const finished by_text = there.run("too_weak --fix --write");
    CHECK(by_text.code == 4);
    CHECK_THAT(by_text.out,
               Contains("it says release where this program has relaxed: the file has changed; build again"));
    CHECK(there.text() == repaired());
}

TEST_CASE("audit --fix --write leaves a file alone that has changed, wherever that was") {
    const copy there;
    // A change that no site shows: the same orders, at the same places.
    std::ofstream(there.path(), std::ios::app) << "// one more line\n";
    const std::string changed = there.text();
    REQUIRE(changed != original);
    const finished result = there.run("too_weak --fix --write");
    CHECK(result.code == 4);
    CHECK_THAT(result.out, Contains(source + ": it was written to after this program was built: build again"));
    CHECK(there.text() == changed);
}

TEST_CASE("audit --fix --write weakens what is stronger than needed, a default too") {
    const copy there;
    const finished result = there.run("--fix too_strong --write");
    CHECK(result.code == 0);
    const std::string half = with(original, "flag.store(1);", "flag.store(1, std::memory_order_release);");
    const auto at = half.find("flag.load(std::memory_order_seq_cst)");
    REQUIRE(at != std::string::npos);
    std::string expected = half;
    expected.replace(at, 36, "flag.load(std::memory_order_acquire)");
    CHECK(there.text() == expected);
}

TEST_CASE("what is minimal as written is not changed") {
    const copy there;
    for (const std::string number : {"", " 1"}) {
        const finished result = there.run("minimal --write --fix" + number);
        CHECK(result.code == 0);
        CHECK_THAT(result.out, Contains("nothing to change: "));
        CHECK(there.text() == original);
    }
}

TEST_CASE("what can be made of a fix is written, and the rest is left to a hand") {
    const copy there;
    const finished result = there.run("elsewhere --fix --write");
    CHECK(result.code == 4);
    CHECK_THAT(result.out, Contains("a part of it, which cannot be made as a patch, is left to you:"));
    CHECK_THAT(result.out, Contains("the order is 'strong', not one that is written out: change it by hand"));
    CHECK_THAT(result.out, Contains("The patch has 1 of 2 changes. With these alone every scenario holds"));
    CHECK(there.text() != original);
}

TEST_CASE("the JSON report has the fix") {
    const copy there;
    const finished result = there.run("too_weak --fix 1 --json -");
    REQUIRE(result.code == 0);
    const json fix = json::parse(result.out).at("fix");
    CHECK(fix.at("kind") == "repair");
    CHECK(fix.at("number") == 1);
    CHECK(fix.at("choices") == 1);
    CHECK(fix.at("changes").size() == 2);
    CHECK(fix.at("changes").at(0).at("order") == "release");
    CHECK(fix.at("refused").empty());
    CHECK(fix.at("written").empty());
    CHECK_THAT(fix.at("diff").get<std::string>(),
               Contains("\n+            this->flag.store(1, std::memory_order_release);\n"));
    CHECK_FALSE(json::parse(there.run("too_weak --json -").out).contains("fix"));
}

TEST_CASE("a fix is of one subject, and has a number that there is") {
    const copy there;
    const std::pair<const char*, const char*> wrong[] = {
        {"--fix", "--fix is for one subject; these are selected: elsewhere, minimal, too_strong, too_weak"},
        {"too_weak --fix 2", "--fix 2: too_weak has 1 repair"},
        {"too_weak --fix=7", "--fix 7: too_weak has 1 repair"},
        {"too_weak --fix 0", "counted from 1: '0'"},
        {"too_weak --fix nothing", "no scenario matches 'nothing'"},
        {"too_weak --write", "--write requires --fix"}};
    for (const auto& [options, says] : wrong) {
        const finished result = there.run(options);
        CAPTURE(options, result.out);
        CHECK(result.code == 2);
        CHECK_THAT(result.err, Contains(says));
    }
    CHECK(run(ORDEAL_FIXABLE_BINARY, {"check", "--fix"}).code == 2);
    CHECK(there.text() == original);
}

TEST_CASE("SARIF has the fix at each site of it, the other sites, and a name that no line number is part of") {
    const copy there;
    const auto results_of = [](const finished& result) {
        return json::parse(result.out).at("runs").at(0).at("results");
    };
    const json results = results_of(there.run("too_weak --sarif -"));
    REQUIRE(results.size() == 2);
    for (const json& each : results) {
        REQUIRE(each.at("relatedLocations").size() == 1);
        REQUIRE(each.at("fixes").size() == 1);
        const json& change = each.at("fixes").at(0).at("artifactChanges").at(0);
        CHECK(change.at("artifactLocation").at("uri") == source);
        REQUIRE(change.at("replacements").size() == 2);
        // Applied by hand, from the last one on.
        const json& region = change.at("replacements").at(0).at("deletedRegion");
        CHECK(region.at("startLine") == region.at("endLine"));
        CHECK(region.at("endColumn").get<int>() - region.at("startColumn").get<int>() == 20);
        CHECK(change.at("replacements").at(0).at("insertedContent").at("text") == "memory_order_release");
        CHECK(change.at("replacements").at(1).at("insertedContent").at("text") == "acquire");
    }
    CHECK(results.at(0).at("partialFingerprints").at("ordealSite/v1") ==
          "too_weak|" + source + "|run|store|store|relaxed|1");
    // What cannot be patched is no part of the fix, and is noted all the same.
    for (const json& each : results_of(there.run("elsewhere --sarif -"))) {
        const json& change = each.at("fixes").at(0).at("artifactChanges").at(0);
        REQUIRE(change.at("replacements").size() == 1);
        CHECK(change.at("replacements").at(0).at("insertedContent").at("text") == "memory_order_acquire");
        CHECK(each.contains("relatedLocations"));
    }
}
