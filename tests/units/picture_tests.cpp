// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures of an execution against golden files. With ORDEAL_UPDATE_GOLDEN set the golden files are written anew instead, and
// the tests fail.
#include "ordeal/report/picture/picture.hpp"
#include "ordeal/report/picture/picture_layout.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace ordeal;
using namespace ordeal::detail;
using Catch::Matchers::Contains;

namespace {

scenario two_threads() {
    scenario result;
    result.name = "example/publish \"<quickly>\"";
    result.threads = {"producer", "consumer"};
    return result;
}

trace_step step(std::uint32_t index, int thread, std::string operation, std::string name, std::uint32_t line) {
    trace_step result;
    result.index = index;
    result.thread = thread;
    result.operation = std::move(operation);
    result.name = std::move(name);
    result.object = result.name;
    result.where.key = {"src/some/where.hpp", line, 3, role::load};
    return result;
}

// The consumer reads the flag, and the one after it too early.
search_result published_too_early() {
    search_result result;
    result.verdict = verdict::violated;
    result.kind = violation_kind::data_race;
    trace& steps = result.trace;
    steps = {step(1, -1, "construct", "flag", 10), step(2, 0, "write", "payload", 20),
             step(3, 0, "store", "flag", 21),      step(4, 0, "store", "flag", 22),
             step(6, 1, "load", "flag", 30),       step(7, 1, "read", "payload", 31),
             step(8, 1, "violation", "", 31)};
    for (const std::size_t i : {2U, 3U, 4U}) {
        steps[i].where.atomic = true;
        steps[i].using_order = order::relaxed;
        steps[i].address = steps[0].address = 0x1000;
    }
    steps[0].after = 0;
    steps[2].after = 1;
    steps[3].after = 2;
    steps[2].coherence = 1;
    steps[3].coherence = 2;
    steps[3].overridden = true;
    steps[4].before = 1;
    steps[4].reads_from = 3;
    steps[4].stale = true;
    steps[5].reads_from = 2;
    return result;
}

explanation reason() {
    explanation why;
    why.conclusion = {"data race: payload is read (e) while its last write (a) is not ordered before"};
    why.first = 1;
    why.second = 5;
    why.letters = {"", "a", "b", "c", "d", "e", "f"};
    why.links = {{2, 4, step_relation::reads_from, true, "b is relaxed: with release it would synchronise with d"}};
    return why;
}

execution_picture example() { return picture_of(two_threads(), published_too_early(), reason()); }

bool has(const execution_picture& picture, std::size_t from, std::size_t to, step_relation relation,
         bool missing = false) {
    return std::ranges::any_of(picture.edges, [&](const picture_edge& each) {
        return each.from == from && each.to == to && each.relation == relation && each.missing == missing;
    });
}

void check_golden(const char* name, const std::string& text) {
    const std::string file = std::string(ORDEAL_SOURCE_ROOT "/tests/units/data/picture/") + name;
    if (std::getenv("ORDEAL_UPDATE_GOLDEN") != nullptr) {
        std::ofstream(file, std::ios::binary) << text;
        FAIL("written anew: " << file);
    }
    std::ifstream in(file, std::ios::binary);
    std::ostringstream golden;
    golden << in.rdbuf();
    CHECK(text == golden.str());
}

/// Statements of the language DOT, as far as its grammar goes: lists of names in brackets, strings in quotes.
class dot_reader {
public:
    explicit dot_reader(const std::string& text) : text_(text) {}

    // Returns whether it is a graph, and nothing comes after it.
    bool graph() { return word() == "digraph" && !word().empty() && block() && (blanks(), at_ == text_.size()); }

    std::size_t nodes = 0;
    std::size_t edges = 0;

private:
    void blanks() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    }
    bool take(const std::string& what) {
        blanks();
        if (text_.compare(at_, what.size(), what) != 0) return false;
        at_ += what.size();
        return true;
    }
    std::string word() {
        blanks();
        const std::size_t begin = at_;
        if (take("\"")) {
            while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
            return take("\"") ? text_.substr(begin, at_ - begin) : "";
        }
        const auto of_word = [&](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
        };
        while (at_ < text_.size() && of_word(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }
    bool attributes() {
        if (!take("[")) return true;
        while (!take("]")) {
            if (word().empty() || !take("=") || word().empty()) return false;
            (void)take(",");
        }
        return true;
    }
    bool statement() {
        const std::string first = word();
        if (first == "subgraph") return !word().empty() && block();
        if (first.empty()) return false;
        if (take("=")) return !word().empty() && take(";");
        if (take("->")) {
            ++edges;
            return !word().empty() && attributes() && take(";");
        }
        nodes += first.starts_with('n') && first != "node" ? 1 : 0;
        return attributes() && take(";");
    }
    bool block() {
        if (!take("{")) return false;
        while (!take("}")) {
            if (!statement()) return false;
        }
        return true;
    }

    const std::string& text_;
    std::size_t at_ = 0;
};

bool overlap(const detail::picture_box& a, const detail::picture_box& b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

}  // namespace

TEST_CASE("a picture has the steps that are shown, and the relations between them") {
    const execution_picture picture = example();
    CHECK(picture.lanes == std::vector<std::string>{"producer", "consumer"});
    REQUIRE(picture.nodes.size() == 6);
    CHECK(picture.nodes[2].label == "c");
    CHECK(picture.nodes[2].operation == "store relaxed*");
    CHECK(picture.nodes[2].detail == "flag = 2");
    CHECK(picture.nodes[3].detail == "flag: 1 (stale)");
    CHECK(picture.nodes[3].place == "where.hpp:30");
    CHECK(picture.nodes[0].end);
    CHECK(picture.nodes[4].end);
    CHECK_FALSE(picture.nodes[3].end);
    CHECK(picture.nodes[5].violation);
    CHECK(has(picture, 0, 1, step_relation::program_order));
    CHECK(has(picture, 1, 3, step_relation::reads_from));
    CHECK(has(picture, 0, 4, step_relation::reads_from));
    CHECK(has(picture, 1, 2, step_relation::coherence));
    CHECK(has(picture, 3, 2, step_relation::from_read));
    CHECK(has(picture, 1, 3, step_relation::reads_from, true));
    CHECK(picture.edges.size() == 4 + 2 + 1 + 1 + 1);
    CHECK_THAT(picture.captions.back(), Contains("1 step that is no cause"));
}

TEST_CASE("a picture of a trace without coherence has none, and shows all steps if none has a letter") {
    search_result result = published_too_early();
    for (trace_step& each : result.trace) each.coherence.reset();
    const execution_picture picture = picture_of(two_threads(), result, {});
    CHECK(picture.lanes == std::vector<std::string>{"before and after", "producer", "consumer"});
    CHECK(picture.nodes.size() == 7);
    CHECK(picture.nodes[0].label == "1");
    CHECK(std::ranges::none_of(picture.edges, [](const picture_edge& each) {
        return each.relation == step_relation::coherence || each.relation == step_relation::from_read;
    }));
    CHECK(picture_of(two_threads(), {}, {}).nodes.empty());
    CHECK(dot_reader(dot_text(picture_of(two_threads(), {}, {}))).graph());
}

TEST_CASE("a read-modify-write has no from-read to itself") {
    search_result result = published_too_early();
    result.trace[3].operation = "exchange";
    result.trace[3].before = 1;
    result.trace[3].reads_from = 3;
    const execution_picture picture = picture_of(two_threads(), result, reason());
    CHECK(has(picture, 1, 2, step_relation::reads_from));
    CHECK_FALSE(has(picture, 2, 2, step_relation::from_read));
    CHECK_FALSE(has(picture, 1, 2, step_relation::coherence));
}

TEST_CASE("a long line of a step is wrapped, not cut") {
    search_result result = published_too_early();
    result.trace[3].after_name = "a name that is as long as names can be when they have template arguments";
    const std::string text = svg_text(picture_of(two_threads(), result, reason()));
    CHECK_THAT(text, Contains(">flag = a name that") && Contains("template arguments<") && !Contains("...<"));
}

TEST_CASE("a graph for Graphviz is that of the golden file, and its language") {
    const std::string text = dot_text(example());
    check_golden("example.dot", text);
    dot_reader reader(text);
    CHECK(reader.graph());
    CHECK(reader.nodes == example().nodes.size());
    CHECK(reader.edges == example().edges.size());
    const std::string cut = text.substr(0, text.size() / 2);
    CHECK_FALSE(dot_reader(cut).graph());
}

TEST_CASE("a sequence diagram is that of the golden file") {
    const std::string text = mermaid_text(example());
    check_golden("example.mmd", text);
    CHECK_THAT(text, !Contains("\"") && !Contains("<quickly"));
}

TEST_CASE("a drawing is that of the golden file") {
    const std::string text = svg_text(example());
    check_golden("example.svg", text);
    CHECK_THAT(text, Contains("publish &quot;&lt;quickly&gt;&quot;"));
}

TEST_CASE("nothing in a drawing lies upon a box but the ends of edges, and no two edges share a track") {
    scenario what;
    what.name = "many";
    search_result result;
    // Each thread reads from all the others, and from itself.
    for (int i = 0; i < 24; ++i) {
        what.threads.resize(4, "a thread");
        trace_step each = step(static_cast<std::uint32_t>(i + 1), i * 7 % 4, "load", "object " + std::to_string(i), 7);
        if (i > 0) each.reads_from = static_cast<std::uint32_t>(i * 5 % 23 % i + 1);
        result.trace.push_back(each);
    }
    const execution_picture picture = picture_of(what, result, {});
    const detail::picture_layout layout(picture);
    for (std::size_t i = 0; i < layout.boxes().size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(overlap(layout.boxes()[i], layout.boxes()[j]));
    }
    std::vector<detail::picture_box> tracks;
    for (std::size_t i = 0; i < picture.edges.size(); ++i) {
        const auto& points = layout.routes()[i].points;
        if (points.size() == 2) continue;
        REQUIRE(points.size() == 4);
        for (std::size_t leg = 0; leg < 3; ++leg) {
            const auto [x1, x2] = std::minmax(points[leg].first, points[leg + 1].first);
            const auto [y1, y2] = std::minmax(points[leg].second, points[leg + 1].second);
            const detail::picture_box line{x1, y1, x2 - x1, y2 - y1};
            for (const detail::picture_box& box : layout.boxes()) CHECK_FALSE(overlap(line, box));
            if (leg != 1) continue;
            for (const detail::picture_box& other : tracks) {
                const bool apart =
                    line.x != other.x || line.y > other.y + other.height || other.y > line.y + line.height;
                CHECK(apart);
            }
            tracks.push_back(line);
        }
    }
    CHECK(tracks.size() == 23);
    CHECK(layout.width() > layout.lanes().back().x + layout.lanes().back().width);
}
