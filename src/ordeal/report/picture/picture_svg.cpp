// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/picture/picture.hpp"
#include "ordeal/report/picture/picture_layout.hpp"
#include "ordeal/report/text/trace_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace ordeal::detail {

namespace {

constexpr int line_height = picture_layout::line_height;
constexpr int legend_width = 165;

// No variables and no `currentColor`: what shows a picture in an <img>, or makes a PNG of it, may not know them.
constexpr std::string_view styles = R"(
  text { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 12px; fill: #1f2328; }
  .paper { fill: #ffffff; }
  .title { font-weight: bold; }
  .lane { fill: #f6f8fa; stroke: #d0d7de; }
  .box { fill: #ffffff; stroke: #57606a; }
  .end { stroke: #c02020; stroke-width: 3; }
  .place { fill: #57606a; }
  .name { font-size: 11px; }
  path { fill: none; stroke-width: 1.6; }
  .po { stroke: #8c959f; }
  .rf { stroke: #1a7f37; }
  .fr { stroke: #bc4c00; stroke-dasharray: 7 4; }
  .co { stroke: #8250df; stroke-dasharray: 2 3; }
  .hb { stroke: #0969da; stroke-dasharray: 12 3 2 3; }
  .missing { stroke: #c02020; stroke-width: 2.6; stroke-dasharray: 12 5; }
  .head { stroke: none; }
  .head.po { fill: #8c959f; } .head.rf { fill: #1a7f37; } .head.fr { fill: #bc4c00; } .head.co { fill: #8250df; }
  .head.hb { fill: #0969da; } .head.missing { fill: #c02020; }
  .cross { stroke: #c02020; stroke-width: 2.6; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .paper { fill: #0d1117; }
    .lane { fill: #161b22; stroke: #30363d; }
    .box { fill: #0d1117; stroke: #8b949e; }
    .end { stroke: #ff7b72; }
    .place { fill: #9198a1; }
    .po { stroke: #6e7681; } .rf { stroke: #3fb950; } .fr { stroke: #f0883e; } .co { stroke: #bc8cff; }
    .hb { stroke: #58a6ff; } .missing, .cross { stroke: #ff7b72; }
    .head.po { fill: #6e7681; } .head.rf { fill: #3fb950; } .head.fr { fill: #f0883e; } .head.co { fill: #bc8cff; }
    .head.hb { fill: #58a6ff; } .head.missing { fill: #ff7b72; }
  }
)";

std::string_view class_of(const picture_edge& edge) { return edge.missing ? "missing" : short_name(edge); }

std::string text_at(int x, int y, std::string_view look, std::string_view anchor, std::string_view text) {
    return fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\" text-anchor=\"{}\">{}</text>\n", x, y, look, anchor,
                       xml_text(text));
}

/// Writes a drawing from top to bottom.
class drawing {
public:
    explicit drawing(const execution_picture& of) : of_(of), layout_(of) {}

    std::string text() {
        lanes();
        for (std::size_t i = 0; i < of_.edges.size(); ++i) edge(of_.edges[i], layout_.routes()[i]);
        for (std::size_t i = 0; i < of_.nodes.size(); ++i) node(i);
        int y = legend(layout_.bottom() + 26) + 8;
        for (const std::string& caption : of_.captions) {
            for (const std::string& line : wrapped(caption, room())) {
                body_ += text_at(picture_layout::margin, y += line_height + 2, "", "start", line);
            }
        }
        const int height = y + picture_layout::margin;
        const std::string title = xml_text(of_.title);
        std::string result = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
            "role=\"img\" "
            "aria-label=\"{2}\">\n<title>{2}</title>\n<style>{3}</style>\n",
            layout_.width(), height, title, styles);
        result += fmt::format("<rect class=\"paper\" width=\"{}\" height=\"{}\"/>\n", layout_.width(), height);
        result += text_at(picture_layout::margin, 24, "title", "start", shortened(of_.title, room()));
        return result + body_ + "</svg>\n";
    }

private:
    [[nodiscard]] std::size_t room() const {
        return static_cast<std::size_t>((layout_.width() - 2 * picture_layout::margin) /
                                        picture_layout::character_width);
    }

    void lanes() {
        for (std::size_t i = 0; i < of_.lanes.size(); ++i) {
            const auto& lane = layout_.lanes()[i];
            body_ += fmt::format("<rect class=\"lane\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\"/>\n",
                                 lane.x - 6, picture_layout::top - 22, lane.width + 12,
                                 layout_.bottom() - picture_layout::top + 30);
            const auto fits = static_cast<std::size_t>(lane.width / picture_layout::character_width);
            body_ += text_at(lane.x + lane.width / 2, picture_layout::top - 6, "title", "middle",
                             shortened(of_.lanes[i], fits));
        }
    }

    void node(std::size_t number) {
        const picture_node& what = of_.nodes[number];
        const auto& box = layout_.boxes()[number];
        body_ += fmt::format("<rect class=\"box{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\"/>\n",
                             what.end || what.violation ? " end" : "", box.x, box.y, box.width, box.height);
        int y = box.y + picture_layout::padding - 3;
        for (const std::string& line : lines_of(what)) {
            y += line_height;
            const bool is_place = line == what.place;
            const std::string_view look = is_place                                                 ? "place"
                                          : y == box.y + line_height + picture_layout::padding - 3 ? "title"
                                                                                                   : "";
            body_ += text_at(box.x + picture_layout::padding, y, look, "start", shortened(line, most_characters));
        }
    }

    void edge(const picture_edge& what, const route& way) {
        const std::string_view look = class_of(what);
        std::string points;
        for (const auto& [x, y] : way.points) points += fmt::format("{}{} {}", points.empty() ? "M" : " L", x, y);
        body_ += fmt::format("<path class=\"{}\" d=\"{}\"/>\n", look, points);
        const auto [x, y] = way.points.back();
        if (way.points.size() == 2) {  // program order: downward
            body_ += fmt::format("<path class=\"head {}\" d=\"M{} {} l-4 -7 h8 z\"/>\n", look, x, y);
            return;
        }
        const int back = way.from_left ? -8 : 8;
        body_ += fmt::format("<path class=\"head {}\" d=\"M{} {} l{} -4 v8 z\"/>\n", look, x, y, back);
        const std::string_view name = short_name(what);
        body_ += text_at(x + (way.from_left ? -10 : 10), y - 4, "name", way.from_left ? "end" : "start", name);
        if (!what.missing) return;
        const auto [middle, from] = way.points[1];
        body_ += fmt::format("<path class=\"cross\" d=\"M{} {} l12 12 m0 -12 l-12 12\"/>\n", middle - 6,
                             (from + way.points[2].second) / 2 - 6);
    }

    // Returns where the last line of it is.
    int legend(int y) {
        struct entry {
            step_relation relation;
            bool missing;
            std::string words;
        };
        std::vector<entry> entries;
        for (const auto relation : {step_relation::program_order, step_relation::reads_from, step_relation::from_read,
                                    step_relation::coherence, step_relation::happens_before}) {
            entries.push_back({relation, false, std::string(to_string(relation))});
        }
        entries.push_back({step_relation::reads_from, true, "not synchronised"});
        int x = picture_layout::margin;
        for (const entry& each : entries) {
            const bool used = std::ranges::any_of(of_.edges, [&](const picture_edge& edge) {
                return edge.missing == each.missing && (each.missing || edge.relation == each.relation);
            });
            if (!used) continue;
            if (x > picture_layout::margin && x + legend_width > layout_.width()) {
                x = picture_layout::margin;
                y += line_height + 4;
            }
            const picture_edge sample{0, 0, each.relation, each.missing, {}};
            body_ += fmt::format("<path class=\"{}\" d=\"M{} {} h30\"/>\n", class_of(sample), x, y - 4);
            body_ += text_at(x + 36, y, "name", "start", each.words);
            x += legend_width;
        }
        return y;
    }

    const execution_picture& of_;
    picture_layout layout_;
    std::string body_;
};

}  // namespace

std::string svg_text(const execution_picture& of) { return drawing(of).text(); }

}  // namespace ordeal::detail
