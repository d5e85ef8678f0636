// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_run.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>

namespace ordeal::docs {

namespace {

using nlohmann::json;

struct close_pipe {
    void operator()(std::FILE* pipe) const { pclose(pipe); }
};

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

void require_known(const std::string& command) {
    const std::string program = command.substr(0, command.find(' '));
    namespace fs = std::filesystem;
    const bool is_name = program.find('/') == std::string::npos;
    if (is_name && (program == "ordeal" || fs::exists(fs::path(ORDEAL_EXAMPLES) / program))) return;
    throw std::runtime_error("neither ordeal nor an example's program: " + command);
}

// By the command.
std::map<std::string, std::string>& printed_before() {
    static std::map<std::string, std::string> result;
    return result;
}

std::string output_of(const std::string& command) {
    require_known(command);
    if (const auto before = printed_before().find(command); before != printed_before().end()) return before->second;
    // By its name alone, as a reader would call it: the lines to paste that it prints begin with how it was called.
    const std::string shell = "cd '" ORDEAL_SOURCE_ROOT "' && PATH='" + folder_of(ORDEAL_BINARY) +
                              "':'" ORDEAL_EXAMPLES "':\"$PATH\" " + command + " </dev/null 2>/dev/null";
    const std::unique_ptr<std::FILE, close_pipe> pipe(popen(shell.c_str(), "r"));
    if (!pipe) throw std::runtime_error("cannot run a shell");
    std::string text;
    std::array<char, 4096> buffer{};
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;) {
        text.append(buffer.data(), n);
    }
    return text;
}

const json& kept(const std::string& arguments) {
    static std::map<std::string, json> reports;
    auto found = reports.find(arguments);
    if (found == reports.end()) found = reports.emplace(arguments, report_of("ordeal " + arguments)).first;
    return found->second;
}

const json& named(const json& all, const std::string& name) {
    for (const json& each : all) {
        if (each.at("name") == name) return each;
    }
    throw std::runtime_error("the program does not have " + name);
}

}  // namespace

void take_as_printed(const std::string& command, const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + file);
    printed_before()[command] = {std::istreambuf_iterator<char>(in), {}};
}

json report_of(const std::string& command) {
    json report = json::parse(output_of(command + " --quiet --json -"), nullptr, false);
    if (report.is_discarded()) throw std::runtime_error("no JSON from " + command);
    return report;
}

lines run_command(const std::string& command) { return lines_of(output_of(command)); }

lines run_ordeal(const std::string& arguments) { return run_command("ordeal " + arguments); }

const json& checked() { return kept("check").at("scenarios"); }

const json& checked(const std::string& scenario, const std::string& engine) {
    if (engine.empty()) return named(checked(), scenario);
    return named(kept("check " + scenario + " --engine " + engine).at("scenarios"), scenario);
}

const json& audited(const std::string& subject, const std::string& engine) {
    const std::string with = engine.empty() ? "" : " --engine " + engine;
    return named(kept("audit " + subject + with).at("subjects"), subject);
}

json compared(const lines& scenarios) {
    std::string arguments = "check --engine all";
    for (const std::string& each : scenarios) arguments += " '" + each + "'";
    return report_of("ordeal " + arguments).at("comparison");
}

const json& mutant(const lines& words, const std::string& engine) {
    if (words.size() < 4) throw std::runtime_error("a mutant is SUBJECT FUNCTION ROLE ORDER");
    for (const json& site : audited(words[0], engine).at("sites")) {
        if (site.at("function") != words[1] || site.at("role") != words[2]) continue;
        for (const json& weaker : site.at("weaker")) {
            if (weaker.at("order") == words[3]) return weaker;
        }
    }
    throw std::runtime_error("the audit does not have " + words[0] + " " + words[1] + " " + words[2] + " " + words[3]);
}

}  // namespace ordeal::docs
