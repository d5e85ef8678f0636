// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/picture/picture.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace ordeal::detail {

struct picture_box {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
};

/// The corners of an edge, from its source to its target.
struct route {
    std::vector<std::pair<int, int>> points;
    bool from_left = false;  ///< it comes to its target from the left; of a straight one: false
};

/// Where the parts of an execution graph stand, in pixels. Each step has a row of its own, so an edge that leaves its
/// box to the side meets no other box in its row; it goes up or down in the channel beside its target's lane, on a
/// track that no other edge has at this height. Nothing lies upon anything else but edges that cross.
class picture_layout {
public:
    static constexpr int margin = 20;
    static constexpr int top = 70;  ///< of the first row
    static constexpr int padding = 8;
    static constexpr int line_height = 15;
    static constexpr int character_width = 8;  ///< at least, of a font with one width; 12 pixels high

    explicit picture_layout(const execution_picture& of);

    [[nodiscard]] const std::vector<picture_box>& lanes() const noexcept { return lanes_; }
    [[nodiscard]] const std::vector<picture_box>& boxes() const noexcept { return boxes_; }  ///< by node
    [[nodiscard]] const std::vector<route>& routes() const noexcept { return routes_; }      ///< by edge
    [[nodiscard]] int bottom() const noexcept { return bottom_; }
    [[nodiscard]] int width() const noexcept { return width_; }

private:
    /// The end of an edge at the side of a box.
    struct port {
        std::size_t edge = 0;
        bool is_target = false;
    };

    [[nodiscard]] std::size_t lane_of(std::size_t node) const { return of_.nodes[node].lane; }
    [[nodiscard]] static bool is_straight(const picture_edge& edge) {
        return edge.relation == step_relation::program_order && !edge.missing;
    }
    void choose_sides();
    void place_rows();
    void choose_tracks();
    void place_lanes();
    void draw();

    const execution_picture& of_;
    std::vector<picture_box> lanes_;
    std::vector<picture_box> boxes_;
    std::vector<route> routes_;
    std::vector<std::vector<port>> left_, right_;  // by node
    std::vector<int> source_y_, target_y_;         // by edge
    std::vector<std::size_t> channels_, tracks_;   // by edge; channel i is to the left of lane i
    std::vector<std::size_t> track_counts_;        // by channel
    std::vector<int> name_room_;                   // by channel
    int bottom_ = 0;
    int width_ = 0;
};

}  // namespace ordeal::detail
