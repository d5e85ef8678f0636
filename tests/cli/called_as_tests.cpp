// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

// A folder with the program in it, once as "suite" and once with a blank in its name.
class folder_with_suite {
public:
    folder_with_suite() {
        std::filesystem::create_symlink(ORDEAL_FIXTURE_BINARY, folder_.file("suite"));
        std::filesystem::create_symlink(ORDEAL_FIXTURE_BINARY, folder_.file("it's a suite"));
    }

    // A line of a shell in that folder; the folder is in PATH, too.
    [[nodiscard]] finished in_shell(const std::string& line) const {
        return run("/bin/sh", {"-c", "cd \"$0\" && PATH=\"$0:$PATH\" && export PATH && " + line, folder_.file(".")});
    }

    // The line that the report holds shows the violation again, as it stands there.
    void check_pasted(const std::string& line, const std::string& begins) const {
        CAPTURE(line);
        CHECK_THAT(line, StartsWith(begins + " replay 'o1:"));
        const finished again = in_shell(line);
        CAPTURE(again.err);
        CHECK(again.code == 1);
        CHECK_THAT(again.out, Contains("violated: data race"));
    }

private:
    temporary_folder folder_;
};

// The line of the text that holds " replay '", without what is before `from` in it.
std::string line_with_token(const std::string& text, const std::string& from) {
    const std::size_t token = text.find(" replay '");
    REQUIRE(token != std::string::npos);
    const std::size_t begin = text.rfind(from, token);
    REQUIRE(begin != std::string::npos);
    return text.substr(begin, text.find('\'', token + 9) + 1 - begin);
}

}  // namespace

TEST_CASE("the help of a program with trials is about them") {
    const folder_with_suite folder;
    const std::string help = folder.in_shell("suite --help").out;
    CHECK_THAT(help, StartsWith("suite - "));
    CHECK_THAT(help, Contains(" scenarios on trial, by ordeal "));
    for (const char* none : {"Write a project", "Compile sources", "suite new", " task", " event"}) {
        CAPTURE(none);
        CHECK_THAT(help, !Contains(none));
    }
    const std::string own = run(ORDEAL_BINARY, {"--help"}).out;
    CHECK_THAT(own, StartsWith("ordeal - memory orders on trial"));
    CHECK_THAT(own, Contains("Write a project"));
}

TEST_CASE("the replay line works for the program that printed it, however that was called") {
    const folder_with_suite folder;
    for (const std::string called : {"suite", "./suite", "'./it'\\''s a suite'", ORDEAL_FIXTURE_BINARY}) {
        CAPTURE(called);
        folder.check_pasted(line_with_token(folder.in_shell(called + " check fixture/unexpected_race").out, called),
                            called);
        const auto report =
            nlohmann::json::parse(folder.in_shell(called + " check fixture/unexpected_race --json -").out);
        const nlohmann::json& found = report.at("scenarios").at(0);
        folder.check_pasted(found.at("replay_command"), called);
        CHECK(found.at("replay_command") == called + " replay '" + found.at("replay").get<std::string>() + "'");
    }
}

TEST_CASE("reports for other programs have the replay line of the program that wrote them") {
    const folder_with_suite folder;
    const finished junit = folder.in_shell("./suite check fixture/unexpected_race --junit -");
    CHECK_THAT(junit.out, Contains("\n./suite replay &apos;o1:") || Contains("\n./suite replay 'o1:"));
    const auto sarif = nlohmann::json::parse(folder.in_shell("./suite check fixture/unexpected_race --sarif -").out);
    folder.check_pasted(line_with_token(sarif.at("runs").at(0).at("results").at(0).at("message").at("text"), "./suite"),
                        "./suite");
    const auto audit = nlohmann::json::parse(folder.in_shell("./suite audit fixture/unexpected_race --sarif -").out);
    folder.check_pasted(line_with_token(audit.at("runs").at(0).at("results").at(0).at("message").at("text"), "./suite"),
                        "./suite");
}

TEST_CASE("a scenario that ends its process is shown again by the check of the same program") {
    const folder_with_suite folder;
    const finished text = folder.in_shell("./suite check wild/exit");
    CHECK_THAT(text.out, Contains("./suite check 'wild/exit' --engine graph"));
    const auto report = nlohmann::json::parse(folder.in_shell("./suite check wild/exit --json -").out);
    CHECK(report.at("scenarios").at(0).at("replay").is_null());
    CHECK(report.at("scenarios").at(0).at("replay_command") == "./suite check 'wild/exit' --engine graph");
}

TEST_CASE("replay tells its own line, with what it went on behind") {
    const folder_with_suite folder;
    const std::string token = token_in(folder.in_shell("suite check fixture/unexpected_race").out);
    const auto report = nlohmann::json::parse(
        folder.in_shell("suite replay '" + token + "' --accept notification-after-destruction --json -").out);
    CHECK(report.at("replay_command") == "suite replay '" + token + "' --accept 'notification after destruction'");
}
