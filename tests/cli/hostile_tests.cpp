// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Code on trial that does what it can to outlive its search, or to keep its result from its parent.

#include "program.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

std::vector<std::string> check(const std::string& scenario, const std::string& budget = "100") {
    return {"check", "hostile/" + scenario, "--quiet", "--time-budget", budget, "--json", "-"};
}

json entry_of(const finished& result) { return json::parse(result.out).at("scenarios").at(0); }

// The processes of that name; a zombie is over.
std::size_t processes_named(const std::string& name) {
    std::size_t count = 0;
    std::error_code error;
    for (const auto& each : std::filesystem::directory_iterator("/proc", error)) {
        std::string line;
        std::getline(std::ifstream(each.path() / "stat"), line);
        const auto end = line.rfind(") ");
        if (end != std::string::npos && line.find('(' + name + ") ") != std::string::npos && line.at(end + 2) != 'Z') {
            ++count;
        }
    }
    return count;
}

// What this test names the processes that its code on trial starts.
class process_name {
public:
    process_name() { setenv("ORDEAL_FIXTURE_NAME", name_.c_str(), 1); }
    ~process_name() { unsetenv("ORDEAL_FIXTURE_NAME"); }
    process_name(const process_name&) = delete;
    process_name& operator=(const process_name&) = delete;
    [[nodiscard]] std::size_t processes() const { return processes_named(name_); }

private:
    std::string name_ = "hostile" + std::to_string(getpid());
};

template <class Condition>
void wait_until(const Condition& holds) {
    for (int i = 0; i < 2000 && !holds(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    REQUIRE(holds());
}

char state_of(pid_t process) {
    const std::string line = content("/proc/" + std::to_string(process) + "/stat");
    const auto name_end = line.rfind(") ");
    return name_end == std::string::npos ? '?' : line.at(name_end + 2);
}

}  // namespace

TEST_CASE("what code on trial has left for the end of the program does not keep it from ending") {
    const finished result = run(ORDEAL_HOSTILE_BINARY, check("peaceful"));
    CHECK(result.code == 0);
    CHECK(entry_of(result).at("verdict") == "held");
    CHECK(run(ORDEAL_HOSTILE_BINARY, {"list"}).code == 0);
    CHECK(run(ORDEAL_HOSTILE_BINARY, {"check", "none"}).code == 2);
}

TEST_CASE("no process that code on trial has started is left behind") {
    for (const char* const scenario : {"forks", "leaves_its_group"}) {
        CAPTURE(scenario);
        const process_name name;
        (void)run(ORDEAL_HOSTILE_BINARY, check(scenario));
        CHECK(name.processes() == 0);
    }
}

TEST_CASE("processes that fork and fork end with their search") {
    const process_name name;
    program running(ORDEAL_HOSTILE_BINARY, check("forks_and_forks"));
    wait_until([&] { return name.processes() == 64; });  // so that a search for them does find them
    running.send(SIGTERM);
    const finished result = running.wait();
    CHECK(result.code == 4);
    CHECK(entry_of(result).at("verdict") == "inconclusive");
    CHECK(name.processes() == 0);
}

TEST_CASE("a copy of a search that code on trial has forked reports nothing") {
    const finished result = run(ORDEAL_HOSTILE_BINARY, check("forks_and_goes_on"));
    CHECK(result.code == 0);
    CHECK(entry_of(result).at("verdict") == "held");
}

TEST_CASE("code on trial that takes no signal ends with the second that its parent gives it") {
    for (const char* const scenario : {"ignores_signals", "stops"}) {
        CAPTURE(scenario);
        program running(ORDEAL_HOSTILE_BINARY, check(scenario));
        const char wanted = scenario == std::string("stops") ? 'T' : 'S';
        wait_until([&] { return running.has_children() && state_of(running.child()) == wanted; });
        running.send(SIGTERM);
        const finished result = running.wait();
        CHECK(result.code == 4);
        CHECK_THAT(entry_of(result).at("message").get<std::string>(), Contains("stopped before it had a result"));
    }
}

TEST_CASE("a signal of code on trial to its process group reaches neither the program nor who started it") {
    const finished result = run(ORDEAL_HOSTILE_BINARY, check("kills_its_group"));
    CHECK(result.code == 1);
    CHECK(entry_of(result).at("verdict") == "inconclusive");
    CHECK_THAT(entry_of(result).at("message").get<std::string>(), Contains("SIGKILL"));
}

TEST_CASE("the signal of a terminal that stops a program stops its searches, too") {
    program running(ORDEAL_HOSTILE_BINARY, check("ignores_signals"));
    wait_until([&] { return running.has_children() && state_of(running.child()) == 'S'; });
    running.send(SIGTSTP);
    wait_until([&] { return state_of(running.id()) == 'T' && state_of(running.child()) == 'T'; });
    running.send(SIGCONT);
    wait_until([&] { return state_of(running.id()) != 'T' && state_of(running.child()) == 'S'; });
    running.send(SIGTERM);
    CHECK(running.wait().code == 4);
}

TEST_CASE("a result comes through though code on trial has closed every descriptor, or has files of its own there") {
    const temporary_folder folder;
    const std::string file = folder.file("theirs");
    std::ofstream(file).close();
    setenv("ORDEAL_FIXTURE_FILE", file.c_str(), 1);
    for (const char* const scenario : {"closes", "closes_and_opens"}) {
        CAPTURE(scenario);
        const finished result = run(ORDEAL_HOSTILE_BINARY, check(scenario));
        CHECK(result.code == 0);
        CHECK(entry_of(result).at("verdict") == "held");
    }
    unsetenv("ORDEAL_FIXTURE_FILE");
    CHECK(content(file).empty());
}

TEST_CASE("output without end, memory without end and writes everywhere end in a verdict") {
    const json prints = entry_of(run(ORDEAL_HOSTILE_BINARY, check("prints", "1")));
    CHECK(
        (prints.at("verdict") == "inconclusive" || prints.at("kind") == "livelock" || prints.at("kind") == "time-out"));
    const json takes_memory = entry_of(run(ORDEAL_HOSTILE_BINARY, check("takes_memory", "1")));
    CHECK(takes_memory.at("kind") == "uncaught exception");
    CHECK_THAT(takes_memory.at("message").get<std::string>(), Contains("bad_alloc"));
    const finished result = run(ORDEAL_HOSTILE_BINARY, check("writes_everywhere", "1"));
    CHECK(result.code == 1);
    const json writes = entry_of(result);
    CHECK((writes.at("verdict") == "violated" || writes.at("verdict") == "inconclusive"));
}

namespace {

// "" where nothing in the text acts on whatever shows it; else what does.
std::string acting(const std::string& text) {
    for (const char* const each : {"\x1b", "\xc2\x9b", "\xe2\x80\xae", "\xff", "\x7f", "##[group]"}) {
        if (text.find(each) != std::string::npos)
            return "has " + json(each).dump(-1, ' ', true, json::error_handler_t::replace);
    }
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::size_t first = std::min(text.find_first_not_of(" \t", begin), end);
        if (text.compare(first, 2, "::") == 0) return "has the line " + text.substr(begin, end - begin);
        begin = end + 1;
    }
    return "";
}

}  // namespace

TEST_CASE("what code on trial says, and what it is called, acts in no format") {
    const temporary_folder folder;
    const std::vector<std::string> formats{"json", "junit", "sarif", "markdown", "problems", "html"};
    std::vector<std::string> line{"check", "acting/*", "--quiet", "--outcomes", "--all-steps"};
    for (const std::string& each : formats) {
        if (each == "html" && ORDEAL_HAS_HTML == 0) continue;
        line.insert(line.end(), {"--" + each, folder.file(each)});
    }
    const finished result = run(ORDEAL_HOSTILE_BINARY, line);
    CHECK(result.code == 1);
    CHECK(acting(result.out) == "");
    CHECK(acting(result.err) == "");
    CHECK_THAT(result.out, Contains(R"(acting/name \x1b[31m \x9b2J \u202e \xff \x7f)") && Contains("message"));
    for (const std::string& each : folder.files()) {
        CAPTURE(each);
        const std::string text = content(folder.file(each));
        CHECK_THAT(text, Contains("message") && Contains("[31m"));
        CHECK(acting(text) == "");
    }
    CHECK(acting(run(ORDEAL_HOSTILE_BINARY, {"list", "acting/*"}).out) == "");
    CHECK(acting("  ::x") != "");  // it does find them
    // JSON is exact.
    const json report = json::parse(content(folder.file("json"))).at("scenarios").at(0);
    CHECK_THAT(report.at("name").get<std::string>(), Contains("\x1b[31m \xc2\x9b"
                                                              "2J \xe2\x80\xae") &&
                                                         Contains("\n::error::x\n"));
}

TEST_CASE("a long message is cut where it is shown, and whole in JSON") {
    const temporary_folder folder;
    const finished result = run(ORDEAL_HOSTILE_BINARY, {"check", "hostile/says_much", "--quiet", "--json",
                                                        folder.file("json"), "--junit", folder.file("junit"), "--sarif",
                                                        folder.file("sarif"), "--markdown", folder.file("markdown")});
    const auto letters = [](const std::string& text) { return std::ranges::count(text, '~'); };
    CHECK(letters(content(folder.file("json"))) >= 50'000);
    for (const char* const each : {"junit", "sarif", "markdown"}) {
        CAPTURE(each);
        const std::string text = content(folder.file(each));
        CHECK(letters(text) > 9'000);
        CHECK(letters(text) < 45'000);
        CHECK_THAT(text, Contains("more bytes"));
    }
    CHECK(letters(result.out) < 45'000);
    if (ORDEAL_HAS_HTML == 0) return;
    (void)run(ORDEAL_HOSTILE_BINARY, {"check", "hostile/says_much", "--quiet", "--html", folder.file("html")});
    CHECK(letters(content(folder.file("html"))) < 45'000);
}
