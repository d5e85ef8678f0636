// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/exploration/workers.hpp"

#include "ordeal/engine/watchdog.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace ordeal::graph {

namespace {

// Long enough that sending graphs costs nothing beside it, short enough that nobody waits long for work.
constexpr std::chrono::milliseconds one_turn{50};

// A message is its length and its bytes.
bool send(int file, const std::string& text) {
    const auto size = static_cast<std::uint64_t>(text.size());
    std::string whole(reinterpret_cast<const char*>(&size), sizeof(size));
    whole += text;
    for (std::size_t done = 0; done < whole.size();) {
        const ssize_t count = write(file, whole.data() + done, whole.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += static_cast<std::size_t>(count);
    }
    return true;
}

// A whole message at the beginning of `buffer`, which it is taken from.
bool take_message(std::string& buffer, std::string& message) {
    std::uint64_t size = 0;
    if (buffer.size() < sizeof(size)) return false;
    std::memcpy(&size, buffer.data(), sizeof(size));
    if (buffer.size() - sizeof(size) < size) return false;
    message = buffer.substr(sizeof(size), size);
    buffer.erase(0, sizeof(size) + size);
    return true;
}

// Returns false at the end of the file.
bool receive(int file, std::string& buffer) {
    char block[1 << 16];
    ssize_t count = -1;
    do {
        count = read(file, block, sizeof(block));
    } while (count < 0 && errno == EINTR);
    if (count <= 0) return false;
    buffer.append(block, static_cast<std::size_t>(count));
    return true;
}

std::vector<execution_graph> take_all(work_stack& from) {
    std::vector<execution_graph> result(from.size());
    for (std::size_t i = result.size(); i > 0; --i) from.take(result[i - 1]);
    return result;
}

}  // namespace

workers::workers(explorer& mine, unsigned count) : mine_(mine) {
    for (unsigned i = 0; i < count; ++i) start();
}

workers::~workers() {
    for (worker& each : all_) {
        close(each.to);
        close(each.from);
        if (each.process < 0) continue;
        kill(each.process, SIGKILL);
        while (waitpid(each.process, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
}

void workers::report_end(worker& ended) {
    int status = 0;
    while (waitpid(ended.process, &status, 0) < 0 && errno == EINTR) {
    }
    ended.process = -1;
    throw worker_ended("a process of the search ended in the middle of an execution, " +
                       (WIFSIGNALED(status) ? "by signal " + std::to_string(WTERMSIG(status))
                                            : "with exit code " + std::to_string(WEXITSTATUS(status))));
}

void workers::start() {
    int there[2];
    int back[2];
    if (pipe2(there, O_CLOEXEC) != 0 || pipe2(back, O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "no pipe for a worker");
    }
    const pid_t parent = getpid();
    const pid_t process = fork();
    if (process < 0) throw std::system_error(errno, std::generic_category(), "no process for a worker");
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        close(there[1]);
        close(back[0]);
        // The parent's ends of the workers before this one.
        for (const worker& each : all_) {
            close(each.to);
            close(each.from);
        }
        serve(there[0], back[1]);
    }
    close(there[0]);
    close(back[1]);
    all_.push_back({process, there[1], back[0], false, {}});
}

void workers::serve(int from, int to) {
    watchdog::watch_this_process();
    mine_.stop_reporting();
    mine_.work().clear();
    (void)mine_.take_tally();
    std::string buffer;
    std::string message;
    while (receive(from, buffer)) {
        while (take_message(buffer, message)) {
            auto part = parse_part(message);
            if (!part) _exit(1);
            for (execution_graph& each : part->work) mine_.take_over(each);
            mine_.explore(~std::uint64_t{0} >> 1, explorer::clock::now() + one_turn);
            part_of_search result;
            result.counted = mine_.take_tally();
            result.work = take_all(mine_.work());
            if (!send(to, serialise(result))) _exit(1);
        }
    }
    _exit(0);
}

// The oldest graphs are the beginnings of the largest parts.
void workers::give_work() {
    for (worker& each : all_) {
        if (each.busy || mine_.work().empty()) continue;
        auto waiting = take_all(mine_.work());
        const std::size_t share = std::max<std::size_t>(1, waiting.size() / (2 * all_.size()));
        part_of_search part;
        part.work.assign(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(share));
        for (std::size_t i = share; i < waiting.size(); ++i) mine_.work().emit(waiting[i]);
        if (!send(each.to, serialise(part))) report_end(each);
        each.busy = true;
    }
}

void workers::collect(tally& total, search_progress& progress) {
    std::vector<pollfd> waits;
    for (const worker& each : all_) {
        if (each.busy) waits.push_back({each.from, POLLIN, 0});
    }
    poll(waits.data(), waits.size(), -1);
    for (worker& each : all_) {
        const auto entry = std::ranges::find(waits, each.from, &pollfd::fd);
        if (entry == waits.end() || entry->revents == 0) continue;
        if (!receive(each.from, each.received)) report_end(each);
        std::string message;
        if (!take_message(each.received, message)) continue;
        auto part = parse_part(message);
        if (!part) throw std::runtime_error("the result of a worker cannot be read");
        each.busy = false;
        total.add(part->counted);
        progress.executions = total.executions;
        note_pairs(total.sites, progress);
        if (total.found) note_found(progress, total.found->kind);
        for (execution_graph& graph : part->work) mine_.take_over(graph);
    }
}

void workers::explore(explorer::clock::time_point until, tally& total, search_progress& progress) {
    const auto busy = [&] { return std::ranges::any_of(all_, &worker::busy); };
    while (!mine_.work().empty() || busy()) {
        const bool ends = stop_requested() || explorer::clock::now() >= until || total.found ||
                          !total.met.refused.empty() || total.met.memory_bound;
        if (ends && !busy()) return;
        if (!ends) give_work();
        if (busy()) collect(total, progress);
    }
}

}  // namespace ordeal::graph
