// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/tsan_report.hpp"

#include "ordeal/audit/source/order_comment.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <span>

namespace ordeal::detail {

namespace {

constexpr std::string_view headline = "WARNING: ThreadSanitizer: ";

// Below the code on trial: what its operations are made of, and what calls it.
constexpr std::array harness_folders{"src/ordeal/policy/", "src/ordeal/real/", "src/ordeal/runtime/",
                                     "src/ordeal/scenario/", "src/ordeal/engine/"};

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
    return text;
}

std::string_view next_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

// Takes ":12" off the end of a path.
std::uint32_t take_number(std::string_view& path) {
    const std::size_t colon = path.rfind(':');
    if (colon == std::string_view::npos) return 0;
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(path.data() + colon + 1, path.data() + path.size(), value);
    if (error != std::errc() || end != path.data() + path.size()) return 0;
    path = path.substr(0, colon);
    return value;
}

// "#0 name<int>(void*) path/file.hpp:12:5 (program+0xd3a01) (BuildId: 0f)"; the first words may hold blanks.
std::optional<tsan_frame> parse_frame(std::string_view line) {
    line = trimmed(line);
    if (!line.starts_with('#')) return std::nullopt;
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    line = line.substr(blank + 1);
    if (const std::size_t id = line.rfind(" (BuildId: "); id != std::string_view::npos) line = line.substr(0, id);
    const std::size_t program = line.rfind(" (");
    if (program != std::string_view::npos && line.find("+0x", program) != std::string_view::npos) {
        line = line.substr(0, program);
    }
    tsan_frame frame;
    const std::size_t place = line.rfind(' ');
    frame.function = line.substr(0, place);
    if (place == std::string_view::npos) return frame;
    std::string_view path = line.substr(place + 1);
    if (path == "<null>") return frame;
    const std::uint32_t last = take_number(path);
    const std::uint32_t before = take_number(path);
    frame.line = before != 0 ? before : last;
    frame.column = before != 0 ? last : 0;
    frame.file = path;
    return frame;
}

bool frees(const tsan_access& access) {
    return !access.frames.empty() &&
           (access.frames[0].function == "free" || access.frames[0].function.starts_with("operator delete"));
}

// "Previous atomic write of size 8 at 0x7b04 by thread T1 (mutexes: write M0):"
std::optional<tsan_access> parse_access(std::string_view line) {
    line = trimmed(line);
    std::string words(line.substr(0, line.find(" of size ")));
    if (words.size() == line.size() || !line.ends_with(':')) return std::nullopt;
    if (words.starts_with("Previous ")) words.erase(0, 9);
    if (words.empty()) return std::nullopt;
    words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
    if (!words.ends_with("read") && !words.ends_with("write")) return std::nullopt;
    tsan_access access{std::move(words), {}, {}};
    if (const std::size_t by = line.find(" by "); by != std::string_view::npos) {
        std::string_view who = line.substr(by + 4);
        who = who.substr(0, who.find_first_of("(:"));
        if (who.starts_with("thread ")) who.remove_prefix(7);
        access.thread = trimmed(who);
    }
    return access;
}

// "Mutex M1 acquired here while holding mutex M0 in thread T1:"
std::optional<tsan_access> parse_lock(std::string_view line) {
    line = trimmed(line);
    if (!line.starts_with("Mutex ") || line.find(" acquired here while holding ") == std::string_view::npos) {
        return std::nullopt;
    }
    tsan_access access{"lock", {}, {}};
    if (const std::size_t in = line.find(" in "); in != std::string_view::npos) {
        std::string_view who = line.substr(in + 4);
        if (who.starts_with("thread ")) who.remove_prefix(7);
        access.thread = trimmed(who.substr(0, who.find(':')));
    }
    return access;
}

std::optional<violation_kind> kind_of(const tsan_report& report) {
    const std::string_view words = report.title;
    if (words.starts_with("data race")) {
        return std::ranges::any_of(report.accesses, frees) ? violation_kind::unsynchronised_destruction
                                                           : violation_kind::data_race;
    }
    if (words.starts_with("heap-use-after-free")) return violation_kind::use_after_free;
    if (words.starts_with("lock-order-inversion")) return violation_kind::deadlock;
    if (words.starts_with("destroy of a locked mutex")) return violation_kind::unsynchronised_destruction;
    return std::nullopt;
}

// The lines of one report after its headline.
tsan_report parse_report(std::string_view first, std::string_view& text) {
    tsan_report report;
    report.title = trimmed(first.substr(0, first.find(" (pid=")));
    bool inside = false;  // a stack of an access
    while (!text.empty()) {
        const std::string_view line = next_line(text);
        if (line.starts_with("SUMMARY: ") || line.starts_with("=====")) break;
        auto access = parse_access(line);
        if (!access) access = parse_lock(line);
        if (access) {
            report.accesses.push_back(std::move(*access));
            inside = true;
        } else if (auto frame = parse_frame(line)) {
            if (inside) report.accesses.back().frames.push_back(std::move(*frame));
        } else {
            inside = false;
        }
    }
    report.kind = kind_of(report);
    for (tsan_access& each : report.accesses) {
        if (frees(each)) each.operation = "free";
    }
    return report;
}

// "abandon" of "ordeal::(anonymous namespace)::word<int>::abandon(bool) (.resume)"
std::string bare_name(std::string_view function) {
    std::string plain;
    int depth = 0;
    for (const char c : function) {
        if (c == '<') ++depth;
        if (depth == 0) plain += c;
        if (c == '>') depth = std::max(depth - 1, 0);
    }
    for (std::size_t at; (at = plain.find("(anonymous namespace)")) != std::string::npos;) plain.erase(at, 21);
    plain = plain.substr(0, plain.find('('));
    const std::size_t scope = plain.rfind("::");
    return scope == std::string::npos ? plain : plain.substr(scope + 2);
}

// What ThreadSanitizer calls a read or a write may be either half of a compare-exchange.
role role_at(std::span<const std::string> lines, const tsan_access& access, std::uint32_t line) {
    const bool read = access.operation == "atomic read";
    const bool exchanges =
        line != 0 && line <= lines.size() && lines[line - 1].find("compare_exchange") != std::string::npos;
    if (exchanges) return read ? role::failure : role::success;
    return read ? role::load : role::store;
}

trace_step step_of(const tsan_access& access, source_cache& sources) {
    trace_step step;
    step.operation = access.operation;
    step.object = access.thread.empty() ? std::string() : "in " + access.thread;
    const tsan_frame* const frame = frame_on_trial(access);
    if (frame == nullptr) return step;
    const auto lines = sources.lines(frame->file);
    step.where.key = {frame->file, frame->line, frame->column, role_at(lines, access, frame->line)};
    step.where.atomic = access.operation.starts_with("atomic");
    step.where.function = bare_name(frame->function);
    step.where.operation = access.operation;
    if (step.where.atomic) step.note = order_comment(lines, frame->line, step.where.key.what);
    return step;
}

}  // namespace

std::vector<tsan_report> parse_tsan_reports(std::string_view text) {
    std::vector<tsan_report> reports;
    while (!text.empty()) {
        std::string_view line = next_line(text);
        const std::size_t at = line.find(headline);
        if (at == std::string_view::npos) continue;
        reports.push_back(parse_report(line.substr(at + headline.size()), text));
    }
    return reports;
}

const tsan_frame* frame_on_trial(const tsan_access& access) noexcept {
    const auto found = std::ranges::find_if(access.frames, [](const tsan_frame& frame) {
        if (frame.file.empty() || frame.file.front() == '/' || frame.file.front() == '.') return false;
        return std::ranges::none_of(harness_folders,
                                    [&](const char* folder) { return frame.file.starts_with(folder); });
    });
    return found == access.frames.end() ? nullptr : &*found;
}

search_result to_search_result(const tsan_report& report) {
    search_result result;
    result.verdict = report.kind ? verdict::violated : verdict::inconclusive;
    result.kind = report.kind;
    result.message = report.title;
    source_cache sources;
    int thread = static_cast<int>(report.accesses.size());
    for (auto each = report.accesses.rbegin(); each != report.accesses.rend(); ++each) {
        trace_step step = step_of(*each, sources);
        step.index = static_cast<std::uint32_t>(result.trace.size() + 1);
        step.thread = --thread;
        result.trace.push_back(std::move(step));
        const site& where = result.trace.back().where;
        if (where.key.line == 0) continue;
        result.message += (each == report.accesses.rbegin() ? ": " : " and ") + result.trace.back().operation + " at " +
                          where.key.file + ":" + std::to_string(where.key.line);
    }
    return result;
}

}  // namespace ordeal::detail
