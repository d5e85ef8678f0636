// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/process/remote_workers.hpp"

#include "ordeal/engine/persistence/json_fields.hpp"
#include "ordeal/engine/persistence/resumable_file.hpp"
#include "ordeal/engine/persistence/search_json.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <utility>

namespace ordeal::detail::remote_workers {

namespace {

using nlohmann::json;

std::string_view workers_variable() {
    const char* const text = std::getenv("ORDEAL_WORKERS");
    return text == nullptr ? "" : text;
}

std::optional<message_channel> connected_to_coordinator() {
    const std::string_view text = workers_variable();
    const std::string_view path = text.substr(std::min(text.size(), text.find(':') + 1));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof(address.sun_path)) return std::nullopt;
    std::ranges::copy(path, address.sun_path);
    const int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0) return std::nullopt;
    message_channel result(file);
    if (connect(file, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) return std::nullopt;
    // The coordinator answers at once, or closes the connection.
    const auto answer = result.await();
    if (!answer || answer->what != worker_message::granted) return std::nullopt;
    return result;
}

std::optional<message_channel> requested_worker(const scenario& what, std::string_view engine,
                                                const search_options& how, bool whole) {
    auto channel = connected_to_coordinator();
    if (!channel) return std::nullopt;
    const json order{{"build", build_identity()},
                     {"scenario", what.name},
                     {"engine", engine},
                     {"how", description_of(how)},
                     {"seed", how.strategy.seed},
                     {"depth", how.strategy.depth},
                     {"seconds", how.resources.seconds},
                     {"all_met", how.mutant.all_overrides_reached},
                     {"whole", whole}};
    if (!channel->send(worker_message::search, json_text(order))) return std::nullopt;
    return channel;
}

}  // namespace

unsigned count() {
    const std::string_view text = workers_variable();
    unsigned result = 0;
    (void)std::from_chars(text.data(), text.data() + text.size(), result);
    return result;
}

bool available() { return count() > 0; }

std::optional<message_channel> for_search(const scenario& what, const search_options& how) {
    return requested_worker(what, "graph", how, false);
}

std::optional<message_channel> for_whole_search(const scenario& what, std::string_view engine,
                                                const search_options& how) {
    return requested_worker(what, engine, how, true);
}

std::optional<work_order> parse_work_order(std::string_view text) {
    try {
        const json value = parse_json(text);
        if (value.at("build") != build_identity()) return std::nullopt;
        auto how = parse_description(value.at("how").get<std::string>());
        if (!how) return std::nullopt;
        work_order result;
        result.how = *std::move(how);
        value.at("seed").get_to(result.how.strategy.seed);
        value.at("depth").get_to(result.how.strategy.depth);
        value.at("seconds").get_to(result.how.resources.seconds);
        value.at("all_met").get_to(result.how.mutant.all_overrides_reached);
        value.at("scenario").get_to(result.scenario);
        value.at("engine").get_to(result.engine);
        value.at("whole").get_to(result.whole);
        return result;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

std::optional<message_channel>& client_channel() {
    static std::optional<message_channel> channel;
    return channel;
}

}  // namespace ordeal::detail::remote_workers
