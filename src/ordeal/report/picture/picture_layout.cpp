// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/picture/picture_layout.hpp"

#include <algorithm>

namespace ordeal::detail {

namespace {

constexpr int port_distance = 16;  // a name has room above its arrow
constexpr int row_gap = 14;
constexpr int track_distance = 10;
constexpr int least_box = 120;
constexpr int least_gap = 40;  // between two lanes
constexpr int least_width = 640;

}  // namespace

picture_layout::picture_layout(const execution_picture& of)
    : of_(of),
      lanes_(of.lanes.size()),
      boxes_(of.nodes.size()),
      routes_(of.edges.size()),
      left_(of.nodes.size()),
      right_(of.nodes.size()),
      source_y_(of.edges.size()),
      target_y_(of.edges.size()),
      channels_(of.edges.size()),
      tracks_(of.edges.size()),
      track_counts_(of.lanes.size() + 1),
      name_room_(of.lanes.size() + 1) {
    choose_sides();
    place_rows();
    choose_tracks();
    place_lanes();
    draw();
}

// An edge leaves towards its target, and comes in on that side; one within a lane goes round on the right.
void picture_layout::choose_sides() {
    for (std::size_t i = 0; i < of_.edges.size(); ++i) {
        const picture_edge& edge = of_.edges[i];
        if (is_straight(edge)) continue;
        const std::size_t from = lane_of(edge.from);
        const std::size_t to = lane_of(edge.to);
        routes_[i].from_left = from < to;
        channels_[i] = from < to ? to : to + 1;
        (from <= to ? right_ : left_)[edge.from].push_back({i, false});
        (from < to ? left_ : right_)[edge.to].push_back({i, true});
        const int room = static_cast<int>(short_name(edge).size()) * character_width + 14;
        name_room_[channels_[i]] = std::max(name_room_[channels_[i]], room);
    }
}

void picture_layout::place_rows() {
    int y = top;
    for (std::size_t node = 0; node < boxes_.size(); ++node) {
        const int lines = static_cast<int>(lines_of(of_.nodes[node]).size());
        const int ports = static_cast<int>(std::max(left_[node].size(), right_[node].size()));
        picture_box& box = boxes_[node];
        box.y = y;
        box.height = std::max(lines * line_height + padding + 4, (ports + 1) * port_distance);
        for (auto* side : {&left_[node], &right_[node]}) {
            int at = y + (box.height - (static_cast<int>(side->size()) - 1) * port_distance) / 2;
            for (const port& each : *side) {
                (each.is_target ? target_y_ : source_y_)[each.edge] = at;
                at += port_distance;
            }
        }
        y += box.height + row_gap;
    }
    bottom_ = y - row_gap;
}

// The first track of its channel on which no edge before it is at the same height.
void picture_layout::choose_tracks() {
    std::vector<std::vector<std::pair<std::size_t, std::pair<int, int>>>> taken(track_counts_.size());
    for (std::size_t i = 0; i < of_.edges.size(); ++i) {
        if (is_straight(of_.edges[i])) continue;
        auto& others = taken[channels_[i]];
        const std::pair<int, int> mine = std::minmax(source_y_[i], target_y_[i]);
        std::size_t track = 0;
        const auto meets = [&](const auto& other) {
            return other.first == track && mine.first <= other.second.second && other.second.first <= mine.second;
        };
        while (std::ranges::any_of(others, meets)) ++track;
        others.push_back({track, mine});
        tracks_[i] = track;
        track_counts_[channels_[i]] = std::max(track_counts_[channels_[i]], track + 1);
    }
}

void picture_layout::place_lanes() {
    int x = margin + 6;
    const auto channel_width = [&](std::size_t channel) {
        const int tracks = static_cast<int>(track_counts_[channel]);
        if (tracks == 0) return 0;
        return 2 * name_room_[channel] + (tracks - 1) * track_distance;
    };
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        std::size_t longest = of_.lanes[i].size();
        for (const picture_node& node : of_.nodes) {
            if (node.lane != i) continue;
            for (const std::string& line : lines_of(node)) longest = std::max(longest, line.size());
        }
        if (i > 0) x += std::max(least_gap, channel_width(i));
        lanes_[i].x = x;
        const int text = static_cast<int>(std::min(longest, most_characters)) * character_width;
        lanes_[i].width = std::max(least_box, text + 2 * padding);
        x += lanes_[i].width;
    }
    width_ = std::max(least_width, x + channel_width(lanes_.size()) + margin);
    for (std::size_t node = 0; node < boxes_.size(); ++node) {
        boxes_[node].x = lanes_[lane_of(node)].x;
        boxes_[node].width = lanes_[lane_of(node)].width;
    }
}

void picture_layout::draw() {
    for (std::size_t i = 0; i < of_.edges.size(); ++i) {
        const picture_edge& edge = of_.edges[i];
        const picture_box& from = boxes_[edge.from];
        const picture_box& to = boxes_[edge.to];
        if (is_straight(edge)) {
            const int x = from.x + from.width / 2;
            routes_[i].points = {{x, from.y + from.height}, {x, to.y}};
            continue;
        }
        // The channel begins where the lane to the left of it ends.
        const picture_box& before = lanes_[channels_[i] - 1];
        const int track =
            before.x + before.width + name_room_[channels_[i]] + static_cast<int>(tracks_[i]) * track_distance;
        const int source_x = lane_of(edge.from) <= lane_of(edge.to) ? from.x + from.width : from.x;
        const int target_x = routes_[i].from_left ? to.x : to.x + to.width;
        routes_[i].points = {
            {source_x, source_y_[i]}, {track, source_y_[i]}, {track, target_y_[i]}, {target_x, target_y_[i]}};
    }
}

}  // namespace ordeal::detail
