// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/lent_workers.hpp"

#include "ordeal/engine/build_identity.hpp"
#include "ordeal/engine/search_description.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <utility>

namespace ordeal::lent_workers {

namespace {

using nlohmann::json;

std::string_view lender() {
    const char* const text = std::getenv("ORDEAL_WORKERS");
    return text == nullptr ? "" : text;
}

std::optional<message_channel> connected() {
    const std::string_view text = lender();
    const std::string_view path = text.substr(std::min(text.size(), text.find(':') + 1));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof(address.sun_path)) return std::nullopt;
    std::ranges::copy(path, address.sun_path);
    const int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0) return std::nullopt;
    message_channel result(file);
    if (connect(file, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) return std::nullopt;
    // The lender answers at once, or hangs up.
    while (true) {
        if (const auto answer = result.take()) {
            if (answer->what != worker_message::granted) return std::nullopt;
            return result;
        }
        if (!result.receive()) return std::nullopt;
    }
}

std::optional<message_channel> hired(const scenario& what, std::string_view engine, const search_options& how,
                                     bool whole) {
    auto channel = connected();
    if (!channel) return std::nullopt;
    const json order{{"build", build_identity()},
                     {"scenario", what.name},
                     {"engine", engine},
                     {"how", description_of(how)},
                     {"seed", how.seed},
                     {"depth", how.depth},
                     {"seconds", how.seconds},
                     {"all_met", how.all_overrides_met},
                     {"whole", whole}};
    if (!channel->send(worker_message::search, order.dump())) return std::nullopt;
    return channel;
}

}  // namespace

unsigned count() {
    const std::string_view text = lender();
    unsigned result = 0;
    (void)std::from_chars(text.data(), text.data() + text.size(), result);
    return result;
}

bool are_there() { return count() > 0; }

std::optional<message_channel> for_search(const scenario& what, const search_options& how) {
    return hired(what, "graph", how, false);
}

std::optional<message_channel> for_whole_search(const scenario& what, std::string_view engine,
                                                const search_options& how) {
    return hired(what, engine, how, true);
}

std::optional<order_of_work> parse_order_of_work(std::string_view text) {
    try {
        const json value = json::parse(text);
        if (value.at("build") != build_identity()) return std::nullopt;
        auto how = parse_description(value.at("how").get<std::string>());
        if (!how) return std::nullopt;
        order_of_work result;
        result.how = *std::move(how);
        value.at("seed").get_to(result.how.seed);
        value.at("depth").get_to(result.how.depth);
        value.at("seconds").get_to(result.how.seconds);
        value.at("all_met").get_to(result.how.all_overrides_met);
        value.at("scenario").get_to(result.scenario);
        value.at("engine").get_to(result.engine);
        value.at("whole").get_to(result.whole);
        return result;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

std::optional<message_channel>& lent_to() {
    static std::optional<message_channel> channel;
    return channel;
}

}  // namespace ordeal::lent_workers
