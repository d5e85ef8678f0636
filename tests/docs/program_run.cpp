// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_run.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace ordeal::docs {

namespace {

using nlohmann::json;

struct close_pipe {
    void operator()(std::FILE* pipe) const { pclose(pipe); }
};

std::string output_of(const std::string& arguments) {
    // By its name alone, as a reader would call it: the lines to paste that it prints begin with how it was called.
    const std::string folder = std::string(ORDEAL_BINARY).substr(0, std::string_view(ORDEAL_BINARY).rfind('/'));
    const std::string command = "cd '" ORDEAL_SOURCE_ROOT "' && PATH='" + folder + "':\"$PATH\" ordeal " + arguments +
                                " </dev/null 2>/dev/null";
    const std::unique_ptr<std::FILE, close_pipe> pipe(popen(command.c_str(), "r"));
    if (!pipe) throw std::runtime_error("cannot run " ORDEAL_BINARY);
    std::string text;
    std::array<char, 4096> buffer{};
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;) {
        text.append(buffer.data(), n);
    }
    return text;
}

json report_of(const std::string& arguments) {
    json report = json::parse(output_of(arguments + " --quiet --json -"), nullptr, false);
    if (report.is_discarded()) throw std::runtime_error("no JSON from ordeal " + arguments);
    return report;
}

const json& kept(const std::string& arguments) {
    static std::map<std::string, json> reports;
    auto found = reports.find(arguments);
    if (found == reports.end()) found = reports.emplace(arguments, report_of(arguments)).first;
    return found->second;
}

const json& named(const json& all, const std::string& name) {
    for (const json& each : all) {
        if (each.at("name") == name) return each;
    }
    throw std::runtime_error("the program does not have " + name);
}

}  // namespace

lines run_ordeal(const std::string& arguments) { return lines_of(output_of(arguments)); }

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
    return report_of(arguments).at("comparison");
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
