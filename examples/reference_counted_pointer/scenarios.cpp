// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "counted_pointer.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>

namespace examples {
namespace {

using ordeal::require;

struct document : counted {
    std::array<int, 2> words{};
};
using pointer = counted_pointer<document>;

struct last_deletes {
    static constexpr auto about =
        "Each writes to its part and gives its pointer up: is all of it before the destruction?";
    static constexpr auto threads = std::array{"first", "second"};
    pointer first = pointer::make();
    pointer second = first;

    void run(int thread) {
        pointer& mine = thread == 0 ? first : second;
        mine->words.at(static_cast<std::size_t>(thread)) = 1;
        mine.reset();
    }
};
ORDEAL_SCENARIO("counted_pointer/last_deletes", last_deletes);

struct copies_meanwhile {
    static constexpr auto about =
        "One copies its pointer while the other gives its own up: is the object deleted once?";
    static constexpr auto threads = std::array{"copies", "gives up"};
    pointer first = pointer::make();
    pointer second = first;

    void run(int thread) {
        if (thread == 1) {
            second.reset();
            return;
        }
        const pointer copy = first;
        first.reset();
        copy->words[0] = 1;
    }
};
ORDEAL_SCENARIO("counted_pointer/copies_meanwhile", copies_meanwhile);

struct copy_on_write {
    static constexpr auto about = "Who is the only owner left writes in place: has the other one ended its reads?";
    static constexpr auto threads = std::array{"writes", "reads"};
    pointer writer = pointer::make();
    pointer reader = writer;
    int seen = 0;

    void run(int thread) {
        if (thread == 1) {
            seen = reader->words[0];
            reader.reset();
        } else if (writer.unique()) {
            writer->words[0] = 1;
        }
    }
    void finish() { require(seen == 0, "the reader sees what was there when it was an owner"); }
};
ORDEAL_SCENARIO("counted_pointer/copy_on_write", copy_on_write);

}  // namespace
}  // namespace examples
