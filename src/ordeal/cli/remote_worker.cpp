// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/remote_worker.hpp"

#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/standard_streams.hpp"
#include "ordeal/engine/engines.hpp"
#include "ordeal/engine/persistence/search_json.hpp"
#include "ordeal/engine/process/forked_process.hpp"
#include "ordeal/engine/process/isolation.hpp"
#include "ordeal/engine/process/remote_workers.hpp"
#include "ordeal/scenario/client_programs.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>

namespace ordeal::detail {

namespace {

using remote_workers::work_order;

[[noreturn]] void refuse(const std::string& why) {
    say_line("a remote worker cannot work: " + why);
    _exit(1);
}

// All that the client says meanwhile is that it wants an end.
void search_all(const search_job& job, message_channel& with) {
    std::uint64_t told = 0;
    const auto on_progress = [&](const isolation_progress& now) {
        if (now.executions != told && !with.send(worker_message::counts, std::to_string(now.executions))) _exit(0);
        told = now.executions;
        if (with.readable() && !with.receive()) _exit(0);
        const auto next = with.take();
        return next && next->what == worker_message::end;
    };
    const auto on_done = [&](std::size_t, const search_result& result) {
        (void)with.send(worker_message::result, serialise(result));
        return false;
    };
    (void)run_isolated({&job, 1}, {}, {1, hard_limit_of(job.how.resources.seconds)}, on_progress, on_done);
}

[[noreturn]] void work(const work_order& order, message_channel with) {
    const scenario* const what = scenario_named(order.scenario);
    engine* const by = find_engine(order.engine);
    if (what == nullptr || by == nullptr) refuse("it has no scenario " + order.scenario);
    const search_job job{what, by, order.how};
    if (order.whole) {
        search_all(job, with);
        _exit(0);
    }
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    drop_output();
    remote_workers::client_channel() = std::move(with);
    search_progress unseen;
    (void)by->search(*what, order.how, unseen);
    _exit(1);  // a search that it cannot share
}

}  // namespace

bool is_remote_worker() { return std::getenv("ORDEAL_REMOTE_WORKER") != nullptr; }

void serve_client() {
    const char* const socket = std::getenv("ORDEAL_REMOTE_WORKER");
    if (socket == nullptr) refuse("it has no client");
    message_channel with(std::atoi(socket));
    unsetenv("ORDEAL_REMOTE_WORKER");
    const auto first = with.await();
    if (!first) _exit(0);
    const auto order = remote_workers::parse_work_order(first->text);
    if (!order) refuse("it is of another build than its client");
    try {
        work(*order, std::move(with));
    } catch (const std::exception& error) {
        refuse(error.what());
    }
}

}  // namespace ordeal::detail
