// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_orders.hpp"

#include "program_run.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string_view>

namespace ordeal::docs {

namespace {

using nlohmann::ordered_json;

std::string audit(const std::string& format) {
    std::string text;
    for (const std::string& line :
         run_ordeal(std::string("audit ") + memory_orders_subjects + " --quiet " + format + " -")) {
        text += line + '\n';
    }
    return text;
}

void leave_out_details(ordered_json& of) {
    if (of.is_object()) {
        for (const char* key :
             {"searches", "executions", "searches_known", "searches_implied", "seconds", "replay", "costs", "met_in",
              "run_in", "reads_from", "read_by", "score", "message", "outcomes", "limit_details"}) {
            of.erase(key);
        }
    }
    if (!of.is_structured()) return;
    for (ordered_json& each : of) leave_out_details(each);
}

}  // namespace

std::string memory_orders_as_json() {
    ordered_json report = ordered_json::parse(audit("--json"), nullptr, false);
    if (report.is_discarded()) throw std::runtime_error("no JSON from the audit of the production code");
    leave_out_details(report);
    return report.dump(1) + '\n';
}

std::string memory_orders_as_markdown() {
    std::string text = audit("--markdown");
    const std::size_t first = text.find("\n\n");
    if (first == std::string::npos) throw std::runtime_error("no Markdown from the audit of the production code");
    text.insert(
        first + 2,
        "Written by the target update_docs; a test holds it. [memory_orders.json](memory_orders.json) has the same "
        "as data, and\n`ordeal audit --baseline reference-data/memory_orders.json` compares with it.\n\n");
    return text;
}

}  // namespace ordeal::docs
