// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/search/workers.hpp"

#include "ordeal/engine/process/forked_process.hpp"
#include "ordeal/engine/process/remote_workers.hpp"
#include "ordeal/engine/process/watchdog.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <string_view>
#include <system_error>
#include <utility>

namespace ordeal::detail::graph {

namespace {

// How often a worker looks for messages: cheap, and nobody waits long.
constexpr std::chrono::milliseconds one_turn{10};
constexpr std::chrono::milliseconds between_counts{250};
constexpr std::chrono::milliseconds longest_wait{50};
// A killed process is replaced; if all are killed repeatedly, something is wrong with the machine.
constexpr unsigned most_lost = 16;

constexpr std::string_view nothing_held = "";
constexpr const char* search_is_over = "over";  // what is asked for is only whether there is more

part_of_search read(std::string_view text) {
    auto part = parse_part(text);
    if (!part) throw std::runtime_error("the report of a worker cannot be read");
    return *std::move(part);
}

std::vector<std::string> names_of_spinloops(explorer& mine) {
    return mine.runner().interpreter().thread_visits.sites().names();
}

std::string text_of(std::vector<execution_graph> work, explorer& mine) {
    return work.empty() ? std::string(nothing_held)
                        : serialise({.counted = {},
                                     .work = std::move(work),
                                     .spinloop_sites = names_of_spinloops(mine),
                                     .learned = mine.reduction_of_graphs().export_state(),
                                     .mixed = mine.runner().interpreter().mixed_sizes.known(),
                                     .reductions = to_string(mine.runner().interpreter().options.reductions)});
}

void import_part(explorer& mine, std::string_view text) {
    if (text == nothing_held) return;
    part_of_search part = read(text);
    spinloop_sites& sites = mine.runner().interpreter().thread_visits.sites();
    std::vector<std::string> known = sites.names();
    known.insert(known.end(), part.spinloop_sites.begin(), part.spinloop_sites.end());
    sites.expect(known);
    mine.reduction_of_graphs().import_state(part.learned);
    mine.runner().interpreter().mixed_sizes.learn(part.mixed);
    // A process that another one started has those that were asked for.
    if (const auto reductions = parse_reductions(part.reductions); reductions && !part.reductions.empty())
        mine.runner().interpreter().options.reductions = *reductions;
    for (execution_graph& each : part.work) mine.import_graph(each);
}

// The text of a part contains no newline.
std::string report_of(explorer& mine, const std::string& goes_on_with, const std::string& gives) {
    return serialise({.counted = mine.take_tally(), .work = {}}) + '\n' + goes_on_with + '\n' + gives;
}

std::string_view take_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    return line;
}

[[noreturn]] void say_ended(const std::string& how) {
    throw worker_ended("a process of the search ended in the middle of an execution, " + how);
}

/// The worker's side of `workers`.
class served_explorer {
public:
    served_explorer(explorer& mine, message_channel with) : mine_(mine), with_(std::move(with)) {}

    [[noreturn]] void run() {
        while (true) {
            take_messages();
            if (mine_.work().empty()) continue;
            mine_.explore(~std::uint64_t{0} >> 1, explorer::clock::now() + one_turn, patience);
            if (mine_.done() || mine_.found()) {
                give_back(true);
            } else if (explorer::clock::now() >= next_count_) {
                next_count_ = explorer::clock::now() + between_counts;
                send(worker_message::counts, std::to_string(mine_.executions()));
            }
        }
    }

private:
    // A run that takes longer is left and resumed; a message may wait that long.
    static constexpr std::chrono::milliseconds patience{1'000};

    void take_messages() {
        if (mine_.work().empty()) {
            const auto next = with_.await();
            if (!next) _exit(0);
            answer(*next);
        } else if (with_.readable() && !with_.receive()) {
            _exit(0);
        }
        while (const auto next = with_.take()) answer(*next);
    }

    void send(char what, const std::string& text) {
        if (!with_.send(what, text)) _exit(0);
    }

    // Of a search that is over, one graph says that there are more.
    void give_back(bool all) {
        std::vector<execution_graph> left = mine_.work().take_all();
        if (!all && left.size() > 1) left.resize(1);
        send(worker_message::idle, report_of(mine_, text_of(std::move(left), mine_), ""));
    }

    // Gives away every other graph, the oldest included.
    void share() {
        std::vector<execution_graph> mine;
        std::vector<execution_graph> other;
        std::vector<execution_graph> all = mine_.work().take_all();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i % 2 == 1 || all.size() == 1) mine_.work().emit(all[i]);
            (i % 2 == 1 || all.size() == 1 ? mine : other).push_back(std::move(all[i]));
        }
        send(worker_message::share,
             report_of(mine_, text_of(std::move(mine), mine_), text_of(std::move(other), mine_)));
    }

    // A request to an idle worker may have crossed its report of being idle.
    void answer(const message& next) {
        if (next.what == worker_message::work) import_part(mine_, next.text);
        if (mine_.work().empty()) return;
        if (next.what == worker_message::share) share();
        if (next.what == worker_message::end) give_back(next.text != search_is_over);
    }

    explorer& mine_;
    message_channel with_;
    explorer::clock::time_point next_count_{};
};

}  // namespace

workers::workers(explorer& mine, const scenario& what, const search_options& options)
    : mine_(mine), what_(what), options_(options) {
    if (remote_workers::available()) return;
    for (unsigned i = 0; i < options.resources.jobs; ++i) start();
}

workers::~workers() {
    for (worker& each : all_) {
        if (each.process < 0) continue;
        kill(each.process, SIGKILL);
        while (waitpid(each.process, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
}

void workers::start() {
    const std::array ends = connected_sockets();
    const pid_t parent = getpid();
    const pid_t process = fork();
    if (process < 0) throw std::system_error(errno, std::generic_category(), "no process for a worker");
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        close(ends[0]);
        all_.clear();  // the parent's ends of earlier workers
        watchdog::watch_this_process();
        mine_.work().clear();
        serve(mine_, message_channel(ends[1]));
    }
    close(ends[1]);
    all_.push_back({.process = process, .channel = message_channel(ends[0])});
}

// Takes the workers that are free now; others may become free later.
void workers::hire() {
    if (explorer::clock::now() < next_hire_) return;
    while (auto one = remote_workers::for_search(what_, options_)) all_.push_back({.channel = *std::move(one)});
    next_hire_ = explorer::clock::now() + std::chrono::seconds{1};
}

void workers::serve(explorer& mine, message_channel with) {
    mine.stop_reporting();
    (void)mine.take_tally();
    served_explorer(mine, std::move(with)).run();
}

// Divides the graphs into parts for the workers, each with its share of the largest subtrees. A part becomes a text
// when a worker takes it: of long executions that takes its time, and there may be many that nobody comes to.
void workers::share_out() {
    constexpr std::size_t most_in_part = 32;
    std::vector<execution_graph> work = mine_.work().take_all();
    const std::size_t for_all = std::max<std::size_t>(all_.size(), work.size() / most_in_part);
    const std::size_t parts = std::min(work.size(), std::max<std::size_t>(1, for_all));
    parts_.resize(parts);
    for (std::size_t i = 0; i < work.size(); ++i) parts_[i % parts].push_back(std::move(work[i]));
}

std::string workers::take_part() {
    if (waiting_.empty()) {
        waiting_.push_back(text_of(std::move(parts_.front()), mine_));
        parts_.pop_front();
    }
    std::string part = std::move(waiting_.front());
    waiting_.pop_front();
    return part;
}

void workers::give(worker& to, std::string part) {
    to.busy = true;
    to.asked = false;
    to.held = std::move(part);
    if (!to.channel.send(worker_message::work, to.held)) lose(to);
}

void workers::give_work() {
    for (worker& each : all_) {
        if (!each.busy && any_waits()) give(each, take_part());
    }
}

// As many as there are idle workers.
void workers::ask_for_shares() {
    auto wanted = std::ranges::count(all_, false, &worker::busy) - std::ranges::count(all_, true, &worker::asked);
    const auto now = explorer::clock::now();
    for (worker& each : all_) {
        if (wanted <= 0) return;
        if (!each.busy || each.asked || now < each.not_before) continue;
        each.asked = true;
        if (!each.channel.send(worker_message::share, "")) continue;  // noticed when it is read
        --wanted;
    }
}

void workers::ask_for_work() {
    const bool is_over = mine_.work().must_stop();
    for (worker& each : all_) {
        if (each.busy) (void)each.channel.send(worker_message::end, is_over ? search_is_over : "");
    }
}

void workers::take(worker& from, const message& next, tally& total) {
    if (next.what == worker_message::counts) {
        from.executions = std::stoull(next.text);
        return;
    }
    if (next.what == worker_message::died) say_ended(next.text);
    std::string_view left = next.text;
    total.add(read(take_line(left)).counted);
    from.executions = 0;
    from.asked = false;
    from.held = take_line(left);
    if (left != nothing_held) {
        waiting_.emplace_back(left);
    } else {
        from.not_before = explorer::clock::now() + 2 * one_turn;
    }
    if (next.what != worker_message::idle) return;
    from.busy = false;
    if (from.held != nothing_held) waiting_.push_back(std::exchange(from.held, {}));
}

void workers::collect(tally& total, search_progress& progress) {
    std::vector<pollfd> waits;
    for (const worker& each : all_) waits.push_back({each.channel.file(), POLLIN, 0});
    poll(waits.data(), waits.size(), static_cast<int>(longest_wait.count()));
    std::size_t at = 0;
    for (auto each = all_.begin(); each != all_.end();) {
        const bool ready = waits[at++].revents != 0;
        const bool there = !ready || each->channel.receive();
        while (const auto next = each->channel.take()) take(*each, *next, total);
        if (!there) lose(*each);
        each = there ? std::next(each) : all_.erase(each);
    }
    std::uint64_t executions = total.executions;
    for (const worker& each : all_) executions += each.executions;
    progress.executions = executions;
    note_pairs(total.sites, progress);
    if (total.found) note_found(progress, total.found->kind);
}

// Others repeat its work since its last report. If it ended by itself, or by a signal that code on trial raises, that
// is the end of an execution.
void workers::lose(worker& lost) {
    if (lost.process >= 0) {
        int status = 0;
        while (waitpid(lost.process, &status, 0) < 0 && errno == EINTR) {
        }
        lost.process = -1;
        if (!WIFSIGNALED(status)) say_ended("with exit code " + std::to_string(WEXITSTATUS(status)));
        if (!is_external_signal(WTERMSIG(status))) say_ended("by signal " + std::to_string(WTERMSIG(status)));
    }
    if (lost.busy && lost.held != nothing_held) waiting_.push_back(std::exchange(lost.held, {}));
    lost.busy = false;
    if (++lost_ > most_lost) throw std::runtime_error("the processes of the search are killed again and again");
}

void workers::take_back() {
    for (const std::string& each : std::exchange(waiting_, {})) import_part(mine_, each);
    for (const auto& part : std::exchange(parts_, {})) {
        for (const execution_graph& each : part) mine_.work().emit(each);
    }
}

bool workers::any_waits() const { return !waiting_.empty() || !parts_.empty(); }

bool workers::any_busy() const { return std::ranges::any_of(all_, &worker::busy); }

void workers::explore(explorer::clock::time_point until, tally& total, search_progress& progress) {
    const auto ends = [&] { return stop_requested() || explorer::clock::now() >= until || total.decides(); };
    if (remote_workers::available()) hire();
    share_out();
    bool told_to_end = false;
    while (any_waits() || any_busy()) {
        if (ends()) {
            if (!any_busy()) break;
            if (!std::exchange(told_to_end, true)) ask_for_work();
        } else {
            if (remote_workers::available()) hire();
            if (all_.empty()) start();
            give_work();
            if (!any_waits()) ask_for_shares();
        }
        collect(total, progress);
    }
    take_back();
}

}  // namespace ordeal::detail::graph
