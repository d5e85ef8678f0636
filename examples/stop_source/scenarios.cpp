// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stop_source.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

namespace examples {
namespace {

using ordeal::require;

struct polling {
    static constexpr auto about = "Who sees that stopping was asked for, sees what was done before.";
    static constexpr auto threads = std::array{"asks", "polls"};
    stop_source source;
    int reason = 0;

    void run(int thread) {
        if (thread == 0) {
            reason = 42;
            require(source.request_stop());
        } else if (source.stop_requested()) {
            require(reason == 42);
        }
    }
};
ORDEAL_SCENARIO("stop_source/polling", polling);

struct registered_meanwhile {
    static constexpr auto about =
        "A callback is made while another thread asks: it runs once, and its destructor waits for it.";
    static constexpr auto threads = std::array{"asks", "registers"};
    stop_source source;
    int reason = 0;
    int calls = 0;

    void run(int thread) {
        if (thread == 0) {
            reason = 42;
            require(source.request_stop());
        } else {
            {
                const stop_callback callback(source, [this] {
                    require(reason == 42, "a callback sees what was done before stopping was asked for");
                    ++calls;
                });
            }
            require(calls <= 1, "at most once, and not after the destructor");
        }
    }
    [[nodiscard]] int outcome() const { return calls; }
};
ORDEAL_SCENARIO("stop_source/registered_meanwhile", registered_meanwhile);

struct destroyed_meanwhile {
    static constexpr auto about = "A callback is destroyed while another thread asks: it has run, or never will.";
    static constexpr auto threads = std::array{"asks", "destroys"};

    struct count {
        int* calls;
        void operator()() const { ++*calls; }
    };
    stop_source source;
    int calls = 0;
    int kept_calls = 0;
    std::optional<stop_callback<count>> callback{std::in_place, source, count{&calls}};
    std::optional<stop_callback<count>> kept{std::in_place, source, count{&kept_calls}};

    void run(int thread) {
        if (thread == 0) {
            require(source.request_stop());
        } else {
            callback.reset();
            require(calls <= 1, "at most once");
            calls = 2;  // nobody else's any more
        }
    }
    void finish() const {
        require(calls == 2, "nothing runs after the destructor");
        require(kept_calls == 1, "the other callback runs");
    }
};
ORDEAL_SCENARIO("stop_source/destroyed_meanwhile", destroyed_meanwhile);

struct destroys_itself {
    static constexpr auto about = "A callback destroys itself while another thread asks too.";
    static constexpr auto threads = std::array{"asks", "asks"};
    static constexpr auto interchangeable = std::array{0, 1};

    struct reset {
        destroys_itself* owner;
        void operator()() const {
            destroys_itself& kept = *owner;
            kept.callback.reset();  // *this is gone
            ++kept.calls;
        }
    };
    stop_source source;
    int calls = 0;
    std::array<bool, 2> first{};
    std::unique_ptr<stop_callback<reset>> callback{new stop_callback<reset>(source, reset{this})};

    void run(int thread) { first.at(static_cast<std::size_t>(thread)) = source.request_stop(); }
    void finish() const {
        require(first[0] != first[1], "one of them is the first");
        require(calls == 1);
    }
};
ORDEAL_SCENARIO("stop_source/destroys_itself", destroys_itself);

}  // namespace
}  // namespace examples
